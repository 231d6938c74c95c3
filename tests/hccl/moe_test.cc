// SPDX-License-Identifier: Apache-2.0
// aclnnMoeDistributeDispatch and aclnnMoeDistributeCombine in all versions, and steps of
// attention/FFN disaggregation, in the buffers of communicators for which no memory was registered:
// between threads, processes, and processes that take each other for other hosts'.
#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include "hccl/hccl_comm.h"
#include "hccl/hccl_res.h"
#include "ops/afd_rank.h"
#include "ops/moe_rank.h"
#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

// Another communicator of all ranks, which are hosts of their own: what one of them may map of
// another one's is not asked. False where the system does not let a process call itself something.
bool JoinAsHosts(Rank& rank, HcclComm* comm) {
  const std::string host = "host-" + std::to_string(rank.rank);
  if (unshare(CLONE_NEWUTS) != 0 || sethostname(host.data(), host.size()) != 0) return false;
  EXPECT_HCCL_OK(rank.Join(1, rank.rank, rank.ranks, nullptr, comm));
  return *comm != nullptr;
}

const MoeShape kShapes[] = {
    {.tokens = {4, 1, 3}, .chosen = 3, .hidden = 1024, .routed = 6, .mask = MoeMask::kRows},
    {.tokens = {4, 4, 4},
     .hidden = 1024,
     .routed = 4,
     .shared = 1,
     .shared_ranks = 1,
     .dtype = ACL_BF16,
     .quant = 2,
     .comm_quant = 2,
     .has_scales = true},
    {.tokens = {300, 512, 7}, .chosen = 4, .hidden = 640, .routed = 12, .has_shared_x = true},
    {.tokens = {4, 1, 3},
     .hidden = 1024,
     .routed = 4,
     .shared = 1,
     .shared_ranks = 1,
     .by_copy = true},
    {.tokens = {4, 1, 3}, .hidden = 1024, .routed = 6, .dtype = ACL_BF16, .norm = true},
    {.tokens = {4, 1, 3},
     .chosen = 4,
     .hidden = 1024,
     .routed = 6,
     .version = 4,
     .zero = 1,
     .copy = 1,
     .constant = 1},
};

void RunSteps(Rank& rank, HcclComm comm) {
  ASSERT_EQ(aclrtSetOpExecuteTimeOut(30), ACL_SUCCESS);
  for (const MoeShape& shape : kShapes) {
    MoeRank worker(shape, 7, rank.rank, NameOf(comm));
    for (int64_t step = 0; step < 3 && !::testing::Test::HasFailure(); ++step) {
      worker.Step(step, rank.stream);
    }
  }
  if (::testing::Test::HasFailure()) return;
  const MoeShape small = {.tokens = {3, 1, 4}, .routed = 6};
  MoeRank worker(small, 8, rank.rank, NameOf(comm));
  worker.Burst(50, rank.stream);
}

class MoeTest : public ::testing::TestWithParam<Kind> {};

TEST_P(MoeTest, StepsInTheBuffer) {
  RunRanks(GetParam(), 3, [](Rank& rank) { RunSteps(rank, rank.comm); });
}
INSTANTIATE_TEST_SUITE_P(Kinds, MoeTest, ::testing::Values(Kind::kThreads, Kind::kProcesses),
                         [](const auto& info) { return hccl::NameOf(info.param); });

TEST(MoeHostsTest, StepsByMessages) {
  RunRanks(Kind::kProcesses, 3, [](Rank& rank) {
    HcclComm comm = nullptr;
    if (!JoinAsHosts(rank, &comm)) return;
    RunSteps(rank, comm);
    EXPECT_HCCL_OK(HcclCommDestroy(comm));
  });
}

TEST(MoeFaultTest, DeadRankIsNoticed) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    const MoeShape shape = {.tokens = {3, 3, 3}, .routed = 6};
    MoeRank worker(shape, 7, rank.rank, NameOf(rank.comm));
    worker.Step(0, rank.stream);
    if (rank.rank == 2) kill(getpid(), SIGKILL);
    EXPECT_EQ(worker.Dispatch(rank.stream), 0);
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find("rank 2"), std::string::npos) << message;
    EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[0], 0);
  EXPECT_EQ(outcome.statuses[1], 0);
}

TEST(MoeFaultTest, AnAbortedStreamEndsTheOthers) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    const MoeShape shape;
    MoeRank worker(shape, 7, rank.rank, NameOf(rank.comm));
    worker.Step(0, rank.stream);
    // Neither hears the other one: 0 combines, 1 waits to be aborted, or the other way round.
    EXPECT_EQ(rank.rank == 0 ? worker.Dispatch(rank.stream) : 0, 0);
    if (rank.rank == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
      rank.shared.Meet(0, 2);
    } else {
      rank.shared.Meet(0, 2);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const int code = worker.Dispatch(rank.stream);
      EXPECT_EQ(code != 0 ? code : aclrtSynchronizeStream(rank.stream), 507018);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
    }
  });
}

// Of two receivers the one that stopped is named, not the one to which was sent last.
TEST(MoeFaultTest, AStoppedReceiverIsNamed) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    HcclComm comm = nullptr;
    const bool joined = JoinAsHosts(rank, &comm);
    const MoeShape shape = {.tokens = {3, 3, 3}, .routed = 6};
    if (joined) MoeRank(shape, 7, rank.rank, NameOf(comm)).Step(0, rank.stream);
    rank.shared.Meet(0, 3);
    if (rank.rank == 1) {
      raise(SIGSTOP);
      return;
    }
    if (rank.rank == 0 && joined) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ASSERT_EQ(aclrtSetOpExecuteTimeOut(2), ACL_SUCCESS);
      MoeRank worker(shape, 7, rank.rank, NameOf(comm));
      EXPECT_EQ(worker.Dispatch(rank.stream), 0);
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507017);
      const std::string message = Rank::Message();
      EXPECT_NE(message.find("rank 1 on host-1 "), std::string::npos) << message;
    }
    rank.shared.Meet(1, 2);
    if (rank.rank == 0) kill(rank.shared.pids[1], SIGKILL);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  });
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.statuses[0], 0);
  EXPECT_EQ(outcome.statuses[2], 0);
}

// A call that its stream gives up before it has begun, by itself or in a graph.
TEST(MoeFaultTest, ADroppedCallEndsTheOthers) {
  for (const bool in_graph : {false, true}) {
    RunRanks(Kind::kProcesses, 2, [in_graph](Rank& rank) {
      const MoeShape shape;
      MoeRank worker(shape, 7, rank.rank, NameOf(rank.comm));
      worker.Step(0, rank.stream);
      aclrtNotify never = nullptr;
      ASSERT_EQ(aclrtCreateNotify(&never, 0), ACL_SUCCESS);
      aclmdlRI graph = nullptr;
      if (in_graph) {
        ASSERT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED),
                  ACL_SUCCESS);
      }
      if (rank.rank == 0) {
        ASSERT_EQ(aclrtWaitAndResetNotify(never, rank.stream, 0), ACL_SUCCESS);
      }
      EXPECT_EQ(worker.Dispatch(rank.stream), 0);
      if (in_graph) {
        ASSERT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), ACL_SUCCESS) << Rank::Message();
        ASSERT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), ACL_SUCCESS);
      }
      rank.shared.Meet(0, 2);
      if (rank.rank == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
      } else {
        EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
        const std::string message = Rank::Message();
        EXPECT_NE(message.find("aclnnMoeDistributeDispatchV2 was dropped"), std::string::npos)
            << message;
        EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
      }
      if (in_graph) {
        EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
      }
      EXPECT_EQ(aclrtDestroyNotify(never), ACL_SUCCESS);
    });
  }
}

// What never runs in a graph no rank waits for.
TEST(MoeFaultTest, ACapturedCallMayBeLeftOut) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    const MoeShape shape;
    MoeRank worker(shape, 7, rank.rank, NameOf(rank.comm));
    worker.Step(0, rank.stream);
    aclmdlRI graph = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), ACL_SUCCESS);
    EXPECT_EQ(worker.Dispatch(rank.stream), 0);
    ASSERT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), ACL_SUCCESS) << Rank::Message();
    EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
    // Neither in a model that is built by hand.
    aclrtStream bound = nullptr;
    ASSERT_EQ(aclrtCreateStreamWithConfig(&bound, 0, ACL_STREAM_PERSISTENT), ACL_SUCCESS);
    ASSERT_EQ(aclmdlRIBuildBegin(&graph, 0), ACL_SUCCESS);
    ASSERT_EQ(aclmdlRIBindStream(graph, bound, ACL_MODEL_STREAM_FLAG_HEAD), ACL_SUCCESS);
    EXPECT_EQ(worker.Dispatch(bound), 0);
    EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(bound), ACL_SUCCESS);
    rank.shared.Meet(0, 2);
    worker.Step(1, rank.stream);
  });
}

// In order, before a call of the other rank, or while its own call waits.
class MoeLeaverTest : public ::testing::TestWithParam<std::tuple<Kind, bool>> {};

TEST_P(MoeLeaverTest, IsNoticed) {
  const auto [kind, waits] = GetParam();
  const bool leaves_in_call = waits;
  const Outcome outcome = RunRanksFreely(kind, 2, [leaves_in_call](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    const MoeShape shape;
    MoeRank worker(shape, 7, rank.rank, NameOf(rank.comm));
    worker.Step(0, rank.stream);
    rank.shared.Meet(0, 2);
    if (rank.rank == 0) {
      if (leaves_in_call) {
        EXPECT_EQ(worker.Dispatch(rank.stream), 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), leaves_in_call ? 507018 : 0);
      rank.shared.Meet(1, 2);
      return;
    }
    if (leaves_in_call) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const int code = worker.Dispatch(rank.stream);
    EXPECT_EQ(code != 0 ? code : aclrtSynchronizeStream(rank.stream), 507018);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find("rank 0"), std::string::npos) << message;
    rank.shared.Meet(1, 2);
    EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
  });
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}
INSTANTIATE_TEST_SUITE_P(Kinds, MoeLeaverTest,
                         ::testing::Combine(::testing::Values(Kind::kThreads, Kind::kProcesses),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(hccl::NameOf(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) ? "_waiting" : "_between_calls");
                         });

TEST(BufferTest, IsWhatTheDocumentSays) {
  setenv("HCCL_BUFFSIZE", "3", 1);
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    void *buffer = nullptr, *again = nullptr;
    uint64_t size = 0;
    ASSERT_HCCL_OK(HcclGetHcclBuffer(rank.comm, &buffer, &size));
    EXPECT_EQ(size, uint64_t{3} << 20);
    const auto* bytes = static_cast<const char*>(buffer);
    EXPECT_EQ(std::count(bytes, bytes + size, '\0'), static_cast<int64_t>(size));
    EXPECT_HCCL_OK(HcclGetHcclBuffer(rank.comm, &again, &size));
    EXPECT_EQ(again, buffer);
    EXPECT_EQ(HcclGetHcclBuffer(rank.comm, nullptr, &size), HCCL_E_PTR);
    EXPECT_EQ(HcclGetHcclBuffer(rank.comm, &again, nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetHcclBuffer(nullptr, &again, &size), HCCL_E_PTR);
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    config.hcclBufferSize = 1;
    HcclComm other = nullptr;
    ASSERT_HCCL_OK(rank.Join(1, rank.rank, 2, &config, &other));
    ASSERT_HCCL_OK(HcclGetHcclBuffer(other, &again, &size));
    EXPECT_EQ(size, uint64_t{1} << 20);
    // 512 rows of 4 KiB from each rank do not fit 1 MB.
    const MoeShape shape = {.tokens = {512, 512}, .hidden = 2048};
    MoeRank worker(shape, 7, rank.rank, NameOf(other));
    EXPECT_EQ(worker.Dispatch(rank.stream), 561002);
    EXPECT_NE(Rank::Message().find("HCCL_BUFFSIZE"), std::string::npos);
    EXPECT_HCCL_OK(HcclCommDestroy(other));
  });
  unsetenv("HCCL_BUFFSIZE");
}

// What a program is shown it may write: operators' turns do not lie there.
TEST(BufferTest, MayBeClearedBetweenCalls) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    void* buffer = nullptr;
    uint64_t size = 0;
    ASSERT_HCCL_OK(HcclGetHcclBuffer(rank.comm, &buffer, &size));
    const MoeShape shape;
    MoeRank worker(shape, 7, rank.rank, NameOf(rank.comm));
    for (int64_t step = 0; step < 3; ++step) {
      worker.Step(step, rank.stream);
      rank.shared.Meet(static_cast<int>(2 * step), 2);
      std::memset(buffer, 0x41 + static_cast<int>(rank.rank), size);
      rank.shared.Meet(static_cast<int>(2 * step + 1), 2);
    }
  });
}

// Rows for rank 0's window, which is an attention worker's.
int Return(Rank& rank, HcclComm comm, const std::vector<uint16_t>& x) {
  const PipelineShape shape = {.attention = 1, .ffn = 1, .micro_batches = 1};
  ReturnCall call(shape, 1, NameOf(comm));
  call.x.Write(x);
  for (Tensor* tensor : {&call.sessions, &call.micro_batches, &call.tokens, &call.offsets}) {
    tensor->Write(std::vector<int32_t>{0});
  }
  call.actual.Write(std::vector<int64_t>{1});
  return call.Run(rank.stream);
}

// Rank 1 may not look into rank 0's process, which may into rank 1's: each direction goes its own
// way, and what comes by messages is taken in while no operator runs.
TEST(BufferTest, OneSideAloneCanMap) {
  if (getuid() != 0) GTEST_SKIP() << "needs root";
  setenv("UCX_TLS", "tcp,self", 1);
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 2, [](Rank& rank) {
    if (rank.rank == 1) {
      ASSERT_EQ(setuid(65534), 0);
    }
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    ASSERT_EQ(aclrtSetOpExecuteTimeOut(5), ACL_SUCCESS);
    void* buffer = nullptr;
    uint64_t size = 0;
    ASSERT_HCCL_OK(HcclGetHcclBuffer(rank.comm, &buffer, &size));
    const std::vector<uint16_t> x(1024, 0x3c00);
    if (rank.rank == 1) {
      EXPECT_EQ(Return(rank, rank.comm, x), 0) << Rank::Message();
    }
    rank.shared.Meet(0, 2);
    if (rank.rank == 0) {
      // A message that has been sent is taken in a little later on a busy machine.
      const auto* flag = static_cast<const int32_t*>(buffer);
      for (int i = 0; i < 5000 && __atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      EXPECT_EQ(*flag, 1);
      const auto* rows = static_cast<const char*>(buffer) + 512;
      EXPECT_EQ(std::memcmp(rows, x.data(), 2048), 0);
    }
    rank.shared.Meet(1, 2);
    rank.Close();
  });
  unsetenv("UCX_TLS");
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}

// What a rank takes of a core while it waits in two operations, and in one while messages may come
// for its buffer: below 5 % each, which is printed. A limit that holds on a busy machine, too.
TEST(BufferTest, WhoWaitsSleeps) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    HcclComm comm = nullptr;
    if (!JoinAsHosts(rank, &comm)) return;
    aclrtStream second = nullptr;
    ASSERT_EQ(aclrtCreateStream(&second), ACL_SUCCESS);
    for (const bool served : {false, true}) {
      void* buffer = nullptr;
      uint64_t size = 0;
      if (served) {
        ASSERT_HCCL_OK(HcclGetHcclBuffer(comm, &buffer, &size));
      }
      rank.shared.Meet(served, 2);
      if (rank.rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1300));
      ASSERT_HCCL_OK(HcclBarrier(comm, rank.stream));
      if (!served) {
        ASSERT_HCCL_OK(HcclBarrier(comm, second));
      }
      if (rank.rank == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        const std::clock_t begin = std::clock();
        std::this_thread::sleep_for(std::chrono::seconds(1));
        const double share = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        std::printf("%s: %.1f %% of a core\n",
                    served ? "with a served buffer" : "in two operations", 100 * share);
        EXPECT_LT(share, 0.1);
      }
      rank.Synchronize();
      EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
    }
    EXPECT_EQ(aclrtDestroyStream(second), ACL_SUCCESS);
    EXPECT_HCCL_OK(HcclCommDestroy(comm));
  });
}

// Which memory of a rank is written that rank says, whatever the caller has registered.
TEST(BufferTest, TheWindowIsWhatItsRankSays) {
  for (const Kind kind : {Kind::kProcesses, Kind::kThreads}) {
    RunRanks(kind, 2, [](Rank& rank) {
      ASSERT_EQ(aclrtSetOpExecuteTimeOut(5), ACL_SUCCESS);
      Buffer memory(size_t{1} << 16, 0);
      void *handle = nullptr, *buffer = nullptr;
      uint64_t size = 0;
      const std::vector<uint16_t> x(1024, 0x3c00);
      // The sender's own window is its own business.
      if (rank.rank == 1) {
        ASSERT_HCCL_OK(HcclCommRegister(rank.comm, memory.data(), 1 << 16, &handle, 0));
      }
      rank.shared.Meet(0, 2);
      ASSERT_HCCL_OK(HcclGetHcclBuffer(rank.comm, &buffer, &size));
      if (rank.rank == 1) {
        EXPECT_EQ(Return(rank, rank.comm, x), 0) << Rank::Message();
        EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
      }
      rank.shared.Meet(1, 2);
      if (rank.rank == 0) {
        EXPECT_EQ(std::memcmp(static_cast<const char*>(buffer) + 512, x.data(), 2048), 0);
        ASSERT_HCCL_OK(HcclCommRegister(rank.comm, memory.data(), 1 << 16, &handle, 0));
      }
      rank.shared.Meet(2, 2);
      if (rank.rank == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_EQ(Return(rank, rank.comm, std::vector<uint16_t>(1024, 0x4000)), 100000);
        const std::string message = Rank::Message();
        EXPECT_NE(message.find("rank 0 has a window"), std::string::npos) << message;
      }
      rank.shared.Meet(3, 2);
      if (rank.rank == 0) {
        EXPECT_EQ(std::memcmp(static_cast<const char*>(buffer) + 512, x.data(), 2048), 0);
        EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
      }
      rank.shared.Meet(4, 2);
      if (rank.rank == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_EQ(Return(rank, rank.comm, x), 0) << Rank::Message();
      }
      rank.shared.Meet(5, 2);
    });
  }
}

void RunPipeline(Kind kind, bool as_hosts) {
  const PipelineMode mode = {2, 1, true};
  RunRanks(kind, static_cast<uint32_t>(ShapeOf(mode).world()), [&](Rank& rank) {
    ASSERT_EQ(aclrtSetOpExecuteTimeOut(30), ACL_SUCCESS);
    HcclComm comm = rank.comm;
    if (as_hosts && !JoinAsHosts(rank, &comm)) return;
    void* window = nullptr;
    uint64_t size = 0;
    ASSERT_HCCL_OK(HcclGetHcclBuffer(comm, &window, &size));
    AfdRank worker(mode, 7, rank.rank, NameOf(comm), static_cast<char*>(window));
    // Its tables are empty before others write.
    rank.shared.Meet(0, rank.ranks);
    worker.Run(rank.stream);
    rank.shared.Meet(1, rank.ranks);
    if (comm != rank.comm) {
      EXPECT_HCCL_OK(HcclCommDestroy(comm));
    }
  });
}

TEST(AfdBufferTest, DecodeStepsBetweenThreads) { RunPipeline(Kind::kThreads, false); }
TEST(AfdBufferTest, DecodeStepsBetweenProcesses) { RunPipeline(Kind::kProcesses, false); }
TEST(AfdBufferTest, DecodeStepsByMessages) { RunPipeline(Kind::kProcesses, true); }

}  // namespace
}  // namespace anyacl::test::hccl
