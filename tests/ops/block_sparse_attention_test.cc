// SPDX-License-Identifier: Apache-2.0
// Attention over blocks of keys that a mask names, and its gradients, against the documents'
// formulas in double precision; gradients also as what a change of the inputs does.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_block_sparse_attention.h"
#include "aclnnop/aclnn_block_sparse_attention_grad.h"
#include "ops/moe_case.h"
#include "support/near.h"

namespace anyacl::test {
namespace {

using moe::Numbers;
using moe::Shape;
using Lengths = std::vector<int64_t>;

struct Case {
  std::string layout = "BNSD";
  Lengths rows = {5, 9}, keys = {40, 33};
  int64_t row_size = 9, key_size = 40, spare = 0;  // S, or so many rows behind all
  int64_t heads = 2, key_heads = 2, dim = 64;
  int64_t block_rows = 4, block_keys = 16;
  aclDataType type = ACL_FLOAT16, mask_type = ACL_INT8;
  bool given = true, masked = true, strided = false;
  double chance = 0.6;

  bool ragged() const { return layout == "TND"; }
  int64_t batch() const { return static_cast<int64_t>(rows.size()); }
  int64_t Rows(int64_t b) const {
    return given || ragged() ? rows[static_cast<size_t>(b)] : row_size;
  }
  int64_t Keys(int64_t b) const {
    return given || ragged() ? keys[static_cast<size_t>(b)] : key_size;
  }
  int64_t QueryBlocks() const {
    return ((ragged() ? std::ranges::max(rows) : row_size) + block_rows - 1) / block_rows;
  }
  int64_t KeyBlocks() const {
    return ((ragged() ? std::ranges::max(keys) : key_size) + block_keys - 1) / block_keys;
  }
  Shape ShapeOf(const Lengths& lengths, int64_t size, int64_t n, int64_t inner) const {
    if (ragged()) return {std::accumulate(lengths.begin(), lengths.end(), spare), n, inner};
    if (layout == "BNSD") return {batch(), n, size, inner};
    return {batch(), size, n, inner};
  }
  Shape QueryShape(int64_t inner) const { return ShapeOf(rows, row_size, heads, inner); }
  Shape KeyShape() const { return ShapeOf(keys, key_size, key_heads, dim); }
  // Number of a row of a head among all.
  size_t At(const Lengths& lengths, int64_t size, int64_t n, int64_t b, int64_t head,
            int64_t i) const {
    int64_t at = (b * size + i) * n + head;
    if (ragged()) at = (std::accumulate(lengths.begin(), lengths.begin() + b, i)) * n + head;
    if (layout == "BNSD") at = (b * n + head) * size + i;
    return static_cast<size_t>(at);
  }
  auto QueryRow(int64_t b, int64_t n, int64_t i) const {
    return At(rows, row_size, heads, b, n, i);
  }
  size_t KeyRow(int64_t b, int64_t head, int64_t j) const {
    return At(keys, key_size, key_heads, b, head / (heads / key_heads), j);
  }
};

struct Data {
  Numbers query, key, value, dout, mask;
};

class BlockSparseAttentionTest : public moe::MoeTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  static constexpr double kScale = 0.2;

  struct Call {
    Held query, key, value, dout, mask, out, lse, dq, dk, dv;
    Lengths rows, keys, shape;
    std::string query_layout, key_layout;
    int64_t key_heads, precision = 0, flag = 1, mask_type = 0, pages = 0, before = INT32_MAX;
    Held other = nullptr;  // where null is expected

    static const aclTensor* Handle(const Held& held) {
      return held == nullptr ? nullptr : held->handle();
    }
    template <class F>
    aclnnStatus WithArrays(const F& call) {
      aclIntArray* arrays[] = {aclCreateIntArray(rows.data(), rows.size()),
                               aclCreateIntArray(keys.data(), keys.size()),
                               aclCreateIntArray(shape.data(), shape.size())};
      const aclnnStatus status =
          call(rows.empty() ? nullptr : arrays[0], keys.empty() ? nullptr : arrays[1], arrays[2]);
      for (aclIntArray* array : arrays) aclDestroyIntArray(array);
      return status;
    }
    Phase1 Forward() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return WithArrays([&](aclIntArray* queries, aclIntArray* keyss, aclIntArray* blocks) {
          return aclnnBlockSparseAttentionGetWorkspaceSize(
              Handle(query), Handle(key), Handle(value), Handle(mask), nullptr, blocks, queries,
              keyss, Handle(other), query_layout.data(), key_layout.data(), key_heads, mask_type,
              kScale, precision, pages, before, INT32_MAX, flag, out->handle(),
              const_cast<aclTensor*>(Handle(lse)), s, e);
        });
      };
    }
    Phase1 Backward() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return WithArrays([&](aclIntArray* queries, aclIntArray* keyss, aclIntArray* blocks) {
          return aclnnBlockSparseAttentionGradGetWorkspaceSize(
              Handle(dout), Handle(query), Handle(key), Handle(value), Handle(out), Handle(lse),
              Handle(mask), Handle(other), blocks, queries, keyss, query_layout.data(),
              key_layout.data(), key_heads, mask_type, kScale, before, INT32_MAX, dq->handle(),
              dk->handle(), dv->handle(), s, e);
        });
      };
    }
  };

  Held Filled(const Case& c, const Shape& shape, Numbers* numbers) {
    *numbers = Drawn(c.type, Count(shape), -1, 1);
    return std::make_unique<Tensor>(Holding(shape, c.type, *numbers, c.strided));
  }
  static size_t Count(const Shape& shape) {
    return static_cast<size_t>(
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
  }

  Call Prepared(const Case& c, Data* d) {
    const Shape mask = {c.batch(), c.heads, c.QueryBlocks(), c.KeyBlocks()};
    for (size_t i = 0; i < Count(mask); ++i) d->mask.push_back(random().Chance(c.chance));
    const auto made = [&](const Shape& shape, aclDataType type) {
      return std::make_unique<Tensor>(Made(shape, type, c.strided));
    };
    return {.query = Filled(c, c.QueryShape(c.dim), &d->query),
            .key = Filled(c, c.KeyShape(), &d->key),
            .value = Filled(c, c.KeyShape(), &d->value),
            .dout = Filled(c, c.QueryShape(c.dim), &d->dout),
            .mask = c.masked
                        ? std::make_unique<Tensor>(Holding(mask, c.mask_type, d->mask, c.strided))
                        : nullptr,
            .out = made(c.QueryShape(c.dim), c.type),
            .lse = made(c.QueryShape(1), ACL_FLOAT),
            .dq = made(c.QueryShape(c.dim), c.type),
            .dk = made(c.KeyShape(), c.type),
            .dv = made(c.KeyShape(), c.type),
            .rows = c.given || c.ragged() ? c.rows : Lengths{},
            .keys = c.given || c.ragged() ? c.keys : Lengths{},
            .shape = {c.block_rows, c.block_keys},
            .query_layout = c.layout,
            .key_layout = c.layout,
            .key_heads = c.key_heads};
  }

  // Calls visit(row, rows of the keys that it sees).
  template <class Visit>
  static void ForRows(const Case& c, const Data& d, const Visit& visit) {
    for (int64_t b = 0; b < c.batch(); ++b) {
      for (int64_t head = 0; head < c.heads; ++head) {
        for (int64_t i = 0; i < c.Rows(b); ++i) {
          std::vector<size_t> keys;
          const int64_t row =
              ((b * c.heads + head) * c.QueryBlocks() + i / c.block_rows) * c.KeyBlocks();
          for (int64_t j = 0; j < c.Keys(b); ++j) {
            const bool seen = !c.masked || d.mask[static_cast<size_t>(row + j / c.block_keys)] != 0;
            if (seen) keys.push_back(c.KeyRow(b, head, j));
          }
          visit(c.QueryRow(b, head, i), keys);
        }
      }
    }
  }
  static double Dot(const Case& c, const Numbers& a, size_t row, const Numbers& b, size_t other) {
    const auto dim = static_cast<size_t>(c.dim);
    double sum = 0;
    for (size_t x = 0; x < dim; ++x) sum += a[row * dim + x] * b[other * dim + x];
    return sum;
  }
  // The probabilities of a row's keys; the logarithm of their sum.
  static Numbers Softmax(const Case& c, const Data& d, size_t row, const std::vector<size_t>& keys,
                         double* lse) {
    Numbers p;
    double sum = 0;
    for (size_t key : keys) p.push_back(std::exp(kScale * Dot(c, d.query, row, d.key, key)));
    for (double x : p) sum += x;
    for (double& x : p) x /= sum;
    *lse = keys.empty() ? INFINITY : std::log(sum);
    return p;
  }

  // What came out was rounded before the gradients were made of it.
  static double UnitOf(const Case& c) { return c.type == ACL_BF16 ? 0x1p-7 : 0x1p-10; }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.layout << " type " << c.type << " heads " << c.heads << "," << c.key_heads
                 << " blocks " << c.block_rows << " x " << c.block_keys << " given " << c.given
                 << " masked " << c.masked << " strided " << c.strided);
    Data d;
    Call call = Prepared(c, &d);
    RunTwoPhase(call.Forward(), aclnnBlockSparseAttention);
    const auto dim = static_cast<size_t>(c.dim);
    Summed out(d.query.size()), dq(d.query.size()), dk(d.key.size()), dv(d.key.size());
    Numbers lses(d.query.size() / dim, INFINITY);
    ForRows(c, d, [&](size_t row, const std::vector<size_t>& keys) {
      const Numbers p = Softmax(c, d, row, keys, &lses[row]);
      double delta = 0;
      for (size_t k = 0; k < keys.size(); ++k) {
        delta += p[k] * Dot(c, d.dout, row, d.value, keys[k]);
        for (size_t x = 0; x < dim; ++x) {
          const double term = p[k] * d.value[keys[k] * dim + x];
          out.Add(row * dim + x, term, term);
        }
      }
      for (size_t k = 0; k < keys.size(); ++k) {
        const double dp = Dot(c, d.dout, row, d.value, keys[k]);
        const double ds = p[k] * (dp - delta) * kScale;
        const double size = p[k] * (std::abs(dp) + std::abs(delta) + 1) * kScale;
        for (size_t x = 0; x < dim; ++x) {
          const double q = d.query[row * dim + x], key = d.key[keys[k] * dim + x];
          const double dy = d.dout[row * dim + x];
          dq.Add(row * dim + x, ds * key, size * key);
          dk.Add(keys[k] * dim + x, ds * q, size * q);
          dv.Add(keys[k] * dim + x, p[k] * dy, p[k] * dy);
        }
      }
    });
    ExpectNear(*call.out, out, UnitOf(c), "out");
    const Numbers lse = ReadAs(*call.lse);
    for (size_t i = 0; i < lse.size(); ++i) {
      if (std::isinf(lses[i])) {
        ASSERT_EQ(lse[i], lses[i]) << i;
      } else {
        ASSERT_NEAR(lse[i], lses[i], 1e-4) << i;
      }
    }
    EXPECT_TRUE(call.lse->GuardsIntact());
    RunTwoPhase(call.Backward(), aclnnBlockSparseAttentionGrad);
    ExpectNear(*call.dq, dq, UnitOf(c), "dq");
    ExpectNear(*call.dk, dk, UnitOf(c), "dk");
    ExpectNear(*call.dv, dv, UnitOf(c), "dv");
  }
};

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

TEST_F(BlockSparseAttentionTest, RefusesWhatDoesNotFit) {
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words, bool both = true) {
    Data d;
    Call call = Prepared(c, &d);
    change(call);
    ExpectRefused(call.Forward(), code, words);
    if (both) ExpectRefused(call.Backward(), code, words);
  };
  const Case plain, ragged{.layout = "TND"};
  const auto made = [](const Shape& shape, aclDataType type) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  refused(plain, [](Call& c) { c.query_layout = "BSH"; }, kInvalid, {"qInputLayout", "BSH"});
  refused(plain, [](Call& c) { c.key_layout = "BSND"; }, kInvalid, {"kvInputLayout", "BSND"});
  refused(plain, [](Call& c) { c.mask_type = 1; }, kInvalid, {"maskType", "1"});
  refused(plain, [](Call& c) { c.before = 3; }, kInvalid, {"preTokens", "3"});
  refused(plain, [](Call& c) { c.key_heads = 1; }, kInvalid, {"numKeyValueHeads = 1", "2"});
  refused({.heads = 3}, [](Call&) {}, kInvalid, {"numKeyValueHeads = 2", "3 heads"});
  refused({.dim = 24}, [](Call&) {}, kInvalid, {"query.shape", "a multiple of 16"});
  refused({.dim = 144}, [](Call&) {}, kInvalid, {"query.shape", "up to 128"});
  refused(plain, [](Call& c) { c.rows = {5}; }, kInvalid, {"actualSeqLengthsOptional", "size 1"});
  refused(plain, [](Call& c) { c.keys = {}; }, kInvalid, {"actualSeqLengthsKvOptional", "0"});
  refused(plain,
          [](Call& c) {
            c.keys = {40, 41};
          },
          kInvalid, {"actualSeqLengthsKvOptional[1] = 41", "0 to 40"});
  refused(ragged,
          [](Call& c) {
            c.rows = {5, 10};
          },
          kInvalid, {"actualSeqLengthsOptional[1] = 10", "0 to 9"});
  refused(ragged, [](Call& c) { c.keys = {}; }, kNull, {"actualSeqLengthsKvOptional", "TND"});
  refused(plain, [](Call& c) { c.shape = {4}; }, kInvalid, {"blockShapeOptional", "4"});
  refused(plain, [](Call& c) { c.shape = {4, 0}; }, kInvalid, {"blockShapeOptional", "0"});
  refused(plain,
          [](Call& c) {
            c.shape = {8, 16};
          },
          kInvalid, {"blockSparseMaskOptional.shape = [2, 2, 3, 3]", "[2, 2, 2, 3]"});
  refused(plain,
          [&](Call& c) {
            c.value = made({2, 2, 41, 64}, ACL_FLOAT16);
          },
          kInvalid, {"value.shape = [2, 2, 41, 64]"});
  refused(plain,
          [&](Call& c) {
            c.key = made({1, 2, 40, 64}, ACL_FLOAT16);
          },
          kInvalid, {"key.shape = [1, 2, 40, 64]"});
  refused(plain,
          [&](Call& c) {
            c.query = made({2, 2, 0, 64}, ACL_FLOAT16);
          },
          kInvalid, {"query.shape = [2, 2, 0, 64]"});
  refused(plain,
          [&](Call& c) {
            c.lse = made({2, 2, 9}, ACL_FLOAT);
          },
          kInvalid, {"shape = [2, 2, 9]", "[2, 2, 9, 1]"});
  refused(
      plain, [](Call& c) { c.precision = 2; }, kInvalid, {"innerPrecise = 2"}, false);
  refused(
      {.type = ACL_BF16}, [](Call& c) { c.precision = 1; }, kInvalid,
      {"innerPrecise = 1", "FLOAT16"}, false);
  refused(
      plain, [](Call& c) { c.pages = 16; }, kInvalid, {"blockSize", "16"}, false);
  refused(
      plain, [](Call& c) { c.flag = 2; }, kInvalid, {"softmaxLseFlag", "2"}, false);
  refused(
      plain, [](Call& c) { c.lse = nullptr; }, kNull, {"null"}, true);
  refused(
      plain,
      [&](Call& c) {
        c.other = made({2, 3}, ACL_INT32);
      },
      kInvalid, {"blockTableOptional", "null"}, false);
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
}  // namespace anyacl::test
