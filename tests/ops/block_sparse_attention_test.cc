// SPDX-License-Identifier: Apache-2.0
// Attention over blocks of keys that a mask names, and its gradients, against the documents'
// formulas in double precision; gradients also as what a change of the inputs does.
#include "ops/block_sparse_attention_case.h"

namespace anyacl::test::block_sparse_attention {
namespace {

TEST_F(BlockSparseAttentionTest, IsTheFormulaInEveryLayout) {
  for (const char* layout : {"BNSD", "BSND", "TND"}) {
    Check({.layout = layout});
    Check({.layout = layout, .spare = 3, .heads = 6, .key_heads = 3, .type = ACL_BF16});
    Check({.layout = layout, .heads = 4, .key_heads = 1, .dim = 128, .strided = true});
    Check({.layout = layout, .block_rows = 1, .block_keys = 7, .mask_type = ACL_BOOL});
    Check({.layout = layout, .block_rows = 100, .block_keys = 128, .chance = 0.8});
    Check({.layout = layout, .rows = {0, 9}, .keys = {40, 0}, .spare = 2, .dim = 16});
    Check({.layout = layout, .given = false, .masked = false});
    Check({.layout = layout, .dim = 80, .given = false, .strided = true});
  }
}

TEST_F(BlockSparseAttentionTest, ManyRowsAndManyKeys) {
  // More tiles, rows of a tile and keys of a piece than are taken at a time.
  Check({.rows = {290},
         .keys = {700},
         .row_size = 300,
         .key_size = 701,
         .heads = 3,
         .key_heads = 1,
         .block_rows = 140,
         .block_keys = 48});
  Check({.layout = "TND",
         .rows = {40, 3, 20},
         .keys = {600, 64, 20},
         .block_rows = 2,
         .block_keys = 32,
         .type = ACL_BF16,
         .chance = 0.95});
  // Keys that few rows see are cut into pieces, whose results are merged.
  for (const int64_t block_rows : {64, 7}) {
    Check({.layout = "TND",
           .rows = {64, 1, 20},
           .keys = {2100, 1500, 1},
           .heads = 3,
           .key_heads = 1,
           .dim = 32,
           .block_rows = block_rows,
           .block_keys = 64});
  }
}

// Which others are in the call decides on what goes together, and on no bit.
TEST_F(BlockSparseAttentionTest, ASequenceHasTheSameBitsAlone) {
  const Case small = {.layout = "TND",
                      .rows = {1, 100, 20, 3, 133},
                      .keys = {600, 1300, 2100, 40, 1100},
                      .heads = 4,
                      .dim = 16,
                      .block_rows = 32,
                      .block_keys = 64,
                      .masked = false};
  Case in_bf16 = small;
  in_bf16.type = ACL_BF16;
  // Blocks of more rows than a tile has, which do not divide them, and of other keys for each.
  const Case large = {.layout = "TND",
                      .rows = {800, 800},
                      .keys = {2600, 2600},
                      .heads = 1,
                      .key_heads = 1,
                      .dim = 128,
                      .block_rows = 200,
                      .block_keys = 64};
  // Products that are worth splitting for matrix registers, and ones that alone would not be.
  Case uneven = large;
  uneven.rows = {800, 100, 5};
  uneven.keys = {2600, 64, 700};
  uneven.masked = false;  // by a mask, whose shape depends on all of them
  for (const Case& all : {small, in_bf16, large, uneven}) {
    Data d;
    Call call = Prepared(all, &d);
    RunTwoPhase(call.Forward(), aclnnBlockSparseAttention);
    RunTwoPhase(call.Backward(), aclnnBlockSparseAttentionGrad);
    size_t first_row = 0, first_key = 0;
    for (size_t b = 0; b < all.rows.size(); ++b) {
      Case one = all;
      one.rows = {all.rows[b]};
      one.keys = {all.keys[b]};
      Data own;
      Call alone = Prepared(one, &own);
      const auto part = [&](const Tensor& of, size_t first, const Tensor& like) {
        const Numbers numbers = ReadAs(of);
        const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(first);
        return Numbers(from, from + static_cast<std::ptrdiff_t>(like.count()));
      };
      const auto dim = static_cast<size_t>(all.dim);
      const size_t row = first_row * static_cast<size_t>(all.heads),
                   key = first_key * static_cast<size_t>(all.key_heads) * dim;
      WriteAs(*alone.query, part(*call.query, row * dim, *alone.query));
      WriteAs(*alone.key, part(*call.key, key, *alone.key));
      WriteAs(*alone.value, part(*call.value, key, *alone.value));
      WriteAs(*alone.dout, part(*call.dout, row * dim, *alone.dout));
      if (all.masked) WriteAs(*alone.mask, part(*call.mask, b * alone.mask->count(), *alone.mask));
      RunTwoPhase(alone.Forward(), aclnnBlockSparseAttention);
      RunTwoPhase(alone.Backward(), aclnnBlockSparseAttentionGrad);
      EXPECT_EQ(ReadAs(*alone.out), part(*call.out, row * dim, *alone.out)) << b;
      EXPECT_EQ(ReadAs(*alone.lse), part(*call.lse, row, *alone.lse)) << b;
      EXPECT_EQ(ReadAs(*alone.dq), part(*call.dq, row * dim, *alone.dq)) << b;
      EXPECT_EQ(ReadAs(*alone.dk), part(*call.dk, key, *alone.dk)) << b;
      EXPECT_EQ(ReadAs(*alone.dv), part(*call.dv, key, *alone.dv)) << b;
      first_row += static_cast<size_t>(all.rows[b]);
      first_key += static_cast<size_t>(all.keys[b]);
    }
  }
}

TEST_F(BlockSparseAttentionTest, ManyHeadsAndSequences) {
  // More blocks of queries than are attended to at a time, by 64 threads, too.
  for (const char* layout : {"BNSD", "BSND", "TND"}) {
    Check({.layout = layout,
           .rows = {33, 0, 7},
           .keys = {20, 9, 0},
           .row_size = 34,
           .key_size = 20,
           .spare = 1,
           .heads = 16,
           .key_heads = 8,
           .dim = 16,
           .block_rows = 1,
           .block_keys = 8});
    Check({.layout = layout, .rows = {0, 0}, .spare = 2, .dim = 16});
    Check({.layout = layout, .keys = {0, 0}, .spare = 2, .dim = 16});
  }
}

TEST_F(BlockSparseAttentionTest, GradientsAreWhatAChangeDoes) {
  const Case c = {
      .rows = {3}, .keys = {20}, .row_size = 3, .key_size = 20, .dim = 16, .chance = 0.9};
  Data d;
  Call call = Prepared(c, &d);
  RunTwoPhase(call.Forward(), aclnnBlockSparseAttention);
  RunTwoPhase(call.Backward(), aclnnBlockSparseAttentionGrad);
  const auto loss = [&](const Data& data) {
    double sum = 0, lse = 0;
    ForRows(c, data, [&](size_t row, const std::vector<size_t>& keys) {
      const Numbers p = Softmax(c, data, row, keys, &lse);
      for (size_t k = 0; k < keys.size(); ++k) {
        sum += p[k] * Dot(c, data.dout, row, data.value, keys[k]);
      }
    });
    return sum;
  };
  const auto check = [&](Numbers Data::*of, const Tensor& result) {
    const Numbers actual = ReadAs(result);
    for (size_t i = 0; i < actual.size(); i += 3) {
      Data moved = d;
      (moved.*of)[i] += 1e-4;
      const double above = loss(moved);
      (moved.*of)[i] -= 2e-4;
      EXPECT_NEAR(actual[i], (above - loss(moved)) / 2e-4, 2e-3) << i;
    }
  };
  check(&Data::query, *call.dq);
  check(&Data::key, *call.dk);
  check(&Data::value, *call.dv);
}

TEST_F(BlockSparseAttentionTest, WithoutTheFlagNoLogarithmsAreWritten) {
  Data d;
  const Case c;
  Call call = Prepared(c, &d);
  const std::vector<uint8_t> before = call.lse->Bytes();
  for (int64_t precision : {0, 1, 4}) {
    call.flag = 0;
    call.precision = precision;
    RunTwoPhase(call.Forward(), aclnnBlockSparseAttention);
    EXPECT_EQ(call.lse->Bytes(), before);
  }
}

}  // namespace
}  // namespace anyacl::test::block_sparse_attention
