// SPDX-License-Identifier: Apache-2.0
// Communicators on an engine in memory (memory_engine.cc): what must hold whatever carries the
// messages, for ThreadSanitizer's eyes, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "acl/acl.h"
#include "engine_ranks.h"
#include "hccl/communicator.h"
#include "hccl/exchange.h"
#include "hccl/hccl.h"
#include "hccl/hccl_comm.h"
#include "hccl/hccl_res.h"
#include "hccl/label.h"
#include "hccl/window.h"

namespace {

using namespace anyacl::test::hccl_engine;
namespace hccl = anyacl::hccl;

// In place: whoever writes its output before its part was taken spoils another one's sum.
TEST(EngineTest, ReducesInPlace) {
  for (const size_t count : {size_t{3}, size_t{2000}, size_t{300'001}}) {
    RunRanks([&](Rank& rank) {
      auto* data = Device<int32_t>(count);
      for (int round = 0; round < 3; ++round) {
        for (size_t i = 0; i < count; ++i) data[i] = static_cast<int32_t>(i * (rank.rank + 1));
        ASSERT_EQ(HcclAllReduce(data, data, count, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, rank.comm,
                                rank.stream),
                  HCCL_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS) << aclGetRecentErrMsg();
        for (size_t i = 0; i < count; ++i) {
          ASSERT_EQ(data[i], static_cast<int32_t>(i * kRanks * (kRanks + 1) / 2)) << i;
        }
      }
      aclrtFree(data);
    });
  }
}

TEST(EngineTest, MovesOnSeveralStreams) {
  RunRanks([](Rank& rank) {
    constexpr size_t kCount = 5000;
    aclrtStream second = nullptr;
    ASSERT_EQ(aclrtCreateStream(&second), ACL_SUCCESS);
    auto* all = Device<int64_t>(kCount * kRanks);
    auto* mine = Device<int64_t>(kCount);
    auto* spread = Device<int64_t>(40'000);
    for (size_t i = 0; i < kCount; ++i) mine[i] = static_cast<int64_t>(rank.rank * kCount + i);
    for (size_t i = 0; i < 40'000; ++i) spread[i] = rank.rank == 2 ? static_cast<int64_t>(i) : -1;
    for (int round = 0; round < 5; ++round) {
      ASSERT_EQ(HcclAllGather(mine, all, kCount, HCCL_DATA_TYPE_INT64, rank.comm, rank.stream),
                HCCL_SUCCESS);
      ASSERT_EQ(HcclBroadcast(spread, 40'000, HCCL_DATA_TYPE_INT64, 2, rank.comm, second),
                HCCL_SUCCESS);
      ASSERT_EQ(HcclBarrier(rank.comm, second), HCCL_SUCCESS);
    }
    ASSERT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS) << aclGetRecentErrMsg();
    for (size_t i = 0; i < kCount * kRanks; ++i) ASSERT_EQ(all[i], static_cast<int64_t>(i));
    for (size_t i = 0; i < 40'000; ++i) ASSERT_EQ(spread[i], static_cast<int64_t>(i));
    aclrtFree(all);
    aclrtFree(mine);
    aclrtFree(spread);
    ASSERT_EQ(aclrtDestroyStream(second), ACL_SUCCESS);
  });
}

TEST(EngineTest, PassesMessagesInARing) {
  RunRanks([](Rank& rank) {
    auto* out = Device<uint32_t>(1000);
    auto* in = Device<uint32_t>(1000);
    for (uint32_t round = 0; round < 10; ++round) {
      for (size_t i = 0; i < 1000; ++i) out[i] = rank.rank * 100 + round;
      HcclSendRecvItem items[] = {
          {HCCL_SEND, out, 1000, HCCL_DATA_TYPE_UINT32, (rank.rank + 1) % kRanks},
          {HCCL_RECV, in, 1000, HCCL_DATA_TYPE_UINT32, (rank.rank + kRanks - 1) % kRanks}};
      ASSERT_EQ(HcclBatchSendRecv(items, 2, rank.comm, rank.stream), HCCL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS) << aclGetRecentErrMsg();
      for (size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(in[i], (rank.rank + kRanks - 1) % kRanks * 100 + round);
      }
    }
    aclrtFree(out);
    aclrtFree(in);
  });
}

// A captured operation runs as often as its graph, and meets the other ranks' same run.
TEST(EngineTest, RunsInGraphs) {
  RunRanks([](Rank& rank) {
    auto* data = Device<int32_t>(100);
    aclmdlRI graph = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL),
              ACL_SUCCESS);
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(HcclAllReduce(data, data, 100, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, rank.comm,
                              rank.stream),
                HCCL_SUCCESS)
          << aclGetRecentErrMsg();
    }
    ASSERT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), ACL_SUCCESS);
    for (int round = 0; round < 20; ++round) {
      for (int i = 0; i < 100; ++i) data[i] = i + round;
      ASSERT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), ACL_SUCCESS);
      // One that is no part of the graph between its runs.
      ASSERT_EQ(HcclAllReduce(data, data, 100, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_MAX, rank.comm,
                              rank.stream),
                HCCL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS) << aclGetRecentErrMsg();
      for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(data[i], static_cast<int32_t>((i + round) * kRanks * kRanks));
      }
    }
    ASSERT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
    aclrtFree(data);
  });
}

// The rank that waits finds the message of another call and names both.
TEST(EngineTest, DifferentCallsFailOnAllRanks) {
  RunRanks([](Rank& rank) {
    auto* data = Device<float>(100);
    const HcclReduceOp op = rank.rank == 1 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM;
    ASSERT_EQ(HcclAllReduce(data, data, 100, HCCL_DATA_TYPE_FP32, op, rank.comm, rank.stream),
              HCCL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("sum"), std::string::npos) << message;
    EXPECT_NE(message.find("max"), std::string::npos) << message;
    HcclResult error = HCCL_SUCCESS;
    EXPECT_EQ(HcclGetCommAsyncError(rank.comm, &error), HCCL_SUCCESS);
    EXPECT_EQ(error, HCCL_E_PARA);
    aclrtFree(data);
  });
}

// Every piece of one rank has the length of the other's.
TEST(EngineTest, DifferentSizesOfWholePiecesFailOnAllRanks) {
  RunRanks([](Rank& rank) {
    const size_t count = size_t{rank.rank == 2 ? 2U : 1U} << 20;
    auto* data = Device<float>(count);
    ASSERT_EQ(HcclAllReduce(data, data, count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, rank.comm,
                            rank.stream),
              HCCL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("1048576"), std::string::npos) << message;
    EXPECT_NE(message.find("2097152"), std::string::npos) << message;
    aclrtFree(data);
  });
}

// Nothing that is under way keeps the memory when the stream is aborted.
TEST(EngineTest, AnAbortedStreamFailsTheOthers) {
  RunRanks([](Rank& rank) {
    auto* data = Device<float>(1'000'000);
    if (rank.rank != 0) {
      ASSERT_EQ(HcclAllReduce(data, data, 1'000'000, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                              rank.comm, rank.stream),
                HCCL_SUCCESS);
    }
    if (rank.rank == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
    }
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), rank.rank < 2 ? ACL_SUCCESS : 507018);
    aclrtFree(data);
  });
}

// Reasons to end are found while the engine moves other things on without a pause.
TEST(EngineTest, AnAbortedStreamEndsWhileOtherMessagesMove) {
  RunRanks([](Rank& rank) {
    if (rank.rank != 0) return;
    auto* data = Device<float>(4);
    const Busy busy;  // until the stream has ended
    ASSERT_EQ(
        HcclAllReduce(data, data, 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, rank.comm, rank.stream),
        HCCL_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(aclrtStreamAbort(rank.stream), ACL_SUCCESS);
    aclrtFree(data);
  });
}

// A long message is no silence.
TEST(EngineTest, DestructionWaitsForWhatGetsOn) {
  std::optional<Busy> busy;
  std::atomic<uint32_t> joined{0};
  RunRanks([&](Rank& rank) {
    if (rank.rank == 0) busy.emplace(std::chrono::milliseconds(800));
    ++joined;
    while (joined < kRanks) std::this_thread::yield();
    auto* data = Device<int32_t>(100'000);
    std::fill(data, data + 100'000, static_cast<int32_t>(rank.rank));
    ASSERT_EQ(HcclAllReduce(data, data, 100'000, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, rank.comm,
                            rank.stream),
              HCCL_SUCCESS);
    EXPECT_EQ(HcclCommDestroy(rank.comm), HCCL_SUCCESS);
    rank.comm = nullptr;
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS) << aclGetRecentErrMsg();
    EXPECT_EQ(data[99'999], 6);
    aclrtFree(data);
  });
}

// A model that is built by hand runs what it has as a captured graph does: as often as it is asked.
TEST(EngineTest, RunsInModelsBuiltByHand) {
  RunRanks([](Rank& rank) {
    auto* data = Device<int32_t>(100);
    const auto build = [&](aclrtStream* bound) {
      aclmdlRI model = nullptr;
      EXPECT_EQ(aclmdlRIBuildBegin(&model, 0), ACL_SUCCESS);
      EXPECT_EQ(aclrtCreateStreamWithConfig(bound, 0, ACL_STREAM_PERSISTENT), ACL_SUCCESS);
      EXPECT_EQ(aclmdlRIBindStream(model, *bound, ACL_MODEL_STREAM_FLAG_HEAD), ACL_SUCCESS);
      EXPECT_EQ(
          HcclAllReduce(data, data, 100, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, rank.comm, *bound),
          HCCL_SUCCESS);
      EXPECT_EQ(aclmdlRIEndTask(model, *bound), ACL_SUCCESS);
      EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), ACL_SUCCESS);
      return model;
    };
    const auto destroy = [](aclmdlRI model, aclrtStream bound) {
      EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
      EXPECT_EQ(aclrtDestroyStream(bound), ACL_SUCCESS);
    };
    aclrtStream bound[2] = {};
    const aclmdlRI model = build(&bound[0]);
    // One that never runs is nothing that anybody waits for.
    const aclmdlRI idle = build(&bound[1]);
    for (int round = 1; round <= 3; ++round) {
      std::fill(data, data + 100, round);
      ASSERT_EQ(aclmdlRIExecuteAsync(model, rank.stream), ACL_SUCCESS);
      // In between one in a stream, whose number is another.
      ASSERT_EQ(HcclAllReduce(data, data, 100, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_MAX, rank.comm,
                              rank.stream),
                HCCL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS) << aclGetRecentErrMsg();
      EXPECT_EQ(data[99], round * static_cast<int32_t>(kRanks));
    }
    destroy(idle, bound[1]);
    HcclResult error = HCCL_E_INTERNAL;
    EXPECT_EQ(HcclGetCommAsyncError(rank.comm, &error), HCCL_SUCCESS);
    EXPECT_EQ(error, HCCL_SUCCESS);
    const auto group = hccl::Communicators().Find(rank.comm);
    EXPECT_EQ(HcclCommDestroy(rank.comm), HCCL_SUCCESS);
    EXPECT_EQ(group->failure().text, "it has been destroyed");  // not: while an operation waited
    rank.comm = nullptr;
    destroy(model, bound[0]);
    aclrtFree(data);
  });
}

// What a call with two groups does not find whole, it does not leave waiting either.
class TwoGroups : public ::testing::Test {
 protected:
  static constexpr int kRefused = 507018;

  void SetUp() override {
    for (int i = 0; i < 2; ++i) {
      int32_t device = 0;
      ASSERT_EQ(HcclCommInitAll(1, &device, &comms[i]), HCCL_SUCCESS) << aclGetRecentErrMsg();
      groups[i] = hccl::Communicators().Find(comms[i]);
      ASSERT_NE(groups[i], nullptr);
    }
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  }
  void TearDown() override {
    for (int i = 0; i < 2; ++i) {
      groups[i] = nullptr;
      EXPECT_EQ(HcclCommDestroy(comms[i]), HCCL_SUCCESS);
    }
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(runs, 0);
  }

  std::function<anyacl::Status(anyacl::RankCollectives&, const anyacl::StopToken&)> Counted() {
    return [this](anyacl::RankCollectives&, const anyacl::StopToken&) {
      ++runs;
      return anyacl::Status();
    };
  }
  int Call(std::shared_ptr<anyacl::RankGroup> first, std::shared_ptr<anyacl::RankGroup> second) {
    anyacl::RankCall call{"aclnnBoth", "", Counted(), std::move(second)};
    return first->Submit(std::move(call), stream).code();
  }
  std::shared_ptr<anyacl::RankGroup> Group(int i) {
    return groups[i]->windows().shared_from_this();
  }

  HcclComm comms[2] = {};
  std::shared_ptr<hccl::Communicator> groups[2];
  aclrtStream stream = nullptr;
  std::atomic<int> runs{0};
};

TEST_F(TwoGroups, AFailedOneFailsTheOther) {
  groups[1]->Abort(HCCL_E_REMOTE, "rank 7 is lost");
  EXPECT_EQ(Call(Group(0), Group(1)), kRefused);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("rank 7 is lost"), std::string::npos);
  EXPECT_TRUE(groups[0]->failed());
  EXPECT_NE(groups[0]->failure().text.find("rank 7 is lost"), std::string::npos);
  EXPECT_EQ(groups[0]->failure().code, HCCL_E_REMOTE);
}

TEST_F(TwoGroups, ASuspendedOneFailsTheOther) {
  groups[1]->Suspend(true);
  EXPECT_EQ(Call(Group(0), Group(1)), kRefused);
  EXPECT_TRUE(groups[0]->failed());
  EXPECT_FALSE(groups[1]->failed());
  EXPECT_NE(groups[0]->failure().text.find("suspended"), std::string::npos);
}

// A group that is no communicator of the library's.
class StrangeGroup final : public anyacl::RankGroup {
 public:
  const std::string& name() const override { return name_; }
  uint32_t rank() const override { return 0; }
  uint32_t size() const override { return 1; }
  anyacl::Status Window(uint32_t, anyacl::RankWindow*) override { return {}; }
  anyacl::Status ExchangeArea(uint32_t, anyacl::RankWindow*) override { return {}; }
  uint64_t exchange_size() const override { return 0; }
  bool InOwnWindow(const void*) const override { return false; }
  anyacl::Status Send(uint32_t, const anyacl::WindowMessage&, uint64_t*) override { return {}; }
  anyacl::Status Failure() const override { return {}; }
  void Abort(const std::string&) override {}

 private:
  const std::string name_ = "strange";
};

TEST_F(TwoGroups, RefusesAStrangersGroup) {
  EXPECT_EQ(Call(Group(0), std::make_shared<StrangeGroup>()), ACL_ERROR_FEATURE_UNSUPPORTED);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("strange"), std::string::npos);
  EXPECT_FALSE(groups[0]->failed());
}

}  // namespace
