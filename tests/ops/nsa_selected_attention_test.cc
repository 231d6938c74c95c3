// SPDX-License-Identifier: Apache-2.0
// Attention to chosen blocks of keys, and its gradients, against the document's formulas in double
// precision.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_nsa_selected_attention.h"
#include "aclnnop/aclnn_nsa_selected_attention_grad.h"
#include "ops/nsa_case.h"

namespace anyacl::test {
namespace {

using namespace nsa;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;

struct Case {
  Lengths rows = {9, 0, 70}, keys = {160, 32, 140};
  int64_t heads = 4, key_heads = 2, dim = 40, value_dim = 24;
  int64_t block = 32, count = 3;
  double scale = 0.2;
  aclDataType type = ACL_FLOAT16;
  bool causal = false, strided = false;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    cases.push_back({.type = type});
    cases.push_back({.type = type, .causal = true});
    cases.push_back({.block = 16, .count = 5, .type = type, .causal = true, .strided = true});
    cases.push_back({.rows = {3},
                     .keys = {1088},
                     .heads = 16,
                     .key_heads = 1,
                     .dim = 192,
                     .value_dim = 128,
                     .block = 64,
                     .count = 16,
                     .type = type});
    cases.push_back({.heads = 3, .key_heads = 3, .dim = 24, .type = type, .strided = true});
    // Eight rows or fewer of as many numbers as values have are another form of the engine.
    cases.push_back({.heads = 8, .key_heads = 1, .dim = 64, .value_dim = 64, .type = type});
    cases.push_back({.rows = {70},
                     .keys = {256},
                     .heads = 32,
                     .key_heads = 1,
                     .dim = 16,
                     .value_dim = 16,
                     .block = 128,
                     .count = 1,
                     .type = type,
                     .causal = true});
  }
  return cases;
}

class NsaSelectedAttentionTest : public NsaTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> query, key, value, indices, mask, max, sum, out, dy, dq, dk, dv;
    std::unique_ptr<IntArray> row_ends, key_ends;
    Case c;
    int64_t sparse_mode = 2;
    std::string layout = "TND";

    const aclIntArray* RowEnds() const { return row_ends ? row_ends->handle() : nullptr; }
    const aclIntArray* KeyEnds() const { return key_ends ? key_ends->handle() : nullptr; }
    aclnnStatus Forward(uint64_t* s, aclOpExecutor** e) {
      return aclnnNsaSelectedAttentionGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(indices), HandleOf(mask),
          RowEnds(), KeyEnds(), c.scale, c.heads, layout.data(), sparse_mode, c.block, c.count,
          HandleOf(max), HandleOf(sum), HandleOf(out), s, e);
    }
    aclnnStatus Backward(uint64_t* s, aclOpExecutor** e) {
      return aclnnNsaSelectedAttentionGradGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(out), HandleOf(dy),
          HandleOf(max), HandleOf(sum), HandleOf(indices), RowEnds(), KeyEnds(), HandleOf(mask),
          c.scale, c.block, c.count, c.heads, layout.data(), sparse_mode, HandleOf(dq),
          HandleOf(dk), HandleOf(dv), s, e);
    }
  };

  Call Prepared(const Case& c, SelectedProblem* p) {
    *p = {.rows = c.rows,
          .keys = c.keys,
          .heads = c.heads,
          .key_heads = c.key_heads,
          .dim = c.dim,
          .value_dim = c.value_dim,
          .block = c.block,
          .count = c.count,
          .scale = c.scale,
          .causal = c.causal};
    for (size_t b = 0; b < c.rows.size(); ++b) {
      const int64_t blocks = (c.keys[b] + c.block - 1) / c.block;
      for (int64_t i = 0; i < c.rows[b] * c.key_heads * c.count; ++i) {
        p->indices.push_back(static_cast<int32_t>(random().Int(0, blocks - 1)));
      }
    }
    const int64_t rows = Total(c.rows), keys = Total(c.keys);
    const Shape of_rows = {rows, c.heads, c.dim}, of_out = {rows, c.heads, c.value_dim};
    const Shape of_keys = {keys, c.key_heads, c.dim}, of_values = {keys, c.key_heads, c.value_dim};
    return {.query = Filled(of_rows, c.type, &p->query, c.strided),
            .key = Filled(of_keys, c.type, &p->key, c.strided),
            .value = Filled(of_values, c.type, &p->value, c.strided),
            .indices = std::make_unique<Tensor>(
                Holding({rows, c.key_heads, c.count}, ACL_INT32,
                        Numbers(p->indices.begin(), p->indices.end()), c.strided)),
            // Not read, whatever it holds.
            .mask = c.causal ? Empty({4, 5}, ACL_BOOL) : nullptr,
            .max = Empty({rows, c.heads, 8}, ACL_FLOAT, c.strided),
            .sum = Empty({rows, c.heads, 8}, ACL_FLOAT, c.strided),
            .out = Empty(of_out, c.type, c.strided),
            .dy = Filled(of_out, c.type, &p->dy, c.strided),
            .dq = Empty(of_rows, c.type, c.strided),
            .dk = Empty(of_keys, c.type, c.strided),
            .dv = Empty(of_values, c.type, c.strided),
            .row_ends = std::make_unique<IntArray>(EndsOf(c.rows)),
            .key_ends = std::make_unique<IntArray>(EndsOf(c.keys)),
            .c = c,
            .sparse_mode = c.causal ? 2 : 0};
  }

  void RunForward(Call& call) {
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.Forward(s, e); },
                aclnnNsaSelectedAttention);
  }
  void RunBackward(Call& call) {
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.Backward(s, e); },
                aclnnNsaSelectedAttentionGrad);
  }

  static double UnitOf(const Case& c) {
    // Scores and probabilities are rounded to bf16 in its products.
    return c.type == ACL_BF16 ? 0x1p-6 : 0x1p-12;
  }
  static std::string NameOf(const Case& c) {
    return (testing::Message() << c.heads << " heads on " << c.key_heads << " of " << c.dim << ", "
                               << c.count << " blocks of " << c.block << ", type " << c.type
                               << (c.causal ? ", causal" : ""))
        .GetString();
  }

  void CheckForward(const Case& c) {
    SCOPED_TRACE(NameOf(c));
    SelectedProblem p;
    Call call = Prepared(c, &p);
    RunForward(call);
    const SelectedResult expected = SelectedAttention(p);
    ExpectNear(*call.out, expected.out, UnitOf(c));
    const Numbers max = ReadAs(*call.max), sum = ReadAs(*call.sum);
    for (size_t at = 0; at < max.size(); ++at) {
      if (expected.sum[at / 8] == 0) {
        ASSERT_EQ(max[at], -std::numeric_limits<float>::max());
        ASSERT_EQ(sum[at], std::numeric_limits<float>::max());
        continue;
      }
      const double unit = c.type == ACL_BF16 ? 0x1p-7 : 0x1p-16;
      ASSERT_NEAR(max[at], expected.max[at / 8], 8 * unit) << at;
      ASSERT_NEAR(sum[at], expected.sum[at / 8], 16 * unit * expected.sum[at / 8]) << at;
    }
    EXPECT_TRUE(call.max->GuardsIntact() && call.sum->GuardsIntact());
  }

  // The gradient of what the forward call returned.
  void CheckBackward(const Case& c) {
    SCOPED_TRACE(NameOf(c));
    SelectedProblem p;
    Call call = Prepared(c, &p);
    RunForward(call);
    p.out = ReadAs(*call.out);
    const Numbers max = ReadAs(*call.max), sum = ReadAs(*call.sum);
    for (size_t at = 0; at < max.size(); at += 8) {
      p.max.push_back(max[at]);
      p.sum.push_back(sum[at]);
    }
    RunBackward(call);
    const SelectedGradients expected = SelectedAttentionGradient(p);
    // Products of bf16 go two at a time, with sums in fp32.
    ExpectNear(*call.dq, expected.query, 0x1p-18);
    ExpectNear(*call.dk, expected.key, 0x1p-18);
    ExpectNear(*call.dv, expected.value, 0x1p-18);
  }
};

TEST_F(NsaSelectedAttentionTest, AttendsToTheKeysOfChosenBlocks) {
  for (const Case& c : Cases()) CheckForward(c);
}

TEST_F(NsaSelectedAttentionTest, GradientsAreThoseOfTheKeysOfChosenBlocks) {
  for (const Case& c : Cases()) CheckBackward(c);
}

TEST_F(NsaSelectedAttentionTest, WithoutAMaskTheForwardCallSeesAllAndTheGradientGoesByTheMode) {
  SelectedProblem p;
  Call call = Prepared({.causal = true}, &p);
  call.mask = nullptr;
  RunForward(call);
  p.causal = false;
  ExpectNear(*call.out, SelectedAttention(p).out, 0x1p-12);
  p.causal = true;
  p.out = ReadAs(*call.out);
  p.max.assign(79 * 4, 1);
  p.sum.assign(79 * 4, 2);
  WriteAs(*call.max, Numbers(79 * 4 * 8, 1));
  WriteAs(*call.sum, Numbers(79 * 4 * 8, 2));
  RunBackward(call);
  ExpectNear(*call.dk, SelectedAttentionGradient(p).key, 0x1p-18);
}

TEST_F(NsaSelectedAttentionTest, ResultsAreTheSameBitsEverywhere) {
  SelectedProblem p;
  Call call = Prepared({.rows = {90, 60},
                        .keys = {512, 160},
                        .heads = 8,
                        .dim = 64,
                        .value_dim = 48,
                        .count = 6,
                        .causal = true},
                       &p);
  Fix(call.query, 1), Fix(call.key, 2), Fix(call.value, 3), Fix(call.dy, 4);
  FixIndices(call.indices, 5);
  RunForward(call);
  EXPECT_EQ(HashOf({call.out.get(), call.max.get(), call.sum.get()}), 5971982857483926482u);
  RunBackward(call);
  EXPECT_EQ(HashOf({call.dq.get(), call.dk.get(), call.dv.get()}), 3268124034649360396u);
}

TEST_F(NsaSelectedAttentionTest, GradientsBehindTheLastSequenceAreZeros) {
  SelectedProblem p;
  for (const bool strided : {false, true}) {
    Call call = Prepared({.strided = strided}, &p);
    call.row_ends = std::make_unique<IntArray>(Lengths{9, 60});
    call.key_ends = std::make_unique<IntArray>(Lengths{160, 320});
    RunForward(call);
    RunBackward(call);
    const std::pair<const Tensor*, size_t> tails[] = {
        {call.dq.get(), 60 * 4 * 40}, {call.dk.get(), 320 * 2 * 40}, {call.dv.get(), 320 * 2 * 24}};
    for (const auto& [tensor, first] : tails) {
      const Numbers numbers = ReadAs(*tensor);
      for (size_t at = first; at < numbers.size(); ++at) ASSERT_EQ(numbers[at], 0) << at;
      EXPECT_TRUE(tensor->GuardsIntact());
    }
  }
}

TEST_F(NsaSelectedAttentionTest, ARowOfNaNCountsAsOneThatSeesNoKey) {
  SelectedProblem p;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const int64_t value_dim : {24, 40}) {
      Call call = Prepared({.value_dim = value_dim, .type = type}, &p);
      Numbers query = p.query;
      query[3 * 4 * 40 + 7] = NAN;
      WriteAs(*call.query, query);
      RunForward(call);
      const Numbers out = ReadAs(*call.out), max = ReadAs(*call.max), sum = ReadAs(*call.sum);
      const auto row = static_cast<size_t>(3 * 4 * value_dim);
      for (size_t d = 0; d < static_cast<size_t>(value_dim); ++d) ASSERT_EQ(out[row + d], 0);
      EXPECT_EQ(max[3 * 4 * 8], -std::numeric_limits<float>::max());
      EXPECT_EQ(sum[3 * 4 * 8], std::numeric_limits<float>::max());
      for (const double x : out) ASSERT_FALSE(std::isnan(x));
      RunBackward(call);
      EXPECT_TRUE(std::isnan(ReadAs(*call.dq)[3 * 4 * 40]));
    }
  }
}

TEST_F(NsaSelectedAttentionTest, RefusesWhatDoesNotFit) {
  SelectedProblem p;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    for (const bool back : {false, true}) {
      Call call = Prepared(c, &p);
      change(call);
      ExpectRefused(
          [&](uint64_t* s, aclOpExecutor** e) {
            return back ? call.Backward(s, e) : call.Forward(s, e);
          },
          code, words);
    }
  };
  const Case causal = {.causal = true};
  const auto made = [](const Shape& shape, aclDataType type = ACL_FLOAT16) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  const auto ends = [](const Lengths& values) { return std::make_unique<IntArray>(values); };
  refused({}, [](Call& c) { c.query = nullptr; }, kNull, {"query is null"});
  refused({}, [](Call& c) { c.indices = nullptr; }, kNull, {"topkIndices is null"});
  refused({}, [](Call& c) { c.key_ends = nullptr; }, kNull, {"actualSeqKvLenOptional is null"});
  refused({}, [](Call& c) { c.max = nullptr; }, kNull, {"is null"});
  refused({}, [](Call& c) { c.layout = "BSND"; }, kInvalid, {"\"BSND\"", "TND"});
  refused({}, [](Call& c) { c.sparse_mode = 1; }, kInvalid, {"sparseMode = 1", "0 or 2"});
  refused({}, [](Call& c) { c.sparse_mode = 3; }, kInvalid, {"sparseMode is 3"});
  refused(causal, [](Call& c) { c.sparse_mode = 0; }, kInvalid,
          {"attenMaskOptional is given", "sparseMode = 0"});
  refused(causal, [&](Call& c) { c.mask = made({4}, ACL_BOOL); }, kInvalid, {"attenMaskOptional"});
  refused({.block = 24}, [](Call&) {}, kInvalid, {"selectedBlockSize = 24", "a multiple of 16"});
  refused({.block = 144}, [](Call&) {}, kInvalid, {"selectedBlockSize is 144"});
  refused({}, [](Call& c) { c.c.count = 2; }, kInvalid, {"topkIndices.shape[2] = 3"});
  refused({.count = 129}, [](Call&) {}, kInvalid, {"selectedBlockCount is 129"});
  refused({.heads = 5, .key_heads = 2}, [](Call&) {}, kInvalid, {"headNum = 5 of 2 heads"});
  refused({.heads = 66, .key_heads = 2}, [](Call&) {}, kInvalid, {"headNum = 66 of 2 heads"});
  refused({.value_dim = 41}, [](Call&) {}, kInvalid, {"D of query is 40 and of value 41"});
  refused({.dim = 784}, [](Call&) {}, kInvalid, {"D of query is 784", "at most 768"});
  refused({}, [&](Call& c) { c.row_ends = ends({9, 9, 80}); }, kInvalid, {"= 80", "9 to 79"});
  refused({}, [&](Call& c) { c.row_ends = ends({9, 79}); }, kInvalid, {"has 2 values", "has 3"});
  refused({}, [&](Call& c) { c.row_ends = ends({}); }, kInvalid, {"has 0 values"});
  refused({}, [&](Call& c) { c.value = made({331, 2, 24}); }, kInvalid, {"value.shape[0] = 331"});
  refused({}, [&](Call& c) { c.key = made({332, 2, 48}); }, kInvalid, {"key.shape[2] = 48"});
  refused({}, [&](Call& c) { c.key = made({332, 2, 40}, ACL_BF16); }, kInvalid, {"key.dtype"});
  refused({}, [&](Call& c) { c.query = made({79, 4, 0}); }, kInvalid, {"query.shape"});
}

TEST_F(NsaSelectedAttentionTest, DeviceDataIsLookedAt) {
  SelectedProblem p;
  for (const bool back : {false, true}) {
    for (const int32_t block : {5, -1, INT32_MAX, INT32_MIN}) {
      Call call = Prepared({}, &p);
      Numbers indices(p.indices.begin(), p.indices.end());
      indices[7] = block;
      WriteAs(*call.indices, indices);
      ExpectTaskFails(
          [&](uint64_t* s, aclOpExecutor** e) {
            return back ? call.Backward(s, e) : call.Forward(s, e);
          },
          back ? aclnnNsaSelectedAttentionGrad : aclnnNsaSelectedAttention,
          "topkIndices[1][0][1] = " + std::to_string(block) + ", expected 0 to 4");
    }
  }
}

}  // namespace
}  // namespace anyacl::test
