// SPDX-License-Identifier: Apache-2.0
// Single cases of FusedInferAttentionScore: heads, lengths, masks, bands, pseShift, calls.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "ops/attention_problem.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

class AttentionCasesTest : public AttentionTest {
 protected:
  // Rows of a problem of one head: whether each is zeros with an infinite LSE.
  static std::vector<bool> EmptyRows(const AttentionOutput& output, int64_t dim) {
    std::vector<bool> empty;
    for (size_t row = 0; row < output.lse.size(); ++row) {
      const auto from = output.out.begin() + static_cast<int64_t>(row) * dim;
      const bool zeros = std::all_of(from, from + dim, [](double x) { return x == 0; });
      empty.push_back(zeros && output.lse[row] == INFINITY);
    }
    return empty;
  }
  static AttentionOptions OneHead() {
    AttentionOptions o;
    o.batch = o.heads = o.kv_heads = 1;
    o.query_size = 8;
    o.kv_size = 16;
    o.lse = true;
    return o;
  }
};

TEST_F(AttentionCasesTest, OneRowAndTwoEqualRowsAgree) {
  AttentionOptions o = OneToken();
  const AttentionProblem one = MakeProblem(o, random());
  o.query_size = 2;
  AttentionProblem two = Moved(one, o);
  const int64_t heads = o.batch * o.heads;
  two.reference.q.clear();
  for (int64_t row = 0; row < 2 * heads; ++row) {
    const auto from = one.reference.q.begin() + row / 2 * o.dim;
    two.reference.q.insert(two.reference.q.end(), from, from + o.dim);
  }
  const AttentionOutput a = Run(one), b = Run(two);
  for (size_t i = 0; i < b.lse.size(); ++i) ASSERT_NEAR(b.lse[i], a.lse[i / 2], 1e-5);
  const auto dim = static_cast<size_t>(o.dim);
  for (size_t i = 0; i < b.out.size(); ++i) {
    ASSERT_NEAR(b.out[i], a.out[i / dim / 2 * dim + i % dim], 1e-3);
  }
}

TEST_F(AttentionCasesTest, AScaleOfZeroGivesTheMean) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.scale = 0;
    for (float lse : RunAndCheck(o).lse) {
      ASSERT_NEAR(lse, std::log(static_cast<double>(o.kv_size)), 1e-5);
    }
  }
}

TEST_F(AttentionCasesTest, ScalesMayBeNegative) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    for (double scale : {-1.0, 1.0}) {
      o.scale = scale;
      RunAndCheck(o);
    }
  }
}

TEST_F(AttentionCasesTest, NoHeadsOfKeysMeansAsManyAsOfQueries) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.kv_heads = o.heads;
    AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    p.call.num_kv_heads = 0;
    ExpectSame(Run(p), expected);
  }
}

TEST_F(AttentionCasesTest, SixtyFourHeadsShareOne) {
  for (int64_t rows : {1, 3}) {
    AttentionOptions o = OneToken();
    o.query_size = rows;
    o.heads = 64;
    o.kv_heads = 1;
    RunAndCheck(o);
  }
}

// The numbers that the document's example works on, which are halves of floats.
TEST_F(AttentionCasesTest, TheDocumentsExample) {
  AttentionOptions o;
  o.batch = 1;
  o.heads = o.kv_heads = o.dim = o.kv_size = 2;
  o.scale = 1 / std::sqrt(2.0);
  o.inner_precise = 1;
  o.pre_tokens = o.next_tokens = 65535;
  AttentionProblem p = MakeProblem(o, random());
  const auto halves = [](std::initializer_list<int> bits) {
    std::vector<double> values;
    for (int half : bits) values.push_back(DecodeFp16(static_cast<uint16_t>(half)));
    return values;
  };
  p.reference.q = halves({0xCCCD, 0x3DCC, 0xCCCD, 0x3E4C});
  p.reference.k = p.reference.v =
      halves({0xCCCD, 0x3DCC, 0xCCCD, 0x3E4C, 0x999A, 0x3E99, 0xCCCD, 0x3ECC});
  EXPECT_EQ(Run(p).out, halves({0xCCCD, 0x3E10, 0xCCCD, 0x3ECC}));
}

TEST_F(AttentionCasesTest, SmallestHeadsOfPrompts) {
  AttentionOptions o = Prompt();
  o.dim = 16;
  RunAndCheck(o);
  o.dim = 32;
  o.out_type = ACL_INT8;
  RunAndCheck(o);
}

// What lies behind the lengths is NaN, and the output is not zero before.
TEST_F(AttentionCasesTest, NothingBehindTheLengthsMatters) {
  AttentionOptions o = Prompt();
  o.query_lengths = {20, 37};
  o.kv_lengths = {150, 31};
  const AttentionOutput output = RunAndCheck(o);
  for (double x : output.out) ASSERT_TRUE(std::isfinite(x));
  const std::vector<bool> empty = EmptyRows(output, o.dim);
  for (int64_t i = 0; i < o.query_size; ++i) EXPECT_EQ(empty[static_cast<size_t>(i)], i >= 20);
  o = OneToken();
  o.kv_lengths = {7, 299};
  for (double x : RunAndCheck(o).out) ASSERT_TRUE(std::isfinite(x));
}

TEST_F(AttentionCasesTest, LengthsOfAnyCount) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.batch = 4;
    o.query_lengths = o.kv_lengths = {30, 30, 30, 30};
    AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    for (const std::vector<int64_t>& lengths :
         {std::vector<int64_t>{30}, {30, 30, 30, 30, INT64_MAX, -7, 1 << 30}}) {
      p.call.query_lengths = p.call.kv_lengths = lengths;
      ExpectSame(Run(p), expected);
    }
  }
}

TEST_F(AttentionCasesTest, NoLengthsAtAllAreAllTokens) {
  for (const AttentionOptions& o : {Prompt(), OneToken()}) {
    AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    p.call.query_lengths = p.call.kv_lengths = std::vector<int64_t>();
    ExpectSame(Run(p), expected);
  }
}

// One token: its lengths, mode and query padding say nothing.
TEST_F(AttentionCasesTest, OneTokenIgnoresWhatPromptsHave) {
  AttentionOptions o = OneToken();
  o.mask = true;
  AttentionProblem p = MakeProblem(o, random());
  const AttentionOutput expected = Run(p);
  ExpectMatches(p, expected);
  p.call.query_lengths = {99999};
  p.call.tensors[kQueryPad] = Layout{.dims = {1}, .dtype = ACL_INT64};
  p.call.pre_tokens = p.call.next_tokens = -1;
  for (int64_t mode : {0, 3, 4, 5, 99}) {
    p.call.sparse_mode = mode;
    ExpectSame(Run(p), expected);
  }
}

TEST_F(AttentionCasesTest, CausalBandsEndAtTheActualCorner) {
  AttentionOptions o = Prompt();
  o.sparse_mode = 3;
  o.query_lengths = {20, 37};
  o.kv_lengths = {150, 60};
  RunAndCheck(o);
}

TEST_F(AttentionCasesTest, RowsAboveACausalBandAreEmpty) {
  AttentionOptions o = OneHead();
  o.sparse_mode = 3;
  o.query_size = 37;
  const std::vector<bool> empty = EmptyRows(RunAndCheck(o), o.dim);
  for (size_t i = 0; i < empty.size(); ++i) EXPECT_EQ(empty[i], i < 37 - 16) << i;
}

TEST_F(AttentionCasesTest, BandsAroundTheCorner) {
  const std::vector<std::pair<int64_t, int64_t>> bands = {{3, 2}, {-1, 4}, {4, -1}};
  for (const auto& [pre, next] : bands) {
    AttentionOptions o = OneHead();
    o.sparse_mode = 4;
    o.pre_tokens = pre;
    o.next_tokens = next;
    RunAndCheck(o);
  }
}

TEST_F(AttentionCasesTest, AnyNumberButZeroHides) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.mask = true;
    o.mask_type = ACL_INT8;
    AttentionProblem p = MakeProblem(o, random());
    const std::vector<uint8_t> mask = p.reference.mask;
    std::vector<AttentionOutput> outputs;
    for (uint8_t number : {1, 2, 255}) {
      for (size_t i = 0; i < mask.size(); ++i) p.reference.mask[i] = mask[i] != 0 ? number : 0;
      outputs.push_back(Run(p));
      ExpectSame(outputs.back(), outputs.front());
    }
    ExpectMatches(p, outputs.front());
  }
}

// The same mask in every accepted shape; what lies beyond the needed rows and columns is set.
TEST_F(AttentionCasesTest, ShapesOfMasks) {
  AttentionOptions o = Prompt();
  o.mask = true;
  const AttentionProblem first = MakeProblem(o, random());
  const AttentionOutput expected = Run(first);
  ExpectMatches(first, expected);
  for (int64_t shape = 0; shape < 12; ++shape) {
    o.mask_rank = 2 + shape % 3;
    o.mask_per_batch = shape / 3 % 2 == 1;
    o.mask_slack = shape >= 6 ? 32 : 0;
    AttentionProblem p = Moved(first, o);
    ReferenceAttention& r = p.reference;
    for (size_t i = 0; i < r.mask.size(); ++i) {
      const auto column = static_cast<int64_t>(i) % r.mask_columns;
      const auto row = static_cast<int64_t>(i) / r.mask_columns % r.mask_rows;
      const bool needed = row < o.query_size && column < o.kv_size;
      const auto at = static_cast<size_t>(row * o.kv_size + column);
      r.mask[i] = needed ? first.reference.mask[at] : 1;
    }
    ExpectSame(Run(p), expected);
  }
}

TEST_F(AttentionCasesTest, TheMaskOfTheBandsIsNotRead) {
  AttentionOptions o = Prompt();
  o.sparse_mode = 3;
  AttentionProblem p = MakeProblem(o, random());
  const AttentionOutput expected = Run(p);
  const std::vector<std::vector<int64_t>> shapes = {{1, 2048, 2048}, {1, 1, 2048, 2048}};
  for (const auto& dims : shapes) {
    p.call.tensors[kMask]->dims = dims;
    AttentionObjects objects(p.call);
    WriteValues(p, objects);
    objects.tensors[kMask]->Write(std::vector<uint8_t>(2048 * 2048, dims.size() == 4 ? 1 : 0));
    RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
    ExpectSame(ReadOutput(p, objects), expected);
  }
}

// Tokens count with a mask alone; a mask of no elements is none.
TEST_F(AttentionCasesTest, TokensWithoutAMaskDoNothing) {
  AttentionProblem p = MakeProblem(Prompt(), random());
  const AttentionOutput expected = Run(p);
  p.call.pre_tokens = p.call.next_tokens = 0;
  ExpectSame(Run(p), expected);
  p.call.tensors[kMask] = Layout{.dims = {0}, .dtype = ACL_BOOL};
  ExpectSame(Run(p), expected);
}

TEST_F(AttentionCasesTest, TokensWithAMaskAreABand) {
  AttentionOptions o = OneHead();
  o.mask = true;
  o.mask_density = 0;
  o.pre_tokens = 2;
  o.next_tokens = 1;
  RunAndCheck(o);
  o.pre_tokens = 100;
  o.next_tokens = -2;
  const std::vector<bool> empty = EmptyRows(RunAndCheck(o), o.dim);
  for (size_t i = 0; i < empty.size(); ++i) EXPECT_EQ(empty[i], i < 2) << i;
}

TEST_F(AttentionCasesTest, HugeTokens) {
  for (int64_t mode : {0, 4}) {
    for (int64_t tokens : {int64_t{1} << 62, INT64_MAX}) {
      AttentionOptions o = Prompt();
      o.mask = true;
      o.sparse_mode = mode;
      o.pre_tokens = o.next_tokens = tokens;
      RunAndCheck(o);
    }
  }
}

TEST_F(AttentionCasesTest, OnePseShiftServesAllSequences) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.pse = true;
    const AttentionProblem shared = MakeProblem(o, random());
    o.pse_per_batch = true;
    AttentionProblem own = Moved(shared, o);
    const std::vector<double>& one = shared.reference.pse;
    own.reference.pse = one;
    own.reference.pse.insert(own.reference.pse.end(), one.begin(), one.end());
    ExpectSame(Run(own), Run(shared));
    std::reverse(own.reference.pse.begin(), own.reference.pse.begin() + o.kv_size);
    ExpectMatches(own, Run(own));
  }
}

TEST_F(AttentionCasesTest, PseShiftIsAddedToScaledScores) {
  AttentionOptions o = OneHead();
  o.scale = 0.5;
  o.pse = true;
  AttentionProblem p = MakeProblem(o, random());
  std::fill(p.reference.q.begin(), p.reference.q.end(), 0.0);
  for (size_t i = 0; i < p.reference.pse.size(); ++i) p.reference.pse[i] = i % 16 == 0 ? 4 : 0;
  for (float lse : Run(p).lse) ASSERT_NEAR(lse, std::log(std::exp(4.0) + 15), 1e-5);
}

TEST_F(AttentionCasesTest, PseShiftMayBeLarger) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    o.pse = true;
    o.mask_slack = 16;
    AttentionProblem p = MakeProblem(o, random());
    ReferenceAttention& r = p.reference;
    for (size_t i = 0; i < r.pse.size(); ++i) {
      const auto column = static_cast<int64_t>(i) % r.pse_columns;
      const auto row = static_cast<int64_t>(i) / r.pse_columns % r.pse_rows;
      if (column >= o.kv_size || row >= o.query_size) r.pse[i] = std::nan("");
    }
    ExpectMatches(p, Run(p));
  }
}

TEST_F(AttentionCasesTest, QueriesWithoutElements) {
  AttentionProblem p = MakeProblem(Prompt(), random());
  p.call.lse_flag = false;
  p.call.tensors[kLse].reset();
  p.call.tensors[kQuery]->dims[2] = p.call.tensors[kOut]->dims[2] = 0;
  const AttentionObjects objects(p.call);
  const Prepared prepared = Prepare(objects.PhaseOne());
  ASSERT_OK(prepared.code);
  EXPECT_EQ(prepared.workspace_size, 0u);
  EXPECT_OK(objects.PhaseTwo()(nullptr, 0, prepared.executor, stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_TRUE(objects.GuardsIntact());
}

TEST_F(AttentionCasesTest, TwoStreamsAtOnce) {
  AttentionOptions o = OneToken();
  o.kv_size = 3000;
  const AttentionProblem p = MakeProblem(o, random());
  const AttentionOutput expected = Run(p);
  std::array<std::unique_ptr<AttentionObjects>, 2> objects;
  std::array<aclrtStream, 2> streams = {};
  for (size_t i = 0; i < 2; ++i) {
    objects[i] = std::make_unique<AttentionObjects>(p.call);
    WriteValues(p, *objects[i]);
    ASSERT_OK(aclrtCreateStream(&streams[i]));
  }
  for (int round = 0; round < 100; ++round) {
    std::array<std::vector<char>, 2> workspaces;
    for (size_t i = 0; i < 2; ++i) {
      const Prepared prepared = Prepare(objects[i]->PhaseOne());
      ASSERT_OK(prepared.code);
      workspaces[i].resize(prepared.workspace_size);
      ASSERT_OK(objects[i]->PhaseTwo()(workspaces[i].data(), workspaces[i].size(),
                                       prepared.executor, streams[i]));
    }
    for (size_t i = 0; i < 2; ++i) {
      ASSERT_OK(aclrtSynchronizeStream(streams[i]));
      ASSERT_EQ(ReadOutput(p, *objects[i]).bytes, expected.bytes) << "round " << round;
    }
  }
  for (aclrtStream stream : streams) EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AttentionCasesTest, TheFirstPhaseAloneHoldsNothing) {
  const AttentionProblem p = MakeProblem(Prompt(), random());
  for (int i = 0; i < 100; ++i) {
    const AttentionObjects objects(p.call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    ASSERT_OK(prepared.code);
    if (i % 2 == 0) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    }
  }
}

TEST_F(AttentionCasesTest, TensorsMayGoAfterTheFirstPhase) {
  AttentionOptions o = OneToken();
  o.cache = Cache::kList;
  const AttentionProblem p = MakeProblem(o, random());
  AttentionObjects objects(p.call);
  WriteValues(p, objects);
  const Prepared prepared = Prepare(objects.PhaseOne());
  ASSERT_OK(prepared.code);
  for (auto* tensors : {&objects.key, &objects.value}) {
    for (auto& tensor : *tensors) tensor->Destroy();
  }
  for (auto& tensor : objects.tensors) {
    if (tensor) tensor->Destroy();
  }
  std::vector<char> workspace(prepared.workspace_size);
  ASSERT_OK(objects.PhaseTwo()(workspace.data(), workspace.size(), prepared.executor, stream()));
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectMatches(p, ReadOutput(p, objects));
}

// A stride counts from one entry to the next: where there is one entry, any number will do.
TEST_F(AttentionCasesTest, StridesOfOneEntryMeanNothing) {
  for (int64_t rows : {1, 5}) {
    AttentionOptions o = OneHead();
    o.query_size = rows;
    o.mask = o.pse = true;
    o.mask_rank = 4;
    AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    std::vector<OptionalLayout*> layouts = {&(*p.call.key)[0], &(*p.call.value)[0]};
    for (OptionalLayout& layout : p.call.tensors) layouts.push_back(&layout);
    for (OptionalLayout* layout : layouts) {
      if (!*layout) continue;
      (*layout)->strides = ContiguousStrides((*layout)->dims);
      for (size_t i = 0; i + 1 < (*layout)->dims.size(); ++i) {
        if ((*layout)->dims[i] == 1) (*layout)->strides[i] = INT64_MAX;
      }
    }
    ExpectSame(Run(p), expected);
  }
}

}  // namespace
}  // namespace anyacl::test
