// SPDX-License-Identifier: Apache-2.0
// Products that are fused with collectives, against sums in double over what all ranks bring. Whole
// numbers, which every type holds, are compared exactly; others within what rounding a product to
// its type may take.
#include "matmul_collective_case.h"

namespace anyacl::test::hccl {
namespace {

class MatmulCollectiveTest : public ::testing::TestWithParam<std::tuple<Kind, uint32_t>> {};

TEST_P(MatmulCollectiveTest, ComputesWhatTheDocumentsSay) {
  const auto [kind, ranks] = GetParam();
  RunRanks(kind, ranks, [count = ranks](Rank& rank) {
    int number = 0;
    for (const Case& c : Cases(count)) {
      SCOPED_TRACE(number++);
      RunCase(c, rank);
      if (::testing::Test::HasFailure()) return;
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Ranks, MatmulCollectiveTest,
                         ::testing::Values(std::tuple(Kind::kThreads, 1u),
                                           std::tuple(Kind::kThreads, 2u),
                                           std::tuple(Kind::kThreads, 4u),
                                           std::tuple(Kind::kProcesses, 2u),
                                           std::tuple(Kind::kProcesses, 3u)),
                         [](const auto& info) {
                           return std::string(hccl::NameOf(std::get<0>(info.param))) + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(MatmulCollectiveEdgeTest, WithoutDepthOrElements) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    for (const auto kind : {Case::kAllReduce, Case::kAllGather, Case::kReduceScatter}) {
      RunCase({.kind = kind, .rows = {4}, .k = 0, .bias = true}, rank);
      RunCase({.kind = kind, .rows = {0}, .k = 8}, rank);
      RunCase({.kind = kind, .rows = {4}, .n = 0}, rank);
    }
  });
}

// What is enqueued behind the operator sees its result, and the order of two streams is that of the
// calls on all ranks.
TEST(MatmulCollectiveOrderTest, StreamsAndCallsKeepTheirOrder) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    const Case c = {.rows = {16}, .k = 64, .n = 96};
    aclrtStream other = nullptr;
    ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
    std::vector<std::unique_ptr<Work>> works;
    for (int i = 0; i < 40; ++i) {
      works.push_back(std::make_unique<Work>(c, rank));
      ASSERT_EQ(works.back()->Launch(i % 3 == 0 ? other : rank.stream), 0) << Rank::Message();
    }
    ASSERT_EQ(aclrtSynchronizeStream(other), 0) << Rank::Message();
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
    for (const auto& work : works) work->Check();
    EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  });
}

TEST(MatmulCollectiveGraphTest, IsCaptured) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    const Case c = {.kind = Case::kReduceScatter, .rows = {8}, .bias = true};
    Work work(c, rank);
    ASSERT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
    ASSERT_EQ(work.Launch(rank.stream), 0) << Rank::Message();
    aclmdlRI graph = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), 0);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), 0);
      ASSERT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
      work.Check();
    }
    EXPECT_EQ(aclmdlRIDestroy(graph), 0);
  });
}

TEST(MatmulCollectiveCheckTest, RefusesWhatTheDocumentsRefuse) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    if (rank.rank != 0) return;
    const std::string group = NameOf(rank.comm);
    const auto expect = [&](const Case& c, const std::string& name,
                            const std::function<void(Work&)>& change, int code,
                            std::initializer_list<std::string_view> words) {
      Work work(c, rank, name);
      change(work);
      TakeMessages();
      ExpectFailure(work.PhaseOne(), code, words);
    };
    const auto same = [](Work&) {};
    const Case c = {.rows = {4}};
    expect(c, "", same, 161001, {"group", "aclnnMatmulAllReduceGetWorkspaceSize"});
    expect(c, std::string(128, 'x'), same, 161002, {"group"});
    expect(c, "nobody", same, 161002, {"nobody"});
    expect(c, group, [](Work& w) { w.reduce_op = "max"; }, 161002, {"reduceOp", "max", "sum"});
    expect(c, group, [](Work& w) { w.turn = 1; }, 161002, {"commTurn"});
    expect(c, group, [](Work& w) { w.mode = 0; }, 161002, {"streamMode"});
    // The share of three rows among two ranks.
    expect({.kind = Case::kReduceScatter, .rows = {3}}, group, same, 161002, {"x1", "3", "output"});
    expect({.output = ACL_BF16}, group, same, 161002, {"output", "BF16"});
    expect({.version = 2, .x1 = ACL_INT8, .x2 = ACL_INT8, .scale = ACL_FLOAT}, group, same, 161002,
           {"output", "FLOAT16"});
    expect({.kind = Case::kAllGather, .version = 2, .rows = {4}, .x1 = ACL_INT8, .x2 = ACL_INT8},
           group, same, 161002, {"x2Scale"});
    expect({.kind = Case::kAllGather, .version = 2, .rows = {4}, .scale = ACL_FLOAT}, group, same,
           161002, {"x2Scale"});
  });
}

void ExpectLost(Rank& rank, Work& work, std::initializer_list<std::string_view> words) {
  const int code = work.Launch(rank.stream);
  TakeMessages();
  const int end = code != 0 ? code : aclrtSynchronizeStream(rank.stream);
  ExpectFailure(end, 507018, words);
}

// Arguments, operators, an operator and a collective.
TEST(MatmulCollectiveFaultTest, DifferentCallsAreToldApart) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    Case c = {.rows = {8}};
    if (rank.rank == 1) c.n = 12;
    Work work(c, rank);
    ExpectLost(rank, work, {"aclnnMatmulAllReduce"});
  });
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    Work work({.kind = rank.rank == 0 ? Case::kAllReduce : Case::kReduceScatter, .rows = {8}},
              rank);
    ExpectLost(rank, work, {"aclnnMatmulAllReduce", "aclnnMatmulReduceScatter"});
  });
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    if (rank.rank == 0) {
      Work work({.rows = {8}}, rank);
      ExpectLost(rank, work, {"operator", "HcclAllReduce"});
      return;
    }
    Buffer data(64);
    EXPECT_HCCL_OK(HcclAllReduce(data.data(), data.data(), 16, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                                 rank.comm, rank.stream));
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
  });
}

TEST(MatmulCollectiveFaultTest, DeadRankIsNoticed) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    const Case c = {.rows = {6}};
    RunCase(c, rank);
    if (rank.rank == 2) kill(getpid(), SIGKILL);
    Work work(c, rank);
    ExpectLost(rank, work, {"rank", "2"});
    EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[0], 0);
  EXPECT_EQ(outcome.statuses[1], 0);
}

TEST(MatmulCollectiveFaultTest, ADestroyedCommunicatorEndsTheCall) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    const std::string group = NameOf(rank.comm);
    Work work({.rows = {4}}, rank, group);
    ASSERT_EQ(work.PhaseOne(), 0);
    HcclComm other = nullptr;
    ASSERT_HCCL_OK(rank.Join(1, rank.rank, 2, nullptr, &other));
    Work lost({.rows = {4}}, rank, NameOf(other));
    ASSERT_EQ(lost.PhaseOne(), 0);
    EXPECT_HCCL_OK(HcclCommDestroy(other));
    TakeMessages();
    ExpectFailure(lost.PhaseTwo(rank.stream), 507018, {"destroyed"});
    EXPECT_EQ(work.PhaseTwo(rank.stream), 0);
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 0);
    work.Check();
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
