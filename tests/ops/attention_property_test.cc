// SPDX-License-Identifier: Apache-2.0
// Properties of FusedInferAttentionScore, and what its document says of single cases.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/attention_options.h"
#include "ops/attention_problem.h"
#include "support/emulated.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

class AttentionPropertyTest : public AttentionTest {};

TEST_F(AttentionPropertyTest, LayoutsHoldTheSameBits) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.layout = "BNSD";
    const AttentionProblem first = MakeProblem(o, random());
    const AttentionOutput expected = Run(first);
    for (const char* layout : {"BSND", "BSH", "BNSD_BSND"}) {
      if (o.query_size == 1 && std::string(layout) == "BNSD_BSND") continue;
      o.layout = layout;
      ExpectSame(Run(Moved(first, o)), expected);
    }
    o.layout = "BSND";
    o.strided = true;
    ExpectSame(Run(Moved(first, o)), expected);
  }
}

TEST_F(AttentionPropertyTest, PagesHoldTheSameBits) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int64_t rows : {1, 20}) {
      AttentionOptions o = OneToken();
      o.query_size = rows;
      o.query_type = o.kv_type = o.out_type = type;
      o.kv_lengths = {300, 177};
      const AttentionProblem first = MakeProblem(o, random());
      const AttentionOutput expected = Run(first);
      for (Cache cache : {Cache::kPagedRows, Cache::kPagedHeads}) {
        o.cache = cache;
        ExpectSame(Run(Moved(first, o)), expected);
      }
    }
  }
}

TEST_F(AttentionPropertyTest, CausalModesAreMasks) {
  for (int64_t mode : {2, 3, 4}) {
    AttentionOptions o = Prompt();
    o.sparse_mode = mode;
    o.pre_tokens = 30;
    o.next_tokens = 2;
    const AttentionProblem causal = MakeProblem(o, random());
    const AttentionOutput expected = Run(causal);
    o.sparse_mode = 1;
    o.inner_precise = 2;
    o.mask = true;
    AttentionProblem masked = Moved(causal, o);
    const int64_t delta = o.kv_size - o.query_size;
    for (int64_t i = 0; i < o.query_size; ++i) {
      for (int64_t j = 0; j < o.kv_size; ++j) {
        const bool shown = mode == 2   ? j <= i
                           : mode == 3 ? j <= i + delta
                                       : j >= i - 30 + delta && j <= i + 2 + delta;
        masked.reference.mask[static_cast<size_t>(i * o.kv_size + j)] = shown ? 0 : 1;
      }
    }
    ExpectSame(Run(masked), expected);
  }
}

// The same call with `length` tokens of the prefix in front of each sequence's own.
AttentionProblem Concatenated(const AttentionProblem& parts, int64_t length, Random& random) {
  const ReferenceAttention& from = parts.reference;
  AttentionOptions o = parts.options;
  const int64_t own_size = o.kv_size, prefix_size = o.prefix_size;
  o.kv_size += length;
  o.prefix_size = 0;
  o.prefix.reset();
  AttentionProblem whole = MakeProblem(o, random);
  whole.reference.q = from.q;
  const auto copy = [&](const std::vector<double>& prefix, const std::vector<double>& own,
                        std::vector<double>& to) {
    for (int64_t h = 0; h < o.batch * o.kv_heads; ++h) {
      const auto at = to.begin() + h * o.kv_size * o.dim;
      std::copy_n(prefix.begin() + h % o.kv_heads * prefix_size * o.dim, length * o.dim, at);
      std::copy_n(own.begin() + h * own_size * o.dim, own_size * o.dim, at + length * o.dim);
    }
  };
  copy(from.kp, from.k, whole.reference.k);
  copy(from.vp, from.v, whole.reference.v);
  return whole;
}

TEST_F(AttentionPropertyTest, APrefixIsConcatenation) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    for (const std::optional<int64_t>& length :
         {std::optional<int64_t>(61), std::optional<int64_t>(0), std::optional<int64_t>()}) {
      o.kv_size = 90;
      o.prefix_size = 70;
      o.prefix = length;
      const AttentionProblem parts = MakeProblem(o, random());
      ExpectSame(Run(parts), Run(Concatenated(parts, length.value_or(70), random())));
    }
  }
}

TEST_F(AttentionPropertyTest, OnesInOnesOut) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int64_t rows : {1, 40}) {
      AttentionOptions o = Prompt();
      o.query_size = rows;
      o.kv_size = 2500;
      o.query_type = o.kv_type = o.out_type = type;
      AttentionProblem p = MakeProblem(o, random());
      std::fill(p.reference.v.begin(), p.reference.v.end(), 1.0);
      // Rounded probabilities of bf16 do not quite add up to their sum.
      const double tolerance = type == ACL_BF16 && rows > 1 ? 0x1p-7 : 0.0;
      for (double x : Run(p).out) ASSERT_NEAR(x, 1.0, tolerance);
    }
  }
}

TEST_F(AttentionPropertyTest, RepeatedHeadsAreGroups) {
  AttentionOptions o = Prompt();
  o.heads = 32;
  o.kv_heads = 4;
  const AttentionProblem grouped = MakeProblem(o, random());
  const AttentionOutput expected = Run(grouped);
  o.kv_heads = 32;
  AttentionProblem repeated = MakeProblem(o, random());
  repeated.reference.q = grouped.reference.q;
  const int64_t size = o.kv_size * o.dim;
  for (int64_t b = 0; b < o.batch; ++b) {
    for (int64_t n = 0; n < 32; ++n) {
      const int64_t from = (b * 4 + n / 8) * size, to = (b * 32 + n) * size;
      std::copy_n(grouped.reference.k.begin() + from, size, repeated.reference.k.begin() + to);
      std::copy_n(grouped.reference.v.begin() + from, size, repeated.reference.v.begin() + to);
    }
  }
  const AttentionOutput actual = Run(repeated);
  for (size_t i = 0; i < expected.out.size(); ++i) {
    ASSERT_NEAR(actual.out[i], expected.out[i], 1e-3);
  }
}

// 3 splits and 1: what one call gives, two calls over parts of the keys give, merged by their LSE.
TEST_F(AttentionPropertyTest, PartsMergeByTheirLse) {
  AttentionOptions o = OneToken();
  o.kv_size = 2600;
  const AttentionProblem whole = MakeProblem(o, random());
  const AttentionOutput expected = Run(whole);
  ExpectMatches(whole, expected);
  AttentionProblem head = whole, tail = whole;
  head.call.kv_lengths = {1100};
  const AttentionOutput first = Run(head);
  const int64_t rest = o.kv_size - 1100;
  AttentionOptions rest_options = o;
  rest_options.kv_size = rest;
  tail = MakeProblem(rest_options, random());
  tail.reference.q = whole.reference.q;
  for (int64_t h = 0; h < o.batch * o.kv_heads; ++h) {
    const int64_t from = (h * o.kv_size + 1100) * o.dim, to = h * rest * o.dim;
    std::copy_n(whole.reference.k.begin() + from, rest * o.dim, tail.reference.k.begin() + to);
    std::copy_n(whole.reference.v.begin() + from, rest * o.dim, tail.reference.v.begin() + to);
  }
  const AttentionOutput second = Run(tail);
  for (size_t row = 0; row < expected.lse.size(); ++row) {
    const double a = std::exp(first.lse[row] - expected.lse[row]);
    const double b = std::exp(second.lse[row] - expected.lse[row]);
    ASSERT_NEAR(a + b, 1.0, 1e-5);
    for (int64_t d = 0; d < o.dim; ++d) {
      const size_t at = row * static_cast<size_t>(o.dim) + static_cast<size_t>(d);
      ASSERT_NEAR(a * first.out[at] + b * second.out[at], expected.out[at], 1e-3);
    }
  }
}

TEST_F(AttentionPropertyTest, LongContext) {
  AttentionOptions o = OneToken();
  o.batch = 1;
  o.kv_size = IsEmulated() ? 8192 : 32768;
  o.dim = 64;
  RunAndCheck(o);
  o.query_type = o.kv_type = o.out_type = ACL_BF16;
  o.cache = Cache::kPagedRows;
  o.kv_lengths = {o.kv_size};
  RunAndCheck(o);
  o.cache = Cache::kContiguous;
  o.query_size = 9;
  o.sparse_mode = 3;
  o.heads = o.kv_heads = 1;
  o.dim = 32;
  RunAndCheck(o);
  o.query_type = o.kv_type = o.out_type = ACL_FLOAT16;
  RunAndCheck(o);
}

TEST_F(AttentionPropertyTest, WideHeads) {
  for (int64_t dim : {144, 256, 512}) {
    for (int64_t rows : {1, 3, 130}) {
      AttentionOptions o = Prompt();
      o.query_size = rows;
      o.dim = dim;
      o.heads = 6;
      o.kv_heads = 1;
      o.sparse_mode = rows == 1 ? 0 : 3;
      RunAndCheck(o);
      o.query_type = o.kv_type = o.out_type = ACL_BF16;
      RunAndCheck(o);
    }
  }
}

TEST_F(AttentionPropertyTest, ScoresBeyondFp16StayFinite) {
  AttentionOptions o = Prompt();
  o.inner_precise = 1;
  o.dim = 128;
  o.scale = 1;
  AttentionProblem p = MakeProblem(o, random());
  for (double& x : p.reference.q) x *= 64;
  for (double& x : p.reference.k) x *= 64;
  const AttentionOutput output = Run(p);
  for (double x : output.out) ASSERT_TRUE(std::isfinite(x));
}

TEST_F(AttentionPropertyTest, ABiasMovesTheLseAlone) {
  AttentionOptions o = Prompt();
  o.pse = true;
  AttentionProblem p = MakeProblem(o, random());
  std::fill(p.reference.pse.begin(), p.reference.pse.end(), 0.0);
  const AttentionOutput before = Run(p);
  std::fill(p.reference.pse.begin(), p.reference.pse.end(), 3.0);
  const AttentionOutput after = Run(p);
  for (size_t i = 0; i < before.out.size(); ++i) ASSERT_NEAR(before.out[i], after.out[i], 1e-3);
  for (size_t i = 0; i < before.lse.size(); ++i) {
    ASSERT_NEAR(before.lse[i] + 3, after.lse[i], 1e-5);
  }
}

// Rows wholly hidden: the mean of the values, or zeros where rows are corrected.
TEST_F(AttentionPropertyTest, HiddenRows) {
  for (int64_t rows : {1, 4, 40}) {
    AttentionOptions o = Prompt();
    o.query_size = rows;
    o.mask = true;
    o.mask_density = 1;
    o.query_type = o.kv_type = o.out_type = ACL_FLOAT16;
    RunAndCheck(o);
    if (rows == 1) continue;
    for (int64_t inner : {1, 2, 3}) {
      o.inner_precise = inner;
      RunAndCheck(o);
    }
  }
}

TEST_F(AttentionPropertyTest, EmptyTensors) {
  for (int64_t rows : {1, 5}) {
    for (aclDataType out : {ACL_FLOAT16, ACL_INT8}) {
      AttentionOptions o = Prompt();
      o.query_size = rows;
      o.kv_size = 0;
      o.out_type = out;
      o.out_offset = out == ACL_INT8;
      const AttentionOutput output = RunAndCheck(o);
      for (double x : output.out) ASSERT_EQ(x, 0.0);
      for (float x : output.lse) ASSERT_EQ(x, INFINITY);
    }
  }
  AttentionOptions int8 = Prompt();
  int8.kv_size = 0;
  int8.query_type = int8.kv_type = ACL_INT8;
  RunAndCheck(int8);
}

TEST_F(AttentionPropertyTest, SequencesWithoutTokens) {
  AttentionOptions o = OneToken();
  o.batch = 3;
  o.kv_lengths = {0, 300, 0};
  RunAndCheck(o);
  o.out_type = ACL_INT8;
  o.out_offset = true;
  RunAndCheck(o);
  o = Prompt();
  o.kv_lengths = {0, 100};
  o.query_lengths = {20, 0};
  RunAndCheck(o);
}

// All ones: probabilities that were normalised before they are quantised would vanish.
TEST_F(AttentionPropertyTest, ProbabilitiesAreQuantisedUnnormalised) {
  AttentionOptions o;
  o.layout = "BSH";
  o.query_type = o.kv_type = o.out_type = ACL_INT8;
  o.batch = 1;
  o.query_size = 4;
  o.kv_size = 2048;
  o.heads = o.kv_heads = 2;
  o.dim = 128;
  o.scale = 128;
  AttentionProblem p = MakeProblem(o, random());
  ReferenceAttention& r = p.reference;
  for (auto* values : {&r.q, &r.k, &r.v}) std::fill(values->begin(), values->end(), 1.0);
  r.deq1 = r.quant1 = r.deq2 = 1;
  r.out_scale = {1.0};
  for (double x : Run(p).out) ASSERT_EQ(x, 1.0);
}

TEST_F(AttentionPropertyTest, BlockIdsOutsideTheCacheFailTheStream) {
  for (int32_t id : {-1, 1000, INT32_MAX, INT32_MIN}) {
    AttentionOptions o = OneToken();
    o.cache = Cache::kPagedRows;
    o.kv_lengths = {300, 200};
    AttentionProblem p = MakeProblem(o, random());
    AttentionObjects objects(p.call);
    WriteValues(p, objects);
    p.table[1] = id;
    objects.tensors[kTable]->Write(p.table);
    const Prepared prepared = Prepare(objects.PhaseOne());
    ASSERT_OK(prepared.code);
    std::vector<char> workspace(prepared.workspace_size);
    aclrtStream own = nullptr;
    ASSERT_OK(aclrtCreateStream(&own));
    ASSERT_OK(aclnnFusedInferAttentionScoreV2(workspace.data(), workspace.size(), prepared.executor,
                                              own));
    ExpectFailure(aclrtSynchronizeStream(own), 507015,
                  {"blockTableOptional", "0", "1", std::to_string(std::abs(int64_t{id}))});
    EXPECT_OK(aclrtDestroyStream(own));
  }
}

TEST_F(AttentionPropertyTest, WithoutTheFlagTheLseIsLeftAlone) {
  AttentionOptions o = Prompt();
  AttentionProblem p = MakeProblem(o, random());
  p.call.lse_flag = false;
  p.options.lse = false;
  AttentionObjects objects(p.call);
  WriteValues(p, objects);
  const std::vector<uint8_t> before = objects.tensors[kLse]->Bytes();
  RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
  EXPECT_EQ(objects.tensors[kLse]->Bytes(), before);
}

TEST_F(AttentionPropertyTest, PackedTensorsCanBeUsedTwice) {
  AttentionOptions o;
  o.kv_type = ACL_INT32;
  o.dim = 64;
  o.antiquant = Antiquant::kSeparate;
  const AttentionProblem p = MakeProblem(o, random());
  AttentionObjects objects(p.call);
  WriteValues(p, objects);
  for (int i = 0; i < 2; ++i) {
    RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
    ExpectMatches(p, ReadOutput(p, objects));
  }
}

TEST_F(AttentionPropertyTest, TheFirstVersionIsASubCase) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    const AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    AttentionProblem first = p;
    first.call.version = 1;
    ExpectSame(Run(first), expected);
  }
}

TEST_F(AttentionPropertyTest, PaddingWithoutLengthsIsIgnored) {
  AttentionOptions o = Prompt();
  o.query_padding = 5;
  o.kv_padding = 9;
  RunAndCheck(o);
  o = OneToken();
  o.kv_padding = 9;
  RunAndCheck(o);
}

// Tokens that do not fit behind the padding: zeros, of an INT8 output as well.
TEST_F(AttentionPropertyTest, PaddingWithoutRoomLeavesZeros) {
  for (aclDataType out : {ACL_FLOAT16, ACL_INT8}) {
    AttentionOptions o = OneToken();
    o.out_type = out;
    o.out_offset = out == ACL_INT8;
    o.kv_padding = 200;
    o.kv_lengths = {150, 100};
    RunAndCheck(o);
    o.kv_padding = int64_t{1} << 62;
    RunAndCheck(o);
  }
}

TEST_F(AttentionPropertyTest, RunsRepeatBitForBit) {
  AttentionOptions o = OneToken();
  o.kv_size = 5000;
  const AttentionProblem p = MakeProblem(o, random());
  const AttentionOutput first = Run(p);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Run(p).bytes, first.bytes);
}

}  // namespace
}  // namespace anyacl::test
