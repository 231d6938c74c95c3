// SPDX-License-Identifier: Apache-2.0
// The third and fourth versions of dispatch and combine, and combine with a norm in its second one:
// zero, copy and constant experts, which no rank has, and how long ranks were waited for.
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "ops/moe_rank.h"
#include "ops/moe_threads.h"

namespace anyacl::test {
namespace {

struct SpecialCase {
  const char* name;
  MoeShape shape;
};
void PrintTo(const SpecialCase& c, std::ostream* out) { *out << c.name; }

class MoeSpecialTest : public MoeThreadsTest, public ::testing::WithParamInterface<SpecialCase> {
 protected:
  std::vector<std::vector<uint16_t>> RunSteps(bool by_message) {
    const MoeShape& shape = GetParam().shape;
    World world(kName, std::vector<uint64_t>(shape.tokens.size(), kArea), by_message);
    std::vector<std::vector<uint16_t>> sums(shape.tokens.size());
    RunThreads(shape.ranks(), [&](int64_t r, aclrtStream stream) {
      MoeRank rank(shape, 7, r, kName);
      for (int64_t step = 0; step < 4 && !HasFailure(); ++step) {
        const auto out = rank.Step(step, stream);
        auto& all = sums[static_cast<size_t>(r)];
        all.insert(all.end(), out.begin(), out.end());
      }
    });
    EXPECT_EQ(world.aborted(), "");
    return sums;
  }
};

TEST_P(MoeSpecialTest, IsThePlainComputation) {
  const auto mapped = RunSteps(false);
  if (HasFailure()) return;
  EXPECT_EQ(mapped, RunSteps(true));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MoeSpecialTest,
    ::testing::Values(
        SpecialCase{"Third", {.version = 3}},
        SpecialCase{"ThirdUnweighed", {.weighs = false, .version = 3}},
        SpecialCase{"Fourth", {.version = 4}},
        SpecialCase{"Zero", {.tokens = {6, 5}, .chosen = 3, .version = 3, .zero = 2}},
        SpecialCase{"Copy", {.tokens = {6, 5}, .chosen = 3, .version = 4, .copy = 2}},
        SpecialCase{"Constant",
                    {.tokens = {6, 5}, .chosen = 3, .hidden = 1100, .version = 3, .constant = 3}},
        SpecialCase{"MoreThanRouted",
                    {.tokens = {5, 5},
                     .chosen = 6,
                     .routed = 2,
                     .dtype = ACL_BF16,
                     .version = 4,
                     .zero = 2,
                     .copy = 1,
                     .constant = 2}},
        SpecialCase{"Unweighed",
                    {.tokens = {5, 6},
                     .chosen = 4,
                     .routed = 2,
                     .weighs = false,
                     .version = 4,
                     .zero = 1,
                     .copy = 1,
                     .constant = 2}},
        SpecialCase{"RowMaskShared",
                    {.tokens = {5, 4, 6},
                     .chosen = 4,
                     .routed = 4,
                     .shared = 1,
                     .shared_ranks = 1,
                     .mask = MoeMask::kRows,
                     .has_weights = true,
                     .strided = true,
                     .version = 3,
                     .zero = 1,
                     .copy = 2,
                     .constant = 1}},
        SpecialCase{"TokenMaskQuantised",
                    {.tokens = {5, 5},
                     .chosen = 3,
                     .hidden = 1030,
                     .quant = 2,
                     .comm_quant = 2,
                     .has_scales = true,
                     .mask = MoeMask::kTokens,
                     .prefix_sums = true,
                     .has_shared_x = true,
                     .version = 4,
                     .zero = 1,
                     .copy = 1,
                     .constant = 1}},
        SpecialCase{"Norm", {.tokens = {5, 5}, .dtype = ACL_BF16, .norm = true, .version = 3}},
        SpecialCase{"NormOfSpecial",
                    {.tokens = {1, 7, 4},
                     .chosen = 3,
                     .hidden = 1100,
                     .routed = 3,
                     .dtype = ACL_BF16,
                     .mask = MoeMask::kRows,
                     .has_shared_x = true,
                     .strided = true,
                     .norm = true,
                     .version = 3,
                     .zero = 1,
                     .copy = 1,
                     .constant = 2}}),
    [](const auto& info) { return info.param.name; });

using MoeLaterTest = MoeThreadsTest;

// Tokens of special experts alone: nothing travels.
TEST_F(MoeLaterTest, NobodyNeedsARank) {
  const MoeShape shape = {.tokens = {4, 4},
                          .chosen = 2,
                          .routed = 2,
                          .version = 3,
                          .zero = 1,
                          .copy = 1,
                          .constant = 1};
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  RunThreads(2, [&](int64_t r, aclrtStream stream) {
    MoeRank rank(shape, 5, r, kName);
    rank.Make(0);
    const std::vector<int32_t> ids = {2, 2, 2, 3, 3, 3, 3, 2};
    rank.tensors().expert_ids.Write(ids);
    ASSERT_OK(rank.Dispatch(stream));
    ASSERT_OK(rank.Combine(stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    for (const int32_t count : rank.tensors().counts.Read<int32_t>()) EXPECT_EQ(count, 0);
    const auto x = rank.tensors().x.Read<uint16_t>(), out = rank.tensors().out.Read<uint16_t>();
    const auto weights = rank.tensors().weights.Read<float>();
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t t = i / static_cast<size_t>(shape.hidden);
      float sum = 0;
      for (size_t k = 0; k < 2; ++k) {
        if (ids[2 * t + k] == 3) sum += weights[2 * t + k] * Decode(shape.dtype, x[i]);
      }
      ASSERT_EQ(out[i], Encode(shape.dtype, sum)) << "element " << i;
    }
  });
}

// A number that no expert has, behind the special ones.
TEST_F(MoeLaterTest, WrongIdsFail) {
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  std::string messages[2];
  RunThreads(2, [&](int64_t r, aclrtStream stream) {
    MoeRank rank({.version = 3, .zero = 1, .copy = 1, .constant = 1}, 5, r, kName);
    rank.Make(0);
    rank.tensors().expert_ids.Write(std::vector<int32_t>{0, 1, 2, 7, 4, 5});
    TakeMessages();
    ASSERT_OK(rank.Dispatch(stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), 507018);
    messages[r] = TakeMessages();
  });
  EXPECT_NE((messages[0] + messages[1]).find("expertIds[1][1] is 7, expected 0 to 6"),
            std::string::npos)
      << messages[0];
}

// What ranks were waited for is added, and one that comes late is waited for.
TEST_F(MoeLaterTest, TellsHowLongRanksWereWaitedFor) {
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  RunThreads(2, [&](int64_t r, aclrtStream stream) {
    MoeRank rank({.version = 4}, 5, r, kName);
    rank.Make(0);
    std::vector<int64_t> before = {1000, 1000};
    // Many, so that ranks tell at any moment of each other's looks.
    for (int64_t step = 0; step < 2000; ++step) {
      if (r == 1 && step % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const auto begin = std::chrono::steady_clock::now();
      ASSERT_OK(rank.Dispatch(stream));
      ASSERT_OK(aclrtSynchronizeStream(stream));
      const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
                            std::chrono::steady_clock::now() - begin)
                            .count();
      const auto after = rank.tensors().performance.Read<int64_t>();
      for (size_t i = 0; i < 2; ++i) {
        EXPECT_GE(after[i], before[i]) << "call " << step;
        EXPECT_LE(after[i], before[i] + took + 1) << "call " << step;
      }
      before = after;
    }
    EXPECT_TRUE(r == 1 || before[1] > 1000) << before[1];
    const auto dispatched = before;
    rank.Make(1);
    ASSERT_OK(rank.Dispatch(stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    rank.tensors().performance.Write(before);
    if (r == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_OK(rank.Combine(stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    const auto combined = rank.tensors().performance.Read<int64_t>();
    EXPECT_TRUE(r == 1 || combined[1] > dispatched[1]) << combined[1];
    EXPECT_TRUE(rank.tensors().performance.GuardsIntact());
  });
}

TEST_F(MoeLaterTest, Refusals) {
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  constexpr int kValue = ACLNN_ERR_INNER_TILING_ERROR;
  constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR;
  const struct {
    std::function<void(MoeRank::Arguments&)> change;
    int code;
    std::string_view words;
    bool combine_only = false;
  } cases[] = {
      {[](auto& a) { a.has_elastic_info = true; }, kValue, "elasticInfoOptional is given"},
      {[](auto& a) { a.zero = -1; }, kValue, "zeroExpertNum"},
      {[](auto& a) { a.copy = int64_t{1} << 31; }, kValue, "copyExpertNum"},
      {[](auto& a) { a.zero = INT32_MAX - 5; }, kValue, "moeExpertNum + zeroExpertNum"},
      {[](auto& a) { a.algorithm = "ring"; }, kValue, "\"fullmesh_v1\", \"fullmesh_v2\""},
      {[](auto& a) { a.has_original = false; }, kNull, "oriXOptional", true},
      {[](auto& a) { a.has_alphas = false; }, kNull, "constExpertAlpha1Optional", true},
      {[](auto& a) { a.has_constants = false; }, kNull, "constExpertVOptional", true},
      {[](auto& a) { a.constant = 2; }, kValue, "expected constExpertNum, 2", true},
  };
  for (const bool norm : {false, true}) {
    for (const int64_t version : {3, 4}) {
      if (norm && version == 4) continue;
      MoeRank rank({.dtype = ACL_BF16,
                    .norm = norm,
                    .version = version,
                    .zero = 1,
                    .copy = 1,
                    .constant = 1},
                   5, 0, kName);
      const MoeRank::Arguments good = rank.arguments;
      for (const auto& wrong : cases) {
        SCOPED_TRACE(wrong.words);
        for (const bool combines : {false, true}) {
          if (wrong.combine_only && !combines) continue;
          rank.arguments = good;
          wrong.change(rank.arguments);
          TakeMessages();
          EXPECT_EQ(combines ? rank.Combine(stream()) : rank.Dispatch(stream()), wrong.code);
          const std::string message = TakeMessages();
          EXPECT_NE(message.find(wrong.words), std::string::npos) << message;
        }
      }
    }
  }
  MoeRank rank({.version = 4}, 5, 0, kName);
  rank.Make(0);
  Tensor& performance = rank.tensors().performance;
  std::destroy_at(&performance);
  std::construct_at(&performance, Layout{.dims = {3}, .dtype = ACL_INT64});
  for (const bool combines : {false, true}) {
    TakeMessages();
    EXPECT_EQ(combines ? rank.Combine(stream()) : rank.Dispatch(stream()), kValue);
    EXPECT_NE(TakeMessages().find("performanceInfoOptional"), std::string::npos);
  }
}

// Numbers of experts that no rank has need not agree, and all ways of sending are one.
TEST_F(MoeLaterTest, TakesEveryAlgorithm) {
  for (const char* name : {"fullmesh_v1", "fullmesh_v2", "hierarchy", "fullmesh", ""}) {
    World world(kName, std::vector<uint64_t>(2, kArea), false);
    RunThreads(2, [&](int64_t r, aclrtStream stream) {
      MoeRank rank({.version = 3}, 5, r, kName);
      rank.arguments.algorithm = name;
      rank.Step(0, stream);
    });
  }
}

}  // namespace
}  // namespace anyacl::test
