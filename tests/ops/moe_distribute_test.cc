// SPDX-License-Identifier: Apache-2.0
// aclnnMoeDistributeDispatchV2 and aclnnMoeDistributeCombineV2, their first versions and the one
// with a norm, with threads as ranks, on a communicator of the tests' own: every output beside
// plain loops, mapped and by messages; calls that do not fit together, and how they end; refusals.
#include <functional>
#include <ostream>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "ops/afd_world.h"
#include "ops/moe_rank.h"
#include "ops/moe_threads.h"

namespace anyacl::test {
namespace {

class MoeTest : public MoeThreadsTest {
 protected:
  // The bits of all sums.
  std::vector<std::vector<uint16_t>> RunSteps(const MoeShape& shape, bool by_message, int64_t steps,
                                              uint64_t seed) {
    World world(kName, std::vector<uint64_t>(shape.tokens.size(), kArea), by_message);
    std::vector<std::vector<uint16_t>> sums(shape.tokens.size());
    RunThreads(shape.ranks(), [&](int64_t r, aclrtStream stream) {
      MoeRank rank(shape, seed, r, kName);
      for (int64_t step = 0; step < steps && !HasFailure(); ++step) {
        const auto out = rank.Step(step, stream);
        sums[static_cast<size_t>(r)].insert(sums[static_cast<size_t>(r)].end(), out.begin(),
                                            out.end());
      }
    });
    EXPECT_EQ(world.aborted(), "");
    EXPECT_EQ(world.sent() > 0, by_message);
    return sums;
  }
};

struct MoeCase {
  const char* name;
  MoeShape shape;
};
void PrintTo(const MoeCase& c, std::ostream* out) { *out << c.name; }

class MoeShapeTest : public MoeTest, public ::testing::WithParamInterface<MoeCase> {};

TEST_P(MoeShapeTest, IsThePlainComputation) {
  const auto seed = static_cast<uint64_t>(random().Int(0, INT32_MAX));
  const auto mapped = RunSteps(GetParam().shape, false, 4, seed);
  if (HasFailure()) return;
  EXPECT_EQ(mapped, RunSteps(GetParam().shape, true, 4, seed));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MoeShapeTest,
    ::testing::Values(
        MoeCase{"Two", {}}, MoeCase{"TwoStrided", {.strided = true}},
        MoeCase{"Uneven", {.tokens = {1, 7, 4}, .chosen = 3, .hidden = 1100, .routed = 6}},
        MoeCase{"FiveRanks",
                {.tokens = {2, 3, 1, 5, 4},
                 .chosen = 4,
                 .routed = 10,
                 .dtype = ACL_BF16,
                 .prefix_sums = true}},
        MoeCase{"OneExpert", {.tokens = {4, 4, 4}, .chosen = 1, .routed = 3, .has_weights = true}},
        MoeCase{"Unweighed", {.tokens = {5, 3}, .chosen = 3, .weighs = false}},
        MoeCase{"TokenMask",
                {.tokens = {5, 5, 5}, .routed = 6, .mask = MoeMask::kTokens, .has_weights = true}},
        MoeCase{"RowMask", {.tokens = {5, 5}, .chosen = 3, .mask = MoeMask::kRows}},
        MoeCase{"RowMaskStrided",
                {.tokens = {5, 5}, .chosen = 3, .mask = MoeMask::kRows, .strided = true}},
        MoeCase{"Shared",
                {.tokens = {3, 3, 3, 3},
                 .routed = 4,
                 .shared = 1,
                 .shared_ranks = 2,
                 .mask = MoeMask::kRows,
                 .has_weights = true}},
        MoeCase{"TwoShared",
                {.tokens = {4, 2, 4, 3, 1}, .routed = 2, .shared = 2, .shared_ranks = 4}},
        MoeCase{"SharedOfNoRank",
                {.tokens = {4, 2}, .shared = 1, .has_shared_x = true, .strided = true}},
        MoeCase{"SharedX", {.tokens = {4, 4}, .dtype = ACL_BF16, .has_shared_x = true}},
        MoeCase{"Quantised", {.tokens = {4, 4}, .hidden = 1030, .quant = 2}},
        MoeCase{"QuantisedSmooth",
                {.tokens = {4, 4, 2},
                 .hidden = 1100,
                 .routed = 6,
                 .dtype = ACL_BF16,
                 .quant = 2,
                 .has_scales = true}},
        MoeCase{"QuantisedSmoothShared",
                {.tokens = {4, 4, 2},
                 .routed = 4,
                 .shared = 1,
                 .shared_ranks = 1,
                 .quant = 2,
                 .has_scales = true,
                 .mask = MoeMask::kTokens,
                 .strided = true}},
        MoeCase{"CommQuant", {.tokens = {4, 4}, .hidden = 1029, .comm_quant = 2}},
        MoeCase{"CommQuantBf16",
                {.tokens = {4, 4, 4},
                 .routed = 6,
                 .shared = 1,
                 .shared_ranks = 1,
                 .dtype = ACL_BF16,
                 .quant = 2,
                 .comm_quant = 2}},
        MoeCase{"ByCopy", {.tokens = {5, 5}, .by_copy = true}},
        MoeCase{"ByCopyUneven",
                {.tokens = {1, 7, 4},
                 .chosen = 3,
                 .hidden = 1100,
                 .routed = 6,
                 .prefix_sums = true,
                 .has_weights = true,
                 .strided = true,
                 .by_copy = true}},
        MoeCase{"ByCopyShared",
                {.tokens = {3, 4, 2, 4},
                 .routed = 4,
                 .shared = 1,
                 .shared_ranks = 2,
                 .dtype = ACL_BF16,
                 .quant = 2,
                 .comm_quant = 2,
                 .has_scales = true,
                 .by_copy = true}},
        MoeCase{"Norm", {.tokens = {5, 5}, .dtype = ACL_BF16, .norm = true}},
        MoeCase{"NormOfMore",
                {.tokens = {1, 7, 4},
                 .chosen = 3,
                 .hidden = 1100,
                 .routed = 6,
                 .dtype = ACL_BF16,
                 .mask = MoeMask::kRows,
                 .has_shared_x = true,
                 .strided = true,
                 .norm = true}}),
    [](const auto& info) { return info.param.name; });

// Calls are queued without a look at them, and ranks sleep at times: who is ahead writes to memory
// that others have not read.
TEST_F(MoeTest, FastRanksLoseNothing) {
  for (const bool by_message : {false, true}) {
    for (const MoeMask mask : {MoeMask::kNone, MoeMask::kTokens, MoeMask::kRows}) {
      const MoeShape shape = {.tokens = {3, 1, 4, 2},
                              .routed = 6,
                              .shared = 1,
                              .shared_ranks = 1,
                              .mask = mask,
                              .by_copy = mask == MoeMask::kNone};
      World world(kName, std::vector<uint64_t>(4, kArea), by_message);
      RunThreads(4, [&](int64_t r, aclrtStream stream) {
        MoeRank rank(shape, 11, r, kName);
        rank.Burst(25, stream);
      });
    }
  }
}

// Each rank's call, and what the failure of all says.
struct Clash {
  std::function<int(MoeRank&, aclrtStream)> calls[2];
  std::initializer_list<std::string_view> words;
};

TEST_F(MoeTest, WrongCallsFailOnAllRanks) {
  const auto dispatch = [](MoeRank& rank, aclrtStream s) { return rank.Dispatch(s); };
  const auto combine = [](MoeRank& rank, aclrtStream s) { return rank.Combine(s); };
  const auto wrong_id = [](MoeRank& rank, aclrtStream s) {
    rank.Make(0);
    auto ids = rank.tensors().expert_ids.Read<int32_t>();
    ids[3] = 4;
    rank.tensors().expert_ids.Write(ids);
    return rank.Dispatch(s);
  };
  const auto wrong_row = [](MoeRank& rank, aclrtStream s) {
    rank.Make(0);
    std::vector<int32_t> assist(static_cast<size_t>(rank.tensors().assist.count()), -1);
    rank.tensors().assist.Write(assist);
    rank.tensors().counts.Write(std::vector<int32_t>{1, 1, 1, 1});
    return rank.Combine(s);
  };
  const auto wrong_count = [](MoeRank& rank, aclrtStream s) {
    rank.Make(0);
    rank.tensors().counts.Write(std::vector<int32_t>{1, 1, 1, 13});
    return rank.Combine(s);
  };
  const auto nothing_back = [](MoeRank& rank, aclrtStream s) {
    rank.Make(0);
    rank.tensors().counts.Write(std::vector<int32_t>{0, 0, 0, 0});
    return rank.Combine(s);
  };
  const auto other_mode = [&](MoeRank& rank, aclrtStream s) {
    rank.arguments.comm_quant = 2;
    return nothing_back(rank, s);
  };
  const Clash clashes[] = {
      {{dispatch, combine}, {"aclnnMoeDistributeCombineV2", "aclnnMoeDistributeDispatchV2"}},
      {{dispatch, wrong_id}, {"expertIds[1][1]", "4", "0 to 3"}},
      {{nothing_back, other_mode}, {"the mode of quantisation", "2", "0"}},
      {{nothing_back, wrong_row}, {"assistInfoForCombine[0]", "-1", "0 to 1"}},
      {{nothing_back, wrong_count}, {"epSendCounts[3]", "13", "12"}},
      {{nothing_back, nothing_back}, {"row 0 of token 0"}},
  };
  for (const bool by_message : {false, true}) {
    for (const Clash& clash : clashes) {
      SCOPED_TRACE(std::data(clash.words)->data());
      World world(kName, std::vector<uint64_t>(2, kArea), by_message);
      std::string messages[2];
      RunThreads(2, [&](int64_t r, aclrtStream stream) {
        MoeRank rank({}, 5, r, kName);
        TakeMessages();
        const auto i = static_cast<size_t>(r);
        ASSERT_OK(clash.calls[i](rank, stream));
        EXPECT_EQ(aclrtSynchronizeStream(stream), 507018);
        messages[i] = TakeMessages();
      });
      EXPECT_NE(world.aborted().find(std::data(clash.words)[0]), std::string::npos)
          << world.aborted();
      const std::string all = messages[0] + messages[1];
      for (const std::string_view word : clash.words) {
        EXPECT_NE(all.find(word), std::string::npos) << "no '" << word << "' in: " << all;
      }
      for (const std::string& message : messages) EXPECT_NE(message, "");
    }
  }
}

TEST_F(MoeTest, TwoCallsOfARankAtOnceFail) {
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  MoeRank first({}, 5, 0, kName), second({}, 6, 0, kName);
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  ASSERT_OK(first.Dispatch(stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  TakeMessages();
  ASSERT_OK(second.Combine(other));
  EXPECT_EQ(aclrtSynchronizeStream(other), 507018);
  const std::string message = TakeMessages();
  for (const char* word : {"aclnnMoeDistributeCombineV2 began", "aclnnMoeDistributeDispatchV2"}) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
  EXPECT_NE(aclrtSynchronizeStream(stream()), ACL_SUCCESS);
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_F(MoeTest, AMaskWithAHoleFails) {
  const MoeShape shape = {.mask = MoeMask::kTokens};
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  RunThreads(2, [&](int64_t r, aclrtStream stream) {
    MoeRank rank(shape, 5, r, kName);
    rank.Make(0);
    rank.tensors().mask.Write(std::vector<uint8_t>{1, 0, 1});
    ASSERT_OK(rank.Dispatch(stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), 507018);
  });
}

TEST_F(MoeTest, WaitsEnd) {
  const MoeShape shape;
  const auto wait = [&](World& world, const std::function<void(aclrtStream)>& end, int code) {
    (void)world;
    RunThreads(1, [&](int64_t r, aclrtStream stream) {
      MoeRank rank(shape, 5, r, kName);
      ASSERT_OK(rank.Dispatch(stream));
      std::thread ending([&] {
        ASSERT_OK(aclrtSetDevice(0));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        end(stream);
      });
      EXPECT_EQ(aclrtSynchronizeStream(stream), code);
      ending.join();
    });
  };
  {
    World world(kName, {kArea, kArea}, false);
    wait(
        world, [&](aclrtStream) { world.Lose(1); }, World::kLost);
  }
  {
    World world(kName, {kArea, kArea}, false);
    wait(
        world, [](aclrtStream stream) { EXPECT_OK(aclrtStreamAbort(stream)); }, 107023);
    EXPECT_NE(world.aborted(), "");
  }
  {
    ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(200));
    World world(kName, {kArea, kArea}, false);
    wait(
        world, [](aclrtStream) {}, 507017);
    EXPECT_NE(world.aborted(), "");
  }
}

TEST_F(MoeTest, Refusals) {
  World world(kName, {kArea, kArea}, false);
  constexpr int kValue = ACLNN_ERR_INNER_TILING_ERROR;
  const struct {
    std::function<void(MoeRank::Arguments&)> change;
    int code;
    std::string_view word;
    bool combines = true;
  } cases[] = {
      {[](auto& a) { a.group = ""; }, ACLNN_ERR_PARAM_NULLPTR, "groupEp"},
      {[](auto& a) { a.group = std::string(128, 'x'); }, ACLNN_ERR_PARAM_INVALID, "groupEp"},
      {[](auto& a) { a.group = "nobody"; }, kValue, "groupEp is \"nobody\""},
      {[](auto& a) { a.ranks = 1; }, kValue, "epWorldSize"},
      {[](auto& a) { a.ranks = 4; }, kValue, "globalBs"},
      {[](auto& a) { a.rank = 1; }, kValue, "epRankId"},
      {[](auto& a) { a.routed = 3; }, kValue, "moeExpertNum"},
      {[](auto& a) { a.routed = 0; }, kValue, "moeExpertNum"},
      {[](auto& a) { a.shared = 5; }, kValue, "sharedExpertNum"},
      {[](auto& a) { a.shared = 2; }, kValue, "sharedExpertNum"},
      {[](auto& a) { a.shared_ranks = 1; }, kValue, "sharedExpertRankNum"},
      {[](auto& a) { a.shared_ranks = 2; }, kValue, "sharedExpertRankNum"},
      {[](auto& a) { a.global = 5; }, kValue, "globalBs"},
      {[](auto& a) { a.global = 4; }, kValue, "globalBs"},
      {[](auto& a) { a.tp = 2; }, kValue, "tpWorldSize"},
      {[](auto& a) { a.tp_rank = 1; }, kValue, "tpRankId"},
      {[](auto& a) { a.shard = 1; }, kValue, "expertShardType"},
      {[](auto& a) { a.algorithm = "ring"; }, kValue, "commAlg"},
      {[](auto& a) {
         a.quant = 1;
         a.comm_quant = 1;
       },
       kValue, "expected 0 or 2"},
      {[](auto& a) {
         a.quant = 3;
         a.comm_quant = 3;
       },
       kValue, "expected 0 to 2"},
      {[](auto& a) {
         a.global = 1024;
         a.routed = 4;
       },
       kValue, "so many rows may come"},
  };
  MoeRank rank({}, 5, 0, kName);
  const MoeRank::Arguments good = rank.arguments;
  for (const auto& wrong : cases) {
    SCOPED_TRACE(wrong.word);
    for (const bool combines : {false, true}) {
      rank.arguments = good;
      wrong.change(rank.arguments);
      TakeMessages();
      EXPECT_EQ(combines ? rank.Combine(stream()) : rank.Dispatch(stream()), wrong.code);
      const std::string message = TakeMessages();
      EXPECT_NE(message.find(wrong.word), std::string::npos) << message;
    }
  }
}

// Of five ranks the first copy serves three: the document's quotient, 5 rows, is too few.
TEST_F(MoeTest, CopiesNeedRowsOfWholeRanks) {
  World world(kName, std::vector<uint64_t>(5, kArea), false);
  const MoeShape shape = {
      .tokens = {2, 2, 2, 2, 2}, .chosen = 1, .routed = 3, .shared = 1, .shared_ranks = 2};
  MoeRank rank(shape, 5, 0, kName);
  rank.Make(0);
  Tensor& rows = rank.tensors().rows;
  std::destroy_at(&rows);
  std::construct_at(&rows, Layout{.dims = {5, 64}, .dtype = ACL_FLOAT16});
  TakeMessages();
  EXPECT_EQ(rank.Dispatch(stream()), ACLNN_ERR_INNER_TILING_ERROR);
  EXPECT_NE(TakeMessages().find(".shape[0] = 5, expected at least 6: so many rows may come"),
            std::string::npos);
}

TEST_F(MoeTest, WeightsAreOfTheChosenOrNone) {
  World world(kName, {kArea, kArea}, false);
  const auto refused = [&](const MoeShape& shape, std::vector<int64_t> dims, int code) {
    MoeRank rank(shape, 5, 0, kName);
    rank.Make(0);
    Tensor& weights = rank.tensors().weights;
    std::destroy_at(&weights);
    std::construct_at(&weights, Layout{.dims = std::move(dims), .dtype = ACL_FLOAT});
    TakeMessages();
    EXPECT_EQ(rank.Combine(stream()), code);
    EXPECT_NE(TakeMessages().find("expertScales.shape"), std::string::npos);
  };
  constexpr int kTiling = ACLNN_ERR_INNER_TILING_ERROR;
  refused({}, {3, 1}, kTiling);
  refused({}, {6}, kTiling);
  refused({.by_copy = true}, {3, 0}, kTiling);
  refused({.dtype = ACL_BF16, .norm = true}, {0}, kTiling);
}

// Rows that fit the tensors, and not the communicator's buffer.
TEST_F(MoeTest, NamesHcclBuffsize) {
  World world(kName, {1 << 10, 1 << 10}, false);
  MoeRank rank({}, 5, 0, kName);
  for (const bool combines : {false, true}) {
    TakeMessages();
    EXPECT_EQ(combines ? rank.Combine(stream()) : rank.Dispatch(stream()),
              ACLNN_ERR_INNER_TILING_ERROR);
    EXPECT_NE(TakeMessages().find("HCCL_BUFFSIZE"), std::string::npos);
  }
}

}  // namespace
}  // namespace anyacl::test
