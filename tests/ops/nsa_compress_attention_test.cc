// SPDX-License-Identifier: Apache-2.0
// Attention to compressed keys, and the blocks that it chooses, against the document's formulas in
// double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_nsa_compress_attention.h"
#include "ops/nsa_case.h"

namespace anyacl::test {
namespace {

using namespace nsa;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
constexpr int kRule = ACLNN_ERR_INNER_TILING_ERROR;

enum class Hides { kNothing, kTheFuture, kSome };

struct Case {
  Lengths rows = {9, 3}, keys = {30, 17};
  int64_t heads = 4, key_heads = 2, dim = 24, value_dim = 16;
  int64_t window = 32, stride = 16, block = 64, count = 3;
  double scale = 0.3;
  aclDataType type = ACL_FLOAT16, mask_type = ACL_BOOL;
  Hides mask = Hides::kNothing;
  bool chosen = false, strided = false;
};

class NsaCompressAttentionTest : public NsaTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> query, key, value, mask, chosen, max, sum, out, indices;
    std::unique_ptr<IntArray> row_ends, key_ends, block_ends;
    Case c;
    int64_t sparse_mode = 1;
    std::string layout = "TND";

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      const auto ends = [](const auto& array) {
        return array == nullptr ? nullptr : array->handle();
      };
      return aclnnNsaCompressAttentionGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(mask), HandleOf(chosen),
          ends(row_ends), ends(key_ends), ends(block_ends), c.scale, c.heads, layout.data(),
          sparse_mode, c.window, c.stride, c.block, c.count, HandleOf(max), HandleOf(sum),
          HandleOf(out), HandleOf(indices), s, e);
    }
  };

  Call Prepared(const Case& c, CompressAttentionProblem* p) {
    *p = {.rows = c.rows,
          .keys = c.keys,
          .heads = c.heads,
          .key_heads = c.key_heads,
          .dim = c.dim,
          .value_dim = c.value_dim,
          .stride = c.block / c.stride,
          .window = c.window / c.stride,
          .scale = c.scale};
    const int64_t rows = Total(c.rows), keys = Total(c.keys);
    const int64_t most_rows = *std::max_element(c.rows.begin(), c.rows.end());
    const int64_t most_keys = p->most_keys(), most_blocks = p->most_blocks();
    for (int64_t i = 0; i < most_rows * most_keys && c.mask != Hides::kNothing; ++i) {
      const int64_t row = i / most_keys, key = i % most_keys;
      // The first rows see nothing yet.
      const bool future = key > row - 2, some = random().Int(0, 2) == 0;
      p->mask.push_back(c.mask == Hides::kTheFuture ? future : some);
    }
    for (int64_t i = 0; i < most_rows * most_blocks && c.chosen; ++i) {
      p->chosen.push_back(i % most_blocks == 0 || i % most_blocks == i / most_blocks);
    }
    Lengths blocks;
    for (size_t b = 0; b < c.keys.size(); ++b) blocks.push_back(p->BlocksOf(b));
    return {.query = Filled({rows, c.heads, c.dim}, c.type, &p->query, c.strided),
            .key = Filled({keys, c.key_heads, c.dim}, c.type, &p->key, c.strided),
            .value = Filled({keys, c.key_heads, c.value_dim}, c.type, &p->value, c.strided),
            .mask = Bytes({most_rows, most_keys}, p->mask, c.mask_type, c.strided),
            .chosen = Bytes({most_rows, most_blocks}, p->chosen, c.mask_type, c.strided),
            .max = Empty({rows, c.heads, 8}, ACL_FLOAT, c.strided),
            .sum = Empty({rows, c.heads, 8}, ACL_FLOAT, c.strided),
            .out = Empty({rows, c.heads, c.value_dim}, c.type, c.strided),
            .indices = Empty({rows, c.key_heads, c.count}, ACL_INT32, c.strided),
            .row_ends = std::make_unique<IntArray>(EndsOf(c.rows)),
            .key_ends = std::make_unique<IntArray>(EndsOf(c.keys)),
            .block_ends = std::make_unique<IntArray>(EndsOf(blocks)),
            .c = c};
  }

  void Check(const Case& c) {
    SCOPED_TRACE(testing::Message() << c.heads << " heads on " << c.key_heads << ", blocks of "
                                    << c.window << ", " << c.stride << ", " << c.block << ", type "
                                    << c.type << ", mask " << static_cast<int>(c.mask));
    CompressAttentionProblem p;
    Call call = Prepared(c, &p);
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                aclnnNsaCompressAttention);
    const CompressAttentionResult expected = CompressAttention(p);
    // Probabilities and scores are rounded to bf16 in its products.
    const double unit = c.type == ACL_BF16 ? 0x1p-6 : 0x1p-12;
    ExpectNear(*call.out, expected.out, unit);
    CheckStatistics(call, expected, c.type == ACL_BF16 ? 0x1p-7 : 0x1p-16);
    CheckChoice(c, p, ReadAs(*call.indices), expected.importance);
    EXPECT_TRUE(call.indices->GuardsIntact());
  }

  // In the order of heads of each sequence, whatever the shape says.
  void CheckStatistics(const Call& call, const CompressAttentionResult& expected, double unit) {
    const Numbers max = ReadAs(*call.max), sum = ReadAs(*call.sum);
    ASSERT_EQ(max.size(), expected.max.size() * 8);
    for (size_t at = 0; at < max.size(); ++at) {
      const double most = expected.max[at / 8], total = expected.sum[at / 8];
      if (total == 0) {
        ASSERT_LT(max[at], -3.4e38);
        ASSERT_GT(sum[at], 3.4e38);
        continue;
      }
      ASSERT_NEAR(max[at], most, unit * 8) << at;
      ASSERT_NEAR(sum[at], total, unit * 16 * total) << at;
    }
    EXPECT_TRUE(call.max->GuardsIntact() && call.sum->GuardsIntact());
  }

  // Different blocks, none less important than the one behind it or than any that is left out; of
  // equally important ones the first.
  static void CheckChoice(const Case& c, const CompressAttentionProblem& p, const Numbers& indices,
                          const std::vector<double>& importance) {
    constexpr double kNear = 1e-5;
    size_t row = 0;
    for (size_t b = 0; b < c.rows.size(); ++b) {
      const int64_t blocks = p.BlocksOf(b);
      for (int64_t i = 0; i < c.rows[b] * c.key_heads; ++i, ++row) {
        const double* const values = &importance[row * static_cast<size_t>(p.most_blocks())];
        const double* const chosen = &indices[row * static_cast<size_t>(c.count)];
        std::vector<bool> taken(static_cast<size_t>(blocks));
        for (int64_t k = 0; k < c.count; ++k) {
          ASSERT_TRUE(chosen[k] >= 0 && chosen[k] < static_cast<double>(blocks)) << row;
          const auto block = static_cast<size_t>(chosen[k]);
          ASSERT_FALSE(taken[block]) << row;
          taken[block] = true;
          for (size_t other = 0; other < taken.size(); ++other) {
            if (taken[other]) continue;
            ASSERT_GE(values[block], values[other] - kNear)
                << row << ": " << block << ", " << other;
            // Both are 0 exactly, or infinite.
            const bool equal =
                values[block] == values[other] && (values[block] == 0 || std::isinf(values[block]));
            ASSERT_TRUE(!equal || block < other) << row << ": " << block << ", " << other;
          }
        }
      }
    }
  }
};

TEST_F(NsaCompressAttentionTest, AttendsAndChooses) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    Check({.type = type});
    Check({.type = type, .mask = Hides::kTheFuture});
    Check({.type = type, .mask_type = ACL_UINT8, .mask = Hides::kSome, .chosen = true});
    Check({.type = type, .mask = Hides::kTheFuture, .chosen = true, .strided = true});
    Check({.keys = {40, 33}, .window = 16, .block = 16, .count = 5, .type = type});
    Check({.keys = {40, 33}, .window = 64, .block = 64, .count = 9, .type = type, .chosen = true});
    // A compressed key of one and a half steps counts as one of one.
    Check({.keys = {40, 33}, .window = 48, .stride = 32, .block = 128, .type = type});
    Check({.heads = 16, .key_heads = 1, .dim = 192, .value_dim = 128, .type = type});
    Check({.heads = 3, .key_heads = 3, .dim = 8, .value_dim = 7, .type = type});
  }
}

TEST_F(NsaCompressAttentionTest, ManyTokensAndManyKeys) {
  // More tokens than are taken at a time, more keys than a piece has, sequences of no rows.
  Check({.rows = {40, 0, 1},
         .keys = {1100, 70, 1024},
         .heads = 4,
         .key_heads = 2,
         .count = 16,
         .type = ACL_BF16,
         .mask = Hides::kSome,
         .chosen = true});
  // Few tokens at a time.
  Check({.rows = {5}, .keys = {9000}, .heads = 64, .key_heads = 1, .dim = 16, .count = 32});
}

TEST_F(NsaCompressAttentionTest, ResultsAreTheSameBitsEverywhere) {
  CompressAttentionProblem p;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    Call call = Prepared({.rows = {60, 9},
                          .keys = {1100, 70},
                          .heads = 16,
                          .dim = 64,
                          .value_dim = 48,
                          .count = 16,
                          .type = type},
                         &p);
    Fix(call.query, 1), Fix(call.key, 2), Fix(call.value, 3);
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                aclnnNsaCompressAttention);
    EXPECT_EQ(HashOf({call.indices.get()}),
              type == ACL_BF16 ? 9875613638261228767u : 1813403876405125597u);
    // Products of bf16 have bits of their own on some tiers.
    if (type == ACL_BF16) continue;
    EXPECT_EQ(HashOf({call.out.get(), call.max.get(), call.sum.get()}), 13791726052707511182u);
  }
}

TEST_F(NsaCompressAttentionTest, OfEquallyImportantBlocksTheFirstIsChosen) {
  // All keys are alike.
  CompressAttentionProblem p;
  const Case c = {.rows = {2}, .keys = {64}, .count = 8};
  Call call = Prepared(c, &p);
  WriteAs(*call.key, Numbers(p.key.size(), 0.5));
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
              aclnnNsaCompressAttention);
  // The last block has no key behind it: it matters less than the others, which come in their
  // order.
  const Numbers indices = ReadAs(*call.indices);
  for (size_t at = 0; at < indices.size(); ++at)
    ASSERT_EQ(indices[at], static_cast<double>(at % 8));
}

TEST_F(NsaCompressAttentionTest, RowsBehindTheLastSequenceAreLeftAlone) {
  CompressAttentionProblem p;
  Call call = Prepared({.rows = {9, 3}}, &p);
  call.row_ends = std::make_unique<IntArray>(Lengths{9, 11});
  WriteAs(*call.indices, Numbers(12 * 2 * 3, -7));
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
              aclnnNsaCompressAttention);
  const Numbers indices = ReadAs(*call.indices);
  for (size_t at = 0; at < indices.size(); ++at) ASSERT_EQ(indices[at] == -7, at >= 66) << at;
}

TEST_F(NsaCompressAttentionTest, RefusesWhatDoesNotFit) {
  CompressAttentionProblem p;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &p);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const Case plain = {.mask = Hides::kSome, .chosen = true};
  const auto made = [](const Shape& shape, aclDataType type = ACL_FLOAT16) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  const auto ends = [](const Lengths& values) { return std::make_unique<IntArray>(values); };
  refused(plain, [](Call& c) { c.query = nullptr; }, kNull, {"query is null"});
  refused(plain, [](Call& c) { c.row_ends = nullptr; }, kNull, {"actualSeqQLenOptional is null"});
  refused(plain, [](Call& c) { c.indices = nullptr; }, kNull, {"topkIndicesOut is null"});
  refused(plain, [](Call& c) { c.layout = "BSND"; }, kInvalid, {"\"BSND\"", "TND"});
  refused(plain, [](Call& c) { c.sparse_mode = 2; }, kInvalid, {"sparseMode is 2"});
  refused(plain, [](Call& c) { c.c.heads = 3; }, kInvalid, {"query.shape", "headNum"});
  refused(plain, [](Call& c) { c.c.window = 40; }, kRule, {"compressBlockSize = 40", "16"});
  refused(plain, [](Call& c) { c.c.window = 16, c.c.stride = 32; }, kRule,
          {"compressStride = 32", "at most 16"});
  refused(plain, [](Call& c) { c.c.window = 128; }, kRule, {"selectBlockSize = 64", "128"});
  refused(plain, [](Call& c) { c.c.stride = 32, c.c.block = 48; }, kRule,
          {"selectBlockSize = 48", "a multiple"});
  refused(plain, [](Call& c) { c.c.stride = 128; }, kInvalid, {"compressStride is 128", "64"});
  refused(plain, [](Call& c) { c.c.count = 33; }, kInvalid, {"selectBlockCount is 33"});
  refused({.count = 6}, [](Call&) {}, kRule,
          {"selectBlockCount = 6", "at most 5", "17 keys of sequence 1"});
  refused({.heads = 6, .key_heads = 2}, [](Call&) {}, kRule, {"headNum = 6 of 2 heads"});
  refused({.heads = 2, .key_heads = 4}, [](Call&) {}, kRule, {"headNum = 2 of 4 heads"});
  refused({.heads = 128, .key_heads = 1}, [](Call&) {}, kRule, {"headNum = 128 of 1 heads"});
  refused({.keys = {30, 0}}, [](Call&) {}, kRule, {"sequence 1 has 0 keys", "1 or more"});
  refused({.dim = 784}, [](Call&) {}, kRule, {"key.shape", "D = 784", "at most 768"});
  refused({.value_dim = 32}, [](Call&) {}, kRule, {"value.shape", "D = 32", "at most 24"});
  refused(plain, [&](Call& c) { c.row_ends = ends({9, 13}); }, kRule, {"= 13", "9 to 12"});
  refused(plain, [&](Call& c) { c.row_ends = ends({12}); }, kRule, {"have 1, 2 and 2 values"});
  refused(plain,
          [&](Call& c) {
            c.block_ends = ends({8, 14});
          },
          kRule, {"sequence 1 has 6 blocks", "5 for 17 keys"});
  refused(plain,
          [&](Call& c) {
            c.mask = made({9, 29}, ACL_BOOL);
          },
          kInvalid, {"attenMaskOptional.shape = [9, 29]", "[9, 30]"});
  refused(plain,
          [&](Call& c) {
            c.mask = made({10, 30}, ACL_BOOL);
            c.chosen = nullptr;
          },
          kInvalid, {"attenMaskOptional.shape = [10, 30]", "[9, 30]"});
  refused(plain,
          [&](Call& c) {
            c.chosen = made({9, 9}, ACL_UINT8);
          },
          kInvalid, {"topkMaskOptional.shape = [9, 9]", "[9, 8]"});
  refused(plain, [&](Call& c) { c.mask = made({9, 30}, ACL_INT32); }, kInvalid, {"INT32"});
  refused(plain,
          [&](Call& c) {
            c.max = made({12, 4, 7}, ACL_FLOAT);
          },
          kInvalid, {"softmaxMaxOut.shape[2] = 7"});
  refused(plain,
          [&](Call& c) {
            c.indices = made({12, 2, 4}, ACL_INT32);
          },
          kInvalid, {"topkIndicesOut.shape[2] = 4"});
}

}  // namespace
}  // namespace anyacl::test
