// SPDX-License-Identifier: Apache-2.0
// Single cases of FusedInferAttentionScore: lists, pages, padding, prefixes, quantisation.
#include <algorithm>
#include <cmath>

#include "ops/attention_problem.h"

namespace anyacl::test {
namespace {

class AttentionCacheTest : public AttentionTest {
 protected:
  static AttentionOptions Int8Keys(int64_t mode) {
    AttentionOptions o = OneToken();
    o.kv_type = ACL_INT8;
    o.antiquant = Antiquant::kSeparate;
    o.key_mode = o.value_mode = mode;
    o.antiquant_offset = true;
    if (mode < 4) return o;
    o.cache = Cache::kPagedRows;
    o.kv_lengths = {300, 177};
    return o;
  }
  static AttentionOptions Combined(AttentionOptions o) {
    o.kv_type = ACL_INT8;
    o.antiquant = Antiquant::kCombined;
    o.antiquant_offset = true;
    return o;
  }
  static AttentionOptions Int8Prompt() {
    AttentionOptions o = Prompt();
    o.query_type = o.kv_type = ACL_INT8;
    return o;
  }
};

TEST_F(AttentionCacheTest, AListIsOneCallPerMember) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.batch = 3;
    o.cache = Cache::kList;
    const AttentionProblem list = MakeProblem(o, random());
    const AttentionOutput all = Run(list);
    const int64_t rows = o.heads * o.query_size * o.dim;
    for (int64_t b = 0; b < o.batch; ++b) {
      AttentionOptions alone = o;
      alone.batch = 1;
      alone.kv_size = list.kv_sizes[static_cast<size_t>(b)];
      AttentionProblem one = MakeProblem(alone, random());
      const auto q = list.reference.q.begin() + b * rows;
      one.reference.q.assign(q, q + rows);
      const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
        for (int64_t g = 0; g < o.kv_heads; ++g) {
          std::copy_n(from.begin() + (b * o.kv_heads + g) * o.kv_size * o.dim,
                      alone.kv_size * o.dim, to.begin() + g * alone.kv_size * o.dim);
        }
      };
      copy(list.reference.k, one.reference.k);
      copy(list.reference.v, one.reference.v);
      const auto out = all.out.begin() + b * rows;
      EXPECT_EQ(Run(one).out, std::vector<double>(out, out + rows));
    }
  }
}

TEST_F(AttentionCacheTest, AListOfEmptyTensorsGivesZeros) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.cache = Cache::kList;
    o.kv_size = 0;
    for (double x : RunAndCheck(o).out) ASSERT_EQ(x, 0.0);
  }
}

// Sequences with the same tokens may have the same pages.
TEST_F(AttentionCacheTest, SequencesShareBlocks) {
  AttentionOptions o = OneToken();
  o.cache = Cache::kPagedRows;
  o.kv_size = 256;
  o.kv_lengths = {256, 256};
  AttentionProblem p = MakeProblem(o, random());
  for (auto* values : {&p.reference.k, &p.reference.v}) {
    std::copy_n(values->begin(), values->size() / 2,
                values->begin() + static_cast<int64_t>(values->size() / 2));
  }
  p.table = {1, 0, -1, 1, 0, -1};
  (*p.call.key)[0]->dims[0] = (*p.call.value)[0]->dims[0] = 2;
  ExpectMatches(p, Run(p));
}

TEST_F(AttentionCacheTest, SmallBlocks) {
  AttentionOptions o = OneToken();
  o.cache = Cache::kPagedRows;
  o.kv_lengths = {300, 177};
  o.block_size = 16;
  RunAndCheck(o);
}

TEST_F(AttentionCacheTest, PagesByHeadInBnsdBsnd) {
  AttentionOptions o = Prompt();
  o.layout = "BNSD_BSND";
  o.cache = Cache::kPagedHeads;
  o.kv_lengths = {150, 31};
  RunAndCheck(o);
}

// A part of a prompt over what is already there.
TEST_F(AttentionCacheTest, PartsOfPromptsInPages) {
  AttentionOptions o = Prompt();
  o.cache = Cache::kPagedRows;
  o.sparse_mode = 3;
  o.query_size = 128;
  o.query_lengths = {100, 128};
  o.kv_size = 1024;
  o.kv_lengths = {1000, 128};
  RunAndCheck(o);
}

TEST_F(AttentionCacheTest, Paddings) {
  const std::vector<std::pair<int64_t, int64_t>> paddings = {{0, 0}, {3, 7}, {-5, 20}, {4, -1}};
  for (const auto& [query, kv] : paddings) {
    AttentionOptions o = Prompt();
    o.query_lengths = {20, 30};
    o.kv_lengths = {100, 77};
    o.query_padding = query;
    o.kv_padding = kv;
    o.mask = true;
    const AttentionOutput output = RunAndCheck(o);
    // 20 rows end where the padding begins; those before are zeros.
    const int64_t before = 37 - std::max<int64_t>(0, query) - 20;
    for (int64_t i = 0; i < before * o.dim; ++i) {
      ASSERT_EQ(output.out[static_cast<size_t>(i)], 0.0);
    }
    o = OneToken();
    o.kv_lengths = {100, 77};
    o.kv_padding = kv;
    RunAndCheck(o);
  }
}

TEST_F(AttentionCacheTest, CausalBandsCountThePrefix) {
  AttentionOptions o = Prompt();
  o.sparse_mode = 3;
  o.kv_size = 20;
  o.prefix_size = 30;
  for (int64_t prefix : {30, 10}) {
    o.prefix = prefix;
    RunAndCheck(o);
  }
}

TEST_F(AttentionCacheTest, DequantisationUsesNineteenBits) {
  const AttentionProblem p = MakeProblem(Int8Prompt(), random());
  const auto run = [&](uint64_t bits) {
    AttentionObjects objects(p.call);
    WriteValues(p, objects);
    objects.tensors[kDeq1]->Write(std::vector<uint64_t>{bits});
    RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
    return ReadOutput(p, objects);
  };
  // 2^-11; the high half of a UINT64 has flags for others.
  const uint64_t power = 0x3A000000;
  const AttentionOutput expected = run(power);
  ExpectSame(run(power | 0x1FFF), expected);
  ExpectSame(run(power | uint64_t{0xDEAD4000} << 32), expected);
  EXPECT_NE(run(power | 0x2000).lse, expected.lse);
}

TEST_F(AttentionCacheTest, ShapesOfOutputScales) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.lse = false;
    o.out_type = ACL_INT8;
    o.out_per_channel = true;
    o.out_offset = true;
    AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    ExpectMatches(p, expected);
    const std::vector<std::vector<int64_t>> shapes = {{1, o.heads, 1, o.dim}, {o.heads * o.dim}};
    for (const auto& dims : shapes) {
      p.call.tensors[kQuant2]->dims = p.call.tensors[kOffset2]->dims = dims;
      ExpectSame(Run(p), expected);
    }
  }
}

TEST_F(AttentionCacheTest, Int8OutputSaturates) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.out_type = ACL_INT8;
    AttentionProblem p = MakeProblem(o, random());
    p.reference.out_scale = {1e5};
    const AttentionOutput output = Run(p);
    ExpectMatches(p, output);
    EXPECT_EQ(*std::max_element(output.out.begin(), output.out.end()), 127);
    EXPECT_EQ(*std::min_element(output.out.begin(), output.out.end()), -128);
  }
}

TEST_F(AttentionCacheTest, EmptyRowsOfAnInt8OutputAreZeros) {
  AttentionOptions o = Prompt();
  o.out_type = ACL_INT8;
  o.sparse_mode = 3;
  o.kv_size = 20;
  RunAndCheck(o);
}

TEST_F(AttentionCacheTest, OffsetsAreAddedBeforeScaling) {
  for (const AttentionOptions& o : {Combined(Prompt()), Combined(OneToken()), Int8Keys(0)}) {
    AttentionProblem p = MakeProblem(o, random());
    ReferenceAttention& r = p.reference;
    std::fill(r.v.begin(), r.v.end(), 10.0);
    std::fill(r.value_scale.values.begin(), r.value_scale.values.end(), 0.5);
    std::fill(r.value_offset.values.begin(), r.value_offset.values.end(), 3.0);
    for (double x : Run(p).out) ASSERT_NEAR(x, 6.5, 2e-3);
  }
}

TEST_F(AttentionCacheTest, AllModesOfScales) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int64_t mode = 0; mode < 6; ++mode) {
      AttentionOptions o = Int8Keys(mode);
      o.query_type = o.out_type = type;
      RunAndCheck(o);
      o.per_tensor = mode == 0;
      RunAndCheck(o);
    }
  }
  AttentionOptions mixed = Int8Keys(0);
  mixed.value_mode = 1;
  RunAndCheck(mixed);
}

TEST_F(AttentionCacheTest, SeparateScalesWinOverCombined) {
  AttentionProblem p = MakeProblem(Int8Keys(0), random());
  const AttentionOutput expected = Run(p);
  p.call.tensors[kScales] = Layout{.dims = {2, 2, 1, 32}, .dtype = ACL_FLOAT16};
  ExpectSame(Run(p), expected);
}

// The first elements of a word are in its lowest bits.
TEST_F(AttentionCacheTest, OrderOfPackedElements) {
  AttentionOptions o = OneToken();
  o.dim = 64;
  o.kv_type = ACL_INT32;
  o.antiquant = Antiquant::kSeparate;
  AttentionProblem p = MakeProblem(o, random());
  std::fill(p.reference.value_scale.values.begin(), p.reference.value_scale.values.end(), 1.0);
  for (uint32_t word : {0x76543210u, 0x88888888u}) {
    AttentionObjects objects(p.call);
    WriteValues(p, objects);
    const auto words = static_cast<size_t>(o.batch * o.kv_heads * o.kv_size * o.dim / 8);
    objects.value[0]->Write(std::vector<uint32_t>(words, word));
    RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
    const AttentionOutput output = ReadOutput(p, objects);
    for (size_t i = 0; i < output.out.size(); ++i) {
      ASSERT_NEAR(output.out[i], word == 0x88888888 ? -8.0 : static_cast<double>(i % 8), 1e-2);
    }
  }
}

TEST_F(AttentionCacheTest, PackedAndSingleInt4HoldTheSameBits) {
  AttentionOptions o = OneToken();
  o.dim = 128;
  o.kv_type = ACL_INT4;
  o.antiquant = Antiquant::kSeparate;
  const AttentionProblem single = MakeProblem(o, random());
  const AttentionOutput expected = Run(single);
  ExpectMatches(single, expected);
  o.kv_type = ACL_INT32;
  ExpectSame(Run(Moved(single, o)), expected);
}

TEST_F(AttentionCacheTest, PromptsWithScales) {
  AttentionOptions separate = Int8Keys(0);
  separate.query_type = separate.out_type = ACL_BF16;
  separate.query_size = 16;
  RunAndCheck(separate);
  AttentionOptions combined = Combined(OneToken());
  combined.query_size = 2;
  RunAndCheck(combined);
}

TEST_F(AttentionCacheTest, TheCombinedModeMeansNothingWithoutScales) {
  AttentionOptions o = Prompt();
  o.query_size = 2;
  AttentionProblem p = MakeProblem(o, random());
  const AttentionOutput expected = Run(p);
  p.call.antiquant_mode = 1;
  ExpectSame(Run(p), expected);
}

}  // namespace
}  // namespace anyacl::test
