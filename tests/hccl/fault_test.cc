// SPDX-License-Identifier: Apache-2.0
// Ranks that die, stop, never come, or give up: everybody else hears of it soon, with an error that
// says who and what, and nobody hangs.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "acl/error_codes/rt_error_codes.h"
#include "ranks.h"
#include "support/thread_sanitizer.h"

namespace anyacl::test::hccl {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

HcclResult AllReduce(Rank& rank, Buffer& buffer, uint64_t count) {
  return HcclAllReduce(buffer.data(), buffer.data(), count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                       rank.comm, rank.stream);
}

// Operations until one fails, which the run's limit ends; returns the message.
std::string RunUntilFailure(Rank& rank, uint64_t count) {
  Buffer buffer(count * 4, 0);
  while (AllReduce(rank, buffer, count) == HCCL_SUCCESS &&
         aclrtSynchronizeStream(rank.stream) == ACL_SUCCESS) {
  }
  return Rank::Message();
}

class DeadRankTest : public ::testing::TestWithParam<uint64_t> {};

// The last of three is killed in the midst of operations.
TEST_P(DeadRankTest, IsNoticed) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    if (rank.rank == 2) {
      Buffer buffer(GetParam() * 4, 0);
      for (int i = 0; i < 5; ++i) {
        EXPECT_HCCL_OK(AllReduce(rank, buffer, GetParam()));
        rank.Synchronize();
      }
      EXPECT_HCCL_OK(AllReduce(rank, buffer, GetParam()));
      kill(getpid(), SIGKILL);
    }
    const std::string message = RunUntilFailure(rank, GetParam());
    EXPECT_NE(message.find("rank 2"), std::string::npos) << message;
    EXPECT_NE(message.find("HcclAllReduce"), std::string::npos) << message;
    EXPECT_EQ(AsyncError(rank), HCCL_E_REMOTE);
    // It stays so.
    Buffer buffer(size_t{64}, 0);
    EXPECT_EQ(AllReduce(rank, buffer, 4), HCCL_E_REMOTE);
    EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[0], 0);
  EXPECT_EQ(outcome.statuses[1], 0);
}
INSTANTIATE_TEST_SUITE_P(Sizes, DeadRankTest, ::testing::Values(2, 1'000'000));

// A forked child, such as a worker that loads data, outlives its parent; what says that the parent
// lives is not the child's.
TEST(FaultTest, DeadRankWithALivingChildIsNoticed) {
  const Variable slow("UCX_KEEPALIVE_INTERVAL", "60s");
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    if (rank.rank == 2) {
      const pid_t child = fork();
      if (child == 0) {
        sleep(100);  // longer than the run may take
        _exit(0);
      }
      rank.shared.slots[0] = child;
      rank.shared.Meet(0, 3);
      kill(getpid(), SIGKILL);
    }
    rank.shared.Meet(0, 3);
    const std::string message = RunUntilFailure(rank, 2);
    EXPECT_NE(message.find("rank 2"), std::string::npos) << message;
    EXPECT_EQ(AsyncError(rank), HCCL_E_REMOTE);
    rank.shared.Meet(1, 2);
    if (rank.rank == 0) kill(static_cast<pid_t>(rank.shared.slots[0]), SIGKILL);
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[0], 0);
  EXPECT_EQ(outcome.statuses[1], 0);
}

// UCX's thread stays in the parent: without it a child would wait for connections for ever.
TEST(FaultTest, AForkedChildIsRefusedCommunicatorsAtOnce) {
  if (kThreadSanitizer)
    GTEST_SKIP() << "ThreadSanitizer aborts a forked child that starts a thread";
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      int32_t device = 0;
      HcclComm own = nullptr;
      EXPECT_EQ(HcclCommInitAll(1, &device, &own), HCCL_E_UNAVAIL);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("forked"), std::string::npos) << message;
      _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    // The parent's goes on.
    Buffer buffer(size_t{64}, 0);
    EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
    rank.Synchronize();
  });
}

// The root's process has the service that tells the others: without it they must notice themselves.
TEST(FaultTest, DeadRootIsNoticed) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    if (rank.rank == 0) {
      rank.shared.Meet(0, 3);
      kill(getpid(), SIGKILL);
    }
    rank.shared.Meet(0, 3);
    const std::string message = RunUntilFailure(rank, 2);
    EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
    EXPECT_EQ(AsyncError(rank), HCCL_E_REMOTE);
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[1], 0);
  EXPECT_EQ(outcome.statuses[2], 0);
}

// A rank that is stopped answers nothing and does not die: only the time-out helps.
void RunIntoTheTimeOutOfAStoppedRank() {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 2, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    rank.shared.Meet(0, 2);
    if (rank.rank == 1) {
      raise(SIGSTOP);
      return;
    }
    std::this_thread::sleep_for(milliseconds(100));
    Buffer buffer(size_t{64}, 0);
    const auto begin = steady_clock::now();
    EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
    const std::string message = Rank::Message();
    EXPECT_GT(SecondsSince(begin), 1.5) << message;
    EXPECT_NE(message.find("rank 1"), std::string::npos) << message;
    EXPECT_EQ(AsyncError(rank), HCCL_E_TIMEOUT);
    kill(rank.shared.pids[1], SIGKILL);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[0], 0);
}

// Whether a message is received later nobody can know; the time-out tells what is there.
void SendToARankThatReduces() {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    Buffer buffer(size_t{64}, 0);
    rank.shared.Meet(0, 2);
    if (rank.rank == 0) {
      std::this_thread::sleep_for(milliseconds(500));
      EXPECT_HCCL_OK(HcclSend(buffer.data(), 4, HCCL_DATA_TYPE_FP32, 1, rank.comm, rank.stream));
    } else {
      EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
    }
    EXPECT_NE(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find("HcclAllReduce"), std::string::npos) << message;
    EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
    EXPECT_NE(message.find("HcclSend"), std::string::npos) << message;
    EXPECT_EQ(AsyncError(rank), HCCL_E_TIMEOUT);
  });
}

TEST(FaultTest, TheTimeOutNamesWhoIsStoppedAndWhatMeetsACollective) {
  Variable timeout("HCCL_EXEC_TIMEOUT", "2");
  ExpectAll({RunIntoTheTimeOutOfAStoppedRank, SendToARankThatReduces});
}

void JoinWithoutTheThird(Kind kind) {
  const Outcome outcome = RunRanksFreely(kind, 3, [](Rank& rank) {
    if (rank.rank == 2) return;
    ASSERT_EQ(aclrtSetDevice(rank.device), ACL_SUCCESS);
    const auto begin = steady_clock::now();
    EXPECT_EQ(rank.Join(0, rank.rank, 3, nullptr, &rank.comm), HCCL_E_TIMEOUT);
    const std::string message = Rank::Message();
    EXPECT_GT(SecondsSince(begin), 1.5) << message;
    // Who is missing.
    EXPECT_NE(message.find("2"), std::string::npos) << message;
    EXPECT_EQ(rank.comm, nullptr);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (int status : outcome.statuses) EXPECT_EQ(status, 0);
}

TEST(FaultTest, AbsentRankEndsTheJoin) {
  Variable timeout("HCCL_CONNECT_TIMEOUT", "2");
  ExpectAll(
      {[] { JoinWithoutTheThird(Kind::kProcesses); }, [] { JoinWithoutTheThird(Kind::kThreads); }});
}

TEST(FaultTest, RanksMustAgreeOnTheirNumber) {
  Variable timeout("HCCL_CONNECT_TIMEOUT", "10");
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 2, [](Rank& rank) {
    ASSERT_EQ(aclrtSetDevice(rank.device), ACL_SUCCESS);
    EXPECT_NE(rank.Join(0, rank.rank, 2 + rank.rank, nullptr, &rank.comm), HCCL_SUCCESS);
    EXPECT_FALSE(Rank::Message().empty());
  });
  EXPECT_FALSE(outcome.timed_out);
  for (int status : outcome.statuses) EXPECT_EQ(status, 0);
}

// The client gives up: the task ends at once, and the others hear of it.
TEST(FaultTest, AbortOfTheStream) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 2, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    Buffer buffer(size_t{64}, 0);
    if (rank.rank == 0) {
      EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
      std::this_thread::sleep_for(milliseconds(300));
      EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
      rank.shared.Meet(0, 2);
      return;
    }
    rank.shared.Meet(0, 2);
    // The first may have all that it needs: what the other rank had sent before.
    bool failed = false;
    for (int i = 0; i < 2 && !failed; ++i) {
      failed = AllReduce(rank, buffer, 4) != HCCL_SUCCESS ||
               aclrtSynchronizeStream(rank.stream) != ACL_SUCCESS;
    }
    EXPECT_TRUE(failed);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
  });
  EXPECT_FALSE(outcome.timed_out);
  for (int status : outcome.statuses) EXPECT_EQ(status, 0);
}

// What waited behind something else when its stream was aborted is told of, too.
TEST(FaultTest, AQueuedOperationThatIsDropped) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    Buffer buffer(size_t{64}, 0);
    aclrtNotify never = nullptr;
    ASSERT_EQ(aclrtCreateNotify(&never, 0), ACL_SUCCESS);
    if (rank.rank == 0) {
      ASSERT_EQ(aclrtWaitAndResetNotify(never, rank.stream, 0), ACL_SUCCESS);
    }
    EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
    rank.shared.Meet(0, 2);
    if (rank.rank == 0) {
      std::this_thread::sleep_for(milliseconds(200));
      EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
    } else {
      EXPECT_NE(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("dropped"), std::string::npos) << message;
      EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
    }
    EXPECT_EQ(aclrtDestroyNotify(never), ACL_SUCCESS);
  });
}

// A graph of what `enqueue` puts into the stream.
template <class Enqueue>
aclmdlRI Captured(Rank& rank, Enqueue enqueue) {
  aclmdlRI graph = nullptr;
  EXPECT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), ACL_SUCCESS);
  enqueue();
  EXPECT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), ACL_SUCCESS) << Rank::Message();
  return graph;
}

// The same of a graph: of a replay that waits in its stream, and of an operation in one.
TEST(FaultTest, AReplayThatIsDropped) {
  for (const bool waits_in_graph : {false, true}) {
    RunRanks(Kind::kProcesses, 2, [&](Rank& rank) {
      Buffer buffer(size_t{64}, 0);
      aclrtNotify never = nullptr;
      ASSERT_EQ(aclrtCreateNotify(&never, 0), ACL_SUCCESS);
      const auto wait = [&] {
        EXPECT_EQ(aclrtWaitAndResetNotify(never, rank.stream, 0), ACL_SUCCESS);
      };
      const aclmdlRI graph = Captured(rank, [&] {
        if (rank.rank == 0 && waits_in_graph) wait();
        EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
      });
      if (rank.rank == 0 && !waits_in_graph) wait();
      EXPECT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), ACL_SUCCESS);
      rank.shared.Meet(0, 2);
      if (rank.rank == 0) {
        std::this_thread::sleep_for(milliseconds(200));
        EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
      } else {
        EXPECT_NE(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
        const std::string message = Rank::Message();
        EXPECT_NE(message.find("dropped"), std::string::npos) << message;
        EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
      }
      EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
      EXPECT_EQ(aclrtDestroyNotify(never), ACL_SUCCESS);
    });
  }
}

// As torch_npu's watchdog does with a stuck communicator.
void DestroyByAnotherThread(bool in_graph) {
  for (Kind kind : {Kind::kProcesses, Kind::kThreads}) {
    const Outcome outcome = RunRanksFreely(kind, 2, [in_graph](Rank& rank) {
      rank.Open();
      ASSERT_NE(rank.comm, nullptr);
      if (rank.rank == 1) {
        rank.shared.Meet(0, 2);
        return;
      }
      Buffer buffer(size_t{64}, 0);
      const auto enqueue = [&] { EXPECT_HCCL_OK(AllReduce(rank, buffer, 4)); };
      if (in_graph) {
        EXPECT_EQ(aclmdlRIExecuteAsync(Captured(rank, enqueue), rank.stream), ACL_SUCCESS);
      } else {
        enqueue();
      }
      std::thread other([&] {
        std::this_thread::sleep_for(milliseconds(300));
        EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
      });
      EXPECT_NE(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
      EXPECT_FALSE(Rank::Message().empty());
      other.join();
      rank.shared.Meet(0, 2);
    });
    EXPECT_FALSE(outcome.timed_out);
    for (int status : outcome.statuses) EXPECT_EQ(status, 0);
  }
}

TEST(FaultTest, DestructionByAnotherThread) { DestroyByAnotherThread(false); }
TEST(FaultTest, DestructionByAnotherThreadOfAGraph) { DestroyByAnotherThread(true); }

// A call that waits for other ranks ends, too.
TEST(FaultTest, DestructionWhileACallWaits) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 2, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    if (rank.rank == 0) {
      std::thread waiting([&] {
        ASSERT_EQ(aclrtSetDevice(rank.device), ACL_SUCCESS);
        uint32_t members[] = {1, 0};
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        HcclComm part = nullptr;
        EXPECT_NE(HcclCreateSubCommConfig(&rank.comm, 2, members, 7, 1, &config, &part),
                  HCCL_SUCCESS);
      });
      std::this_thread::sleep_for(milliseconds(300));
      EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
      waiting.join();
    }
    rank.shared.Meet(0, 2);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (int status : outcome.statuses) EXPECT_EQ(status, 0);
}

// A rank that ends well is missed only by who still wants something of it.
TEST(FaultTest, LeavingIsNoFailure) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 2, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    Buffer buffer(size_t{64}, 0);
    EXPECT_HCCL_OK(AllReduce(rank, buffer, 4));
    rank.Synchronize();
    if (rank.rank == 1) {
      rank.Close();
      rank.shared.Meet(0, 2);
      return;
    }
    rank.shared.Meet(0, 2);
    std::this_thread::sleep_for(milliseconds(500));
    EXPECT_EQ(AsyncError(rank), HCCL_SUCCESS);
    const HcclResult result = AllReduce(rank, buffer, 4);
    EXPECT_TRUE(result != HCCL_SUCCESS || aclrtSynchronizeStream(rank.stream) != ACL_SUCCESS);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find("rank 1"), std::string::npos) << message;
  });
  EXPECT_FALSE(outcome.timed_out);
  for (int status : outcome.statuses) EXPECT_EQ(status, 0);
}

// Memory that an operation will use may be given back before it has run.
TEST(FaultTest, MemoryGivenBackEarly) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    for (int i = 0; i < 10; ++i) {
      void* data = nullptr;
      constexpr size_t kBytes = size_t{4} << 20;
      ASSERT_EQ(aclrtMalloc(&data, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      EXPECT_HCCL_OK(HcclAllReduce(data, data, kBytes / 4, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM,
                                   rank.comm, rank.stream));
      EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
    }
    rank.Synchronize();
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
