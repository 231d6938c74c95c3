// SPDX-License-Identifier: Apache-2.0
// Attention/FFN disaggregation over registered windows: whole decode steps between processes and
// between threads, with windows that peers map and with windows that messages fill.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "hccl/hccl_comm.h"
#include "hccl/hccl_res.h"
#include "ops/afd_rank.h"
#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

void RunPipeline(Kind kind, const PipelineMode& mode, bool mappable) {
  const PipelineShape shape = ShapeOf(mode);
  RunRanks(kind, static_cast<uint32_t>(shape.world()), [&](Rank& rank) {
    ASSERT_EQ(aclrtSetOpExecuteTimeOut(30), ACL_SUCCESS);
    char name[COMM_NAME_MAX_LENGTH];
    ASSERT_HCCL_OK(HcclGetCommName(rank.comm, name));
    const auto size = static_cast<size_t>(shape.windows()[rank.rank]);
    // What the runtime has not given out cannot be mapped by another process.
    std::vector<int64_t> plain(mappable ? 0 : size / 8 + 1);
    std::unique_ptr<Buffer> given = mappable ? std::make_unique<Buffer>(size) : nullptr;
    char* window = mappable ? given->data() : reinterpret_cast<char*>(plain.data());
    // Emptied before the exchange: from then on others write.
    AfdRank worker(mode, 7, rank.rank, name, window);
    void* handle = nullptr;
    ASSERT_HCCL_OK(HcclCommRegister(rank.comm, window, size, &handle, 0));
    std::vector<uint32_t> peers;
    for (uint32_t r = 0; r < rank.ranks; ++r) peers.push_back(r);
    ASSERT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers.data(), rank.ranks));
    worker.Run(rank.stream);
    // Others may still be sending to this window.
    rank.shared.Meet(0, rank.ranks);
    EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
  });
}

TEST(AfdTest, DecodeStepsBetweenThreads) { RunPipeline(Kind::kThreads, {}, true); }
TEST(AfdTest, DecodeStepsBetweenProcesses) { RunPipeline(Kind::kProcesses, {}, true); }
TEST(AfdTest, DecodeStepsByMessages) { RunPipeline(Kind::kProcesses, {}, false); }
TEST(AfdTest, QuantisedMaskedStepsBetweenProcesses) {
  RunPipeline(Kind::kProcesses, {2, 1, true}, true);
}
TEST(AfdTest, QuantisedMaskedStepsByMessages) {
  RunPipeline(Kind::kProcesses, {2, 1, true}, false);
}

// A worker in the rank's buffer: ranks 0 to 2 are for attention, the others FFN workers.
std::unique_ptr<AfdRank> MakeWorker(const Rank& rank) {
  char name[COMM_NAME_MAX_LENGTH];
  void* window = nullptr;
  uint64_t size = 0;
  EXPECT_HCCL_OK(HcclGetCommName(rank.comm, name));
  EXPECT_HCCL_OK(HcclGetHcclBuffer(rank.comm, &window, &size));
  return std::make_unique<AfdRank>(PipelineMode{}, 7, rank.rank, name, static_cast<char*>(window));
}

class AfdLeaverTest : public ::testing::TestWithParam<Kind> {};

// An idle worker does without a sender that has left, not without all of them.
TEST_P(AfdLeaverTest, SendersLeaveAnIdleScheduler) {
  const Outcome outcome = RunRanksFreely(GetParam(), 4, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    if (rank.rank == 3) {
      const auto worker = MakeWorker(rank);
      ASSERT_EQ(worker->Schedule(rank.stream), 0) << Rank::Message();
      rank.shared.Meet(0, 4);
      rank.shared.Meet(1, 3);
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
      aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
      EXPECT_EQ(aclrtStreamQuery(rank.stream, &status), ACL_SUCCESS);
      EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY) << Rank::Message();
      rank.shared.Meet(2, 2);
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("all other ranks have gone"), std::string::npos) << message;
      EXPECT_NE(message.find("rank 2"), std::string::npos) << message;
    } else {
      rank.shared.Meet(0, 4);
      if (rank.rank == 2) rank.shared.Meet(2, 2);
    }
    EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
    if (rank.rank < 2) rank.shared.Meet(1, 3);
    // Of a process that has ended is said that it is lost.
    rank.shared.Meet(3, 4);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}

TEST(AfdFaultTest, ALostSenderEndsAScheduler) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 4, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    std::unique_ptr<AfdRank> worker;
    if (rank.rank == 3) {
      worker = MakeWorker(rank);
      ASSERT_EQ(worker->Schedule(rank.stream), 0) << Rank::Message();
    }
    rank.shared.Meet(0, 4);
    if (rank.rank == 0) kill(getpid(), SIGKILL);
    if (rank.rank == 3) {
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
    }
    rank.shared.Meet(1, 3);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(outcome.statuses[i], 0);
}

// The root's process tells of those that are lost, while there is one. Rank 0, whose process that
// is, ends in good order; of the others it must not be taken for lost, and of each other they learn
// without it.
void ExitInOrder(Rank& rank) {
  EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
  std::fflush(nullptr);
  _exit(::testing::Test::HasFailure() ? 1 : 0);
}

void AwaitExit(const Rank& rank, uint32_t of) {
  const pid_t pid = rank.shared.pids[of];
  // The test program collects its children as they end.
  for (int i = 0; i < 500 && kill(pid, 0) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void LoseASender() {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 4, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    std::unique_ptr<AfdRank> worker;
    if (rank.rank == 3) {
      worker = MakeWorker(rank);
      ASSERT_EQ(worker->Schedule(rank.stream), 0) << Rank::Message();
    }
    rank.shared.Meet(0, 4);
    if (rank.rank == 0) ExitInOrder(rank);
    AwaitExit(rank, 0);
    rank.shared.Meet(1, 3);
    if (rank.rank == 1) kill(getpid(), SIGKILL);
    if (rank.rank == 3) {
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("rank 1"), std::string::npos) << message;
    }
    rank.shared.Meet(2, 2);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (const size_t i : {0, 2, 3}) EXPECT_EQ(outcome.statuses[i], 0);
}

// `late`: the scheduler begins, and has memory that others write, when the first has left.
void LeaveAScheduler(bool late) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 4, [late](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    std::unique_ptr<AfdRank> worker;
    const auto schedule = [&] {
      if (rank.rank != 3) return;
      worker = MakeWorker(rank);
      ASSERT_EQ(worker->Schedule(rank.stream), 0) << Rank::Message();
    };
    if (!late) schedule();
    rank.shared.Meet(0, 4);
    if (rank.rank == 0) ExitInOrder(rank);
    AwaitExit(rank, 0);
    rank.shared.Meet(1, 3);
    if (rank.rank == 1) ExitInOrder(rank);
    AwaitExit(rank, 1);
    if (late) schedule();
    if (rank.rank == 3) {
      // Looks at connections are a second apart, and UCX's at processes two.
      std::this_thread::sleep_for(std::chrono::milliseconds(4500));
      aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
      EXPECT_EQ(aclrtStreamQuery(rank.stream, &status), ACL_SUCCESS);
      EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
    }
    rank.shared.Meet(2, 2);
    if (rank.rank == 2) ExitInOrder(rank);
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find("all other ranks have gone"), std::string::npos) << message;
  });
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}
// Each waits for seconds.
TEST(AfdFaultTest, SendersEndOrLeaveASchedulerWithoutARoot) {
  ExpectAll({LoseASender, [] { LeaveAScheduler(false); }, [] { LeaveAScheduler(true); }});
}

// An FFN worker takes the rows and leaves: its senders miss them.
TEST_P(AfdLeaverTest, AWorkerLeavesWithRows) {
  const PipelineShape shape = ShapeOf({});
  const Outcome outcome =
      RunRanksFreely(GetParam(), static_cast<uint32_t>(shape.world()), [&](Rank& rank) {
        rank.Open();
        ASSERT_NE(rank.comm, nullptr);
        const auto worker = MakeWorker(rank);
        rank.shared.Meet(0, rank.ranks);
        if (rank.rank == 0) {
          worker->SendAll(rank.stream);
          rank.shared.Meet(1, rank.ranks);
          EXPECT_EQ(worker->Schedule(rank.stream), 0);
          EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
          const std::string message = Rank::Message();
          EXPECT_NE(message.find("has destroyed its communicator"), std::string::npos) << message;
        } else {
          rank.shared.Meet(1, rank.ranks);
        }
        // Attention workers stay until the end.
        const bool stays = rank.rank < shape.attention;
        if (stays) rank.shared.Meet(2, static_cast<uint32_t>(shape.attention));
        EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
        rank.shared.Meet(3, rank.ranks);
      });
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}

// The memory that a scheduler polls is not taken away under it.
TEST_P(AfdLeaverTest, AnotherThreadDestroysTheCommunicator) {
  const Outcome outcome = RunRanksFreely(GetParam(), 4, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    if (rank.rank == 3) {
      const auto worker = MakeWorker(rank);
      ASSERT_EQ(worker->Schedule(rank.stream), 0) << Rank::Message();
      // Until it polls: what has not begun does not hold the memory.
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
      EXPECT_NE(Rank::Message().find("destroyed"), std::string::npos);
    }
    rank.shared.Meet(0, 4);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}
INSTANTIATE_TEST_SUITE_P(Kinds, AfdLeaverTest, ::testing::Values(Kind::kThreads, Kind::kProcesses),
                         [](const auto& info) { return hccl::NameOf(info.param); });

}  // namespace
}  // namespace anyacl::test::hccl
