// SPDX-License-Identifier: Apache-2.0
// Ranks that leave, stop or are lost while the AFD operators and schedulers wait for them.
#include "ops/afd_window_case.h"

namespace anyacl::test {
namespace {

// Of several receivers one takes its message in no more: it is the one that is named, whichever
// message was sent last.
TEST_F(WindowTest, AReceiverThatLeavesIsNamed) {
  const PipelineShape shape = {};
  for (const uint32_t receiver : {2u, 3u}) {
    World world("afd", shape.windows(), true);
    SendCall call(shape);
    Fill(call, 0, 3);
    world.Withhold(receiver);
    ASSERT_OK(call.Launch(stream()));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    world.Leave(5 - receiver);  // in order: it has had its message
    ExpectStillRuns();
    world.Leave(receiver);
    TakeMessages();
    ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost,
                  {"rank " + std::to_string(receiver)});
  }
}

TEST_F(WindowTest, AReceiverThatStopsIsNamed) {
  const PipelineShape shape = {};
  World world("afd", shape.windows(), true);
  SendCall call(shape);
  Fill(call, 0, 3);
  world.Withhold(2);
  ASSERT_OK(aclrtSetOpExecuteTimeOut(1));
  TakeMessages();
  ExpectFailure(call.Run(stream()), kTimeoutError, {"rank 2 on host-2", "the message"});
}

TEST_F(WindowTest, ALostRankEndsTheWait) {
  PipelineShape shape = {};
  World world("afd", shape.windows(), false);
  SendCall call(shape);
  Fill(call, 0, 3);
  *reinterpret_cast<int32_t*>(world.window(2)) = 1;
  ASSERT_OK(call.Launch(stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  world.Lose(2);
  TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"rank 2", "\"afd\""});
  ExpectFailure(call.Run(stream()), World::kLost, {"rank 2"});
}

// A scheduler whose slots lie in a communicator's window learns of its ranks.
TEST_F(WindowTest, ALostRankEndsASchedulersWait) {
  const FfnShape slots = {2, 2, 2, 3};
  World world("afd", {4096, 4096}, false);
  FfnWorker worker(slots, reinterpret_cast<int32_t*>(world.window(0)));
  ASSERT_OK(worker.Launch(2, stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  world.Lose(1);
  TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"rank 1"});
  EXPECT_EQ(worker.out_num(), 0u);
}

// One of several senders may leave an idle worker; when all have, nothing will come.
TEST_F(WindowTest, LeaversOfAnIdleScheduler) {
  for (const int32_t group : {1, 2}) {
    const FfnShape slots = {2, 2, 2, 3};
    World world("afd", {4096, 4096, 4096}, false);
    FfnWorker worker(slots, reinterpret_cast<int32_t*>(world.window(0)));
    ASSERT_OK(worker.Launch(group, stream()));
    for (const uint32_t leaver : {1u, 2u}) {
      world.Leave(leaver);
      ExpectStillRuns();
    }
    world.Leave(RankGroup::kAnyRank);
    TakeMessages();
    ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"all of", "\"afd\""});
    EXPECT_EQ(worker.out_num(), 0u);
  }
}

// Rows that are returned tell that session 1 is rank 2 and session 2 rank 1.
void TellSessions(const PipelineShape& shape, aclrtStream stream) {
  ReturnCall back(shape, 2);
  back.sessions.Write(std::vector<int32_t>{1, 2});
  back.has_table = true;
  back.rank_table.Write(std::vector<int32_t>{0, 2, 1});
  for (Tensor* tensor : {&back.micro_batches, &back.tokens, &back.offsets}) {
    tensor->Write(std::vector<int32_t>{0, 0});
  }
  back.actual.Write(std::vector<int64_t>{2});
  ASSERT_OK(back.Run(stream));
}

// Who has sent waits for the other one.
TEST_F(WindowTest, ALeaverThatASchedulerMisses) {
  const PipelineShape shape = {.attention = 3, .ffn = 1};
  World world("afd", shape.windows(), true);
  TellSessions(shape, stream());
  const FfnShape slots = {3, 1, 2, 3};
  FfnWorker worker(slots, reinterpret_cast<int32_t*>(world.window(0)));
  ASSERT_OK(worker.Launch(3, stream()));
  world.Leave(2);
  ExpectStillRuns();
  worker.Publish(0, 0, 5);
  TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"rank 2"});
  EXPECT_EQ(worker.out_num(), 0u);
}

TEST_F(WindowTest, ATimeOutSaysWhoHasNotSent) {
  const PipelineShape shape = {.attention = 3, .ffn = 1};
  World world("afd", shape.windows(), true);
  TellSessions(shape, stream());
  const FfnShape slots = {3, 1, 2, 3};
  for (const int32_t group : {1, 3}) {
    FfnWorker worker(slots, reinterpret_cast<int32_t*>(world.window(0)));
    if (group == 3) worker.Publish(0, 0, 5);
    ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(100));
    ASSERT_OK(worker.Launch(group, stream()));
    TakeMessages();
    if (group == 3) {
      ExpectFailure(aclrtSynchronizeStream(stream()), kTimeoutError,
                    {"session 1 from rank 2 on host-2"});
    } else {
      ExpectFailure(aclrtSynchronizeStream(stream()), kTimeoutError, {"session 0, micro batch 0"});
    }
  }
}

// An attention worker misses the rank that its rows went to, and no other one, until they are back.
TEST_F(WindowTest, ALeaverThatHasRows) {
  const PipelineShape shape = {};
  World world("afd", shape.windows(), false);
  SendCall call(shape);
  const Sent sent = Fill(call, 0, 3);
  const auto& routing = sent.routing;
  const auto holder = static_cast<uint32_t>(
      routing.rank_table[static_cast<size_t>(routing.expert_ids[0] * shape.width() + 1)]);
  auto* flags = reinterpret_cast<int32_t*>(world.window(0));
  GuardedBuffer context(1024);
  std::memset(context.data(), 0, 1024);
  const auto set = [&](const Field& field, uint64_t value) {
    std::memcpy(context.data() + field.offset, &value, field.bytes);
  };
  set(field::kMicroBatchNum, 2);
  set(field::kMicroBatchSize, 3);
  set(field::kSelectedExpertNum, 3);
  set(field::kScheduleMode, 1);
  set(field::kRunFlag, 1);
  set(field::kAttentionInfo, reinterpret_cast<uintptr_t>(flags));
  set(field::kAttentionInfoSize, static_cast<uint64_t>(shape.attention_rows()));
  set(field::kAttentionData, reinterpret_cast<uintptr_t>(flags) + 512);
  set(field::kMicroBatchId, 1);
  const int64_t size = 1024;
  aclTensor* tensor =
      aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, context.data());
  Caller caller;
  const auto schedule = [&] {
    ASSERT_OK(caller.Launch(
        [&](uint64_t* bytes, aclOpExecutor** executor) {
          return aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(tensor, bytes, executor);
        },
        aclnnInplaceAttentionWorkerScheduler, stream()));
  };
  ASSERT_OK(call.Run(stream()));
  schedule();
  world.Leave(1);
  ExpectStillRuns();
  world.Leave(holder);
  TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"rank " + std::to_string(holder)});
  std::fill_n(flags, shape.ids(), 1);  // they are back
  schedule();
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  set(field::kMicroBatchId, 1);
  schedule();
  ExpectStillRuns();
  world.Leave(RankGroup::kAnyRank);
  ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"all of"});
  EXPECT_OK(aclDestroyTensor(tensor));
}

}  // namespace
}  // namespace anyacl::test
