// SPDX-License-Identifier: Apache-2.0
// aclnnAttentionToFFN and aclnnFFNToAttention: every byte of all windows beside what the document
// says, mapped and by messages; waits and how they end; refusals.
#include <chrono>
#include <cmath>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "ops/afd_calls.h"
#include "ops/afd_world.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

constexpr int kShapeError = ACLNN_ERR_INNER_TILING_ERROR;

template <class T>
T At(const std::vector<char>& bytes, int64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}
template <class T>
void Put(std::vector<char>& bytes, int64_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

class WindowTest : public FfnTest {
 protected:
  static constexpr int64_t kGuard = 64;  // of World's windows

  // After some looks at who is there.
  void ExpectStillRuns() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    EXPECT_OK(aclrtStreamQuery(stream(), &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  }

  // Of session 0, which is this device.
  struct Sent {
    std::vector<uint16_t> x;
    std::vector<float> scales;
    Routing routing;
    int64_t tokens = 0;
    int32_t micro_batch = 0;
  };

  Sent Fill(SendCall& call, int32_t micro_batch, int64_t tokens) {
    const PipelineShape& s = call.shape;
    Sent sent;
    for (int64_t i = 0; i < s.tokens * s.hidden; ++i) {
      sent.x.push_back(EncodeFp16(static_cast<float>(random().Normal(0, 1))));
    }
    for (int64_t i = 0; i < (s.routed + s.shared) * s.hidden; ++i) {
      sent.scales.push_back(static_cast<float>(random().Normal(1, 0.2)));
    }
    sent.routing = {s.chosen, s.shared, s.routed, {}, RandomTable(s, random()), s.width()};
    for (int64_t i = 0; i < s.tokens * s.chosen; ++i) {
      sent.routing.expert_ids.push_back(static_cast<int32_t>(random().Int(0, s.routed - 1)));
    }
    sent.tokens = tokens;
    sent.micro_batch = micro_batch;
    call.x.Write(sent.x);
    call.scales.Write(sent.scales);
    call.session.Write(std::vector<int32_t>{0});
    call.micro_batch.Write(std::vector<int32_t>{micro_batch});
    call.layer.Write(std::vector<int32_t>{17});
    call.expert_ids.Write(sent.routing.expert_ids);
    call.rank_table.Write(sent.routing.rank_table);
    std::vector<uint8_t> mask(static_cast<size_t>(s.tokens), 0);
    std::fill_n(mask.begin(), tokens, uint8_t{1});
    call.mask.Write(mask);
    return sent;
  }

  // All windows, as they were before the call, become as they must be after it.
  void ExpectSent(const World& world, const SendCall& call, const Sent& sent,
                  std::vector<std::vector<char>> expected) {
    const PipelineShape& s = call.shape;
    const int64_t slot = kGuard + sent.micro_batch * s.slot_bytes();
    std::vector<bool> told(static_cast<size_t>(s.world()), false);
    for (int64_t r = s.attention; r < s.world(); ++r) told[static_cast<size_t>(r)] = s.sync == 0;
    for (const SentRow& row : ReferenceRoute(sent.routing, 0, sent.tokens)) {
      const auto rank = static_cast<size_t>(row.rank);
      told[rank] = true;
      const int64_t id = row.token * s.experts() + row.offset;
      Put(expected[rank], slot + 8 + 4 * id, row.local_id);
      const int64_t at = kGuard + s.ffn_rows() + (sent.micro_batch * s.ids() + id) * s.row_bytes();
      if (s.quant == 0) {
        std::memcpy(expected[rank].data() + at, &sent.x[static_cast<size_t>(row.token * s.hidden)],
                    static_cast<size_t>(2 * s.hidden));
      } else {
        ExpectQuantised(world.Bytes(static_cast<uint32_t>(rank)), at, call, sent, row);
        std::memcpy(expected[rank].data() + at,
                    world.Bytes(static_cast<uint32_t>(rank)).data() + at,
                    static_cast<size_t>(s.hidden + 4));
      }
    }
    for (size_t rank = 0; rank < told.size(); ++rank) {
      if (!told[rank]) continue;
      Put(expected[rank], slot, int32_t{1});
      Put(expected[rank], slot + 4, int32_t{17});
    }
    for (int64_t id = sent.tokens * s.experts(); id < s.ids(); ++id) {
      Put(expected[0], kGuard + 4 * (sent.micro_batch * s.ids() + id), int32_t{1});
    }
    for (uint32_t rank = 0; rank < told.size(); ++rank) {
      ASSERT_EQ(world.Bytes(rank), expected[rank]) << "window of rank " << rank;
    }
  }

  void ExpectQuantised(const std::vector<char>& window, int64_t at, const SendCall& call,
                       const Sent& sent, const SentRow& row) {
    const int64_t hidden = call.shape.hidden;
    std::vector<double> x;
    for (int64_t h = 0; h < hidden; ++h) {
      const double scale =
          call.has_scales ? sent.scales[static_cast<size_t>(row.expert * hidden + h)] : 1.0;
      x.push_back(scale * DecodeFp16(sent.x[static_cast<size_t>(row.token * hidden + h)]));
    }
    const QuantisedRow expected = ReferenceQuantise(x);
    EXPECT_NEAR(At<float>(window, at + hidden), expected.scale, expected.scale * 0x1p-21);
    for (int64_t h = 0; h < hidden; ++h) {
      // Half a step of rounding, and four roundings in fp32.
      ASSERT_NEAR(At<int8_t>(window, at + h), expected.quotients[static_cast<size_t>(h)],
                  0.5 + 127 * 0x1p-21)
          << "column " << h;
    }
  }

  static std::vector<std::vector<char>> AllBytes(const World& world, const PipelineShape& shape) {
    std::vector<std::vector<char>> bytes;
    for (uint32_t r = 0; r < shape.world(); ++r) bytes.push_back(world.Bytes(r));
    return bytes;
  }
};

TEST_F(WindowTest, SendsRowsIdsAndFlags) {
  for (const bool by_message : {false, true}) {
    for (const int64_t sync : {0, 1}) {
      for (const int64_t tokens : {0, 2, 3}) {
        for (const bool strided : {false, true}) {
          SCOPED_TRACE(::testing::Message() << "messages " << by_message << ", sync " << sync
                                            << ", tokens " << tokens << ", strided " << strided);
          PipelineShape shape = {.ffn = 3, .row = 1100, .sync = sync};
          World world("afd", shape.windows(), by_message);
          SendCall call(shape, "afd", strided);
          const Sent sent = Fill(call, 1, tokens);
          call.has_mask = tokens < 3;
          const auto before = AllBytes(world, shape);
          ASSERT_OK(call.Run(stream()));
          ExpectSent(world, call, sent, before);
          EXPECT_EQ(world.sent() > 0, by_message && (sync == 0 || tokens > 0));
        }
      }
    }
  }
}

TEST_F(WindowTest, QuantisesRows) {
  for (const bool by_message : {false, true}) {
    for (const bool scales : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "messages " << by_message << ", scales " << scales);
      PipelineShape shape = {.hidden = 2080, .row = 2560, .quant = 2, .sync = 1};
      World world("afd", shape.windows(), by_message);
      SendCall call(shape, "afd", scales);
      call.has_scales = scales;
      const Sent sent = Fill(call, 0, 3);
      const auto before = AllBytes(world, shape);
      ASSERT_OK(call.Run(stream()));
      ExpectSent(world, call, sent, before);
    }
  }
}

TEST_F(WindowTest, RowsWithoutAScaleOfTheirOwn) {
  PipelineShape shape = {.row = 1028, .quant = 2};
  World world("afd", shape.windows(), false);
  SendCall call(shape);
  Sent sent = Fill(call, 0, 3);
  std::fill_n(sent.x.begin(), 1024, uint16_t{0});
  sent.x[1024 + 5] = 0x7e00;  // NaN
  sent.x[2048 + 5] = 0x7c00;  // infinite
  call.x.Write(sent.x);
  ASSERT_OK(call.Run(stream()));
  for (const SentRow& row : ReferenceRoute(sent.routing, 0, 3)) {
    const std::vector<char> window = world.Bytes(static_cast<uint32_t>(row.rank));
    const int64_t id = row.token * shape.experts() + row.offset;
    const int64_t at = kGuard + shape.ffn_rows() + id * shape.row_bytes();
    for (int64_t h = 0; h < 1024; ++h) ASSERT_EQ(window[static_cast<size_t>(at + h)], 0);
    const auto scale = At<float>(window, at + 1024);
    EXPECT_EQ(scale == 0.0f, row.token == 0);
    EXPECT_EQ(std::isnan(scale), row.token == 1);
    EXPECT_EQ(std::isinf(scale), row.token == 2);
  }
}

// The slot holds another micro batch until the FFN worker has taken it.
TEST_F(WindowTest, WaitsForOccupiedSlots) {
  for (const bool by_message : {false, true}) {
    SCOPED_TRACE(by_message);
    PipelineShape shape = {.sync = 0};
    World world("afd", shape.windows(), by_message);
    SendCall call(shape);
    const Sent sent = Fill(call, 1, 3);
    auto* flag = reinterpret_cast<int32_t*>(world.window(3) + shape.slot_bytes());
    *flag = 1;
    auto before = AllBytes(world, shape);
    ASSERT_OK(call.Launch(stream()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(world.Bytes(3), before[3]);
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    ExpectSent(world, call, sent, before);
  }
}

TEST_F(WindowTest, AWaitWithoutEndTimesOut) {
  for (const bool by_message : {false, true}) {
    PipelineShape shape = {};
    World world("afd", shape.windows(), by_message);
    SendCall call(shape);
    Fill(call, 0, 3);
    *reinterpret_cast<int32_t*>(world.window(3)) = 1;
    const std::vector<char> before = world.Bytes(3);
    ASSERT_OK(aclrtSetOpExecuteTimeOut(1));
    TakeMessages();
    ExpectFailure(call.Run(stream()), kTimeoutError, {"rank 3"});
    EXPECT_EQ(world.Bytes(3), before);
  }
}

TEST_F(WindowTest, AnAbortEndsTheWait) {
  PipelineShape shape = {};
  World world("afd", shape.windows(), false);
  SendCall call(shape);
  Fill(call, 0, 3);
  *reinterpret_cast<int32_t*>(world.window(2)) = 1;
  ASSERT_OK(call.Launch(stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_OK(aclrtStreamAbort(stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(world.aborted(), "aclnnAttentionToFFN was stopped with its stream");
}

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
  ExpectFailure(call.Run(stream()), kTimeoutError, {"rank 2", "the message"});
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

// Rows that were returned have told which rank a session is: who has sent waits for the other one.
TEST_F(WindowTest, ALeaverThatASchedulerMisses) {
  const PipelineShape shape = {.attention = 3, .ffn = 1};
  World world("afd", shape.windows(), true);
  ReturnCall back(shape, 2);
  back.sessions.Write(std::vector<int32_t>{1, 2});
  back.has_table = true;
  back.rank_table.Write(std::vector<int32_t>{0, 2, 1});
  for (Tensor* tensor : {&back.micro_batches, &back.tokens, &back.offsets}) {
    tensor->Write(std::vector<int32_t>{0, 0});
  }
  back.actual.Write(std::vector<int64_t>{2});
  ASSERT_OK(back.Run(stream()));
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
  schedule();
  std::fill_n(flags, shape.ids(), 1);  // they are back
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  set(field::kMicroBatchId, 1);
  schedule();
  ExpectStillRuns();
  world.Leave(RankGroup::kAnyRank);
  ExpectFailure(aclrtSynchronizeStream(stream()), World::kLost, {"all of"});
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST_F(WindowTest, BadRoutes) {
  const PipelineShape shape = {};
  const auto expect = [&](const auto& spoil, std::initializer_list<std::string_view> words) {
    World world("afd", shape.windows(), false);
    SendCall call(shape);
    Sent sent = Fill(call, 0, 3);
    call.has_mask = true;
    spoil(call, sent);
    const auto before = AllBytes(world, shape);
    TakeMessages();
    ExpectFailure(call.Run(stream()), kContextError, words);
    EXPECT_EQ(AllBytes(world, shape), before);
  };
  const auto ints = [](int32_t value) { return std::vector<int32_t>{value}; };
  for (const int32_t bad : {-1, 2}) {
    expect([&](SendCall& call, Sent&) { call.session.Write(ints(bad)); },
           {"sessionId", std::to_string(bad)});
    expect([&](SendCall& call, Sent&) { call.micro_batch.Write(ints(bad)); },
           {"microBatchId", std::to_string(bad)});
  }
  for (const int32_t bad : {-1, 5}) {
    expect(
        [&](SendCall& call, Sent& sent) {
          sent.routing.expert_ids[3] = bad;
          call.expert_ids.Write(sent.routing.expert_ids);
        },
        {"expertIds[0][1][1]"});
  }
  const auto table = [&](size_t at, int32_t value) {
    return [=](SendCall& call, Sent& sent) {
      sent.routing.rank_table[5 * 5 + at] = value;  // the shared expert's row
      call.rank_table.Write(sent.routing.rank_table);
    };
  };
  expect(table(0, 0), {"expertRankTable[0][5][0]", "0"});
  expect(table(0, 3), {"expertRankTable[0][5][0]", "3"});
  expect(table(1, 1), {"expertRankTable[0][5][1]", "1", "2 to 3"});
  expect(table(1, 4), {"expertRankTable[0][5][1]", "4"});
  expect(
      [&](SendCall& call, Sent&) {
        call.mask.Write(std::vector<uint8_t>{1, 0, 1});
      },
      {"activeMaskOptional[0][2]"});
}

TEST_F(WindowTest, WindowsHoldTheTables) {
  PipelineShape shape = {};
  std::vector<uint64_t> sizes = shape.windows();
  --sizes[3];
  World world("afd", sizes, false);
  SendCall call(shape);
  Fill(call, 0, 3);
  TakeMessages();
  ExpectFailure(call.Run(stream()), kContextError,
                {"rank 3", std::to_string(sizes[3]), std::to_string(sizes[3] + 1)});
}

TEST_F(WindowTest, BadSendArguments) {
  const PipelineShape right = {};
  World world("afd", right.windows(), false);
  const auto expect = [&](const PipelineShape& shape, int code,
                          std::initializer_list<std::string_view> words, const char* group = "afd",
                          bool scales = false) {
    SendCall call(shape, group);
    call.has_scales = scales;
    ExpectRefused(call.PhaseOne(), code, words);
  };
  expect(right, ACLNN_ERR_PARAM_NULLPTR, {"group"}, "");
  expect(right, ACLNN_ERR_PARAM_INVALID, {"group", "128"}, std::string(128, 'g').c_str());
  expect(right, kShapeError, {"\"other\"", "device 0"}, "other");
  expect({.ffn = 3}, kShapeError, {"worldSize", "5", "4"});
  expect({.attention = 0}, kShapeError, {"ffnTokenDataShape[0]"});
  expect({.micro_batches = 65}, kShapeError, {"ffnTokenDataShape[1]", "65"});
  expect({.tokens = 513}, kShapeError, {"x.shape[1]", "513"});
  expect({.chosen = 17, .routed = 20}, kShapeError, {"expertIds.shape[2]", "17"});
  expect({.chosen = 6, .routed = 5}, kShapeError, {"expertIds.shape[2]", "6"});
  expect({.shared = 5}, kShapeError, {"expertRankTable.shape[1]", "5"});
  expect({.routed = 1025}, kShapeError, {"moeExpertNum", "1025"});
  expect({.hidden = 1023}, kShapeError, {"x.shape[2]", "1023"});
  expect({.hidden = 8193, .row = 8193}, kShapeError, {"x.shape[2]", "8193"});
  expect({.row = 1023}, kShapeError, {"ffnTokenDataShape[4]", "1023", "1024"});
  expect({.row = 1027, .quant = 2}, kShapeError, {"ffnTokenDataShape[4]", "1027", "1028"});
  expect({.hidden = 1040, .row = 1100, .quant = 2}, kShapeError, {"1040", "32"});
  expect({.quant = 1}, kShapeError, {"quantMode"});
  expect({.sync = 2}, kShapeError, {"syncFlag", "2"});
  expect(right, kShapeError, {"scalesOptional"}, "afd", true);
  SendCall wrong(right);
  for (const auto& [info, data, flags, word] :
       {std::tuple{std::vector<int64_t>{2, 2, 12}, std::vector<int64_t>{2, 2, 3, 3, 1024},
                   std::vector<int64_t>{2, 3, 3}, "ffnTokenInfoTableShape"},
        {{2, 2, 11}, {2, 2, 3, 4, 1024}, {2, 3, 3}, "ffnTokenDataShape"},
        {{2, 2, 11}, {2, 2, 3, 3, 1024}, {2, 3, 2}, "attnTokenInfoTableShape"},
        {{2, 2, 11}, {2, 2, 3, 3}, {2, 3, 3}, "ffnTokenDataShape"},
        {{2, 2}, {2, 2, 3, 3, 1024}, {2, 3, 3}, "ffnTokenInfoTableShape"}}) {
    const IntArray a(info), b(data), c(flags);
    const auto phase1 = [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnAttentionToFFNGetWorkspaceSize(
          wrong.x.handle(), wrong.session.handle(), wrong.micro_batch.handle(),
          wrong.layer.handle(), wrong.expert_ids.handle(), wrong.rank_table.handle(), nullptr,
          nullptr, "afd", 4, a.handle(), b.handle(), c.handle(), 5, 0, 0, 2, size, executor);
    };
    ExpectRefused(phase1, kShapeError, {word});
  }
}

class ReturnTest : public WindowTest {
 protected:
  struct Rows {
    std::vector<uint16_t> x;
    std::vector<int32_t> sessions, micro_batches, tokens, offsets;
  };
  // Different places in random order.
  Rows Fill(ReturnCall& call, int64_t actual) {
    const PipelineShape& s = call.shape;
    Rows rows;
    const int64_t count = call.sessions.count();
    std::vector<int64_t> places(static_cast<size_t>(s.attention * s.micro_batches * s.ids()));
    for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int64_t>(i);
    for (size_t i = places.size(); i > 1; --i) {
      std::swap(places[i - 1],
                places[static_cast<size_t>(random().Int(0, static_cast<int64_t>(i) - 1))]);
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = places[static_cast<size_t>(i)];
      const bool sent = i < actual;  // what is not is not looked at
      rows.sessions.push_back(sent ? static_cast<int32_t>(place / (s.micro_batches * s.ids()))
                                   : -1);
      rows.micro_batches.push_back(sent ? static_cast<int32_t>(place / s.ids() % s.micro_batches)
                                        : -1);
      rows.tokens.push_back(static_cast<int32_t>(place / s.experts() % s.tokens));
      rows.offsets.push_back(static_cast<int32_t>(place % s.experts()));
      for (int64_t h = 0; h < s.hidden; ++h) {
        rows.x.push_back(static_cast<uint16_t>(random().Int(0, 65535)));
      }
    }
    call.x.Write(rows.x);
    call.sessions.Write(rows.sessions);
    call.micro_batches.Write(rows.micro_batches);
    call.tokens.Write(rows.tokens);
    call.offsets.Write(rows.offsets);
    call.actual.Write(std::vector<int64_t>{actual});
    std::vector<int32_t> table;
    for (int64_t i = 0; i < s.attention; ++i) {
      table.push_back(static_cast<int32_t>(s.attention - 1 - i));
    }
    call.rank_table.Write(table);
    return rows;
  }
};

TEST_F(ReturnTest, SendsRowsAndFlags) {
  for (const bool by_message : {false, true}) {
    for (const bool table : {false, true}) {
      for (const int64_t actual : {0, 17, 20}) {
        SCOPED_TRACE(::testing::Message() << by_message << table << actual);
        const PipelineShape shape = {};
        World world("afd", shape.windows(), by_message);
        ReturnCall call(shape, 20, "afd", table);
        call.has_table = table;
        const Rows rows = Fill(call, actual);
        auto expected = AllBytes(world, shape);
        for (size_t i = 0; i < static_cast<size_t>(actual); ++i) {
          const int32_t session = rows.sessions[i];
          auto& window = expected[static_cast<size_t>(table ? 1 - session : session)];
          const int64_t id =
              (rows.micro_batches[i] * shape.tokens + rows.tokens[i]) * shape.experts() +
              rows.offsets[i];
          Put(window, kGuard + 4 * id, int32_t{1});
          std::memcpy(window.data() + kGuard + shape.attention_rows() + id * 2048,
                      &rows.x[i * 1024], 2048);
        }
        ASSERT_OK(call.Run(stream()));
        for (uint32_t r = 0; r < shape.world(); ++r) ASSERT_EQ(world.Bytes(r), expected[r]) << r;
      }
    }
  }
}

// What a stream gives up before it runs others wait for in vain.
TEST_F(ReturnTest, ADroppedCallFailsTheOthers) {
  const PipelineShape shape = {};
  World world("afd", shape.windows(), true);
  FfnWorker before({2, 2, 2, 3});
  ReturnCall call(shape, 20);
  Fill(call, 20);
  ASSERT_OK(before.Launch(2, stream()));  // waits
  ASSERT_OK(call.Launch(stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(world.aborted(), "");
  EXPECT_OK(aclrtStreamAbort(stream()));
  EXPECT_EQ(world.aborted(), "aclnnFFNToAttention was dropped with its stream");
}

TEST_F(ReturnTest, BadRows) {
  const PipelineShape shape = {};
  const auto expect = [&](const auto& spoil, std::initializer_list<std::string_view> words) {
    World world("afd", shape.windows(), false);
    ReturnCall call(shape, 4);
    Rows rows = Fill(call, 4);
    spoil(call, rows);
    const auto before = AllBytes(world, shape);
    TakeMessages();
    ExpectFailure(call.Run(stream()), kContextError, words);
    EXPECT_EQ(AllBytes(world, shape), before);
  };
  const auto with = [](std::vector<int32_t> values, int32_t bad) {
    values[2] = bad;
    return values;
  };
  expect([&](ReturnCall& c, Rows& r) { c.sessions.Write(with(r.sessions, 4)); },
         {"sessionIds[2]", "4"});
  expect([&](ReturnCall& c, Rows& r) { c.micro_batches.Write(with(r.micro_batches, 2)); },
         {"microBatchIds[2]", "2"});
  expect([&](ReturnCall& c, Rows& r) { c.tokens.Write(with(r.tokens, -1)); },
         {"tokenIds[2]", "-1"});
  expect([&](ReturnCall& c, Rows& r) { c.offsets.Write(with(r.offsets, 3)); },
         {"expertOffsets[2]", "3"});
  expect([&](ReturnCall& c, Rows&) { c.actual.Write(std::vector<int64_t>{5}); },
         {"actualTokenNum", "5", "4"});
  expect([&](ReturnCall& c, Rows&) { c.actual.Write(std::vector<int64_t>{-1}); },
         {"actualTokenNum", "-1"});
  expect(
      [&](ReturnCall& c, Rows& r) {
        c.has_table = true;
        c.rank_table.Write(std::vector<int32_t>(2, 4));
        c.sessions.Write(std::vector<int32_t>(r.sessions.size(), 1));
      },
      {"attnRankTableOptional[1]", "4"});
}

TEST_F(ReturnTest, WindowsHoldTheTables) {
  const PipelineShape shape = {};
  std::vector<uint64_t> sizes = shape.windows();
  --sizes[0];
  World world("afd", sizes, false);
  ReturnCall call(shape, 20);
  Fill(call, 20);
  TakeMessages();
  ExpectFailure(call.Run(stream()), kContextError, {"rank 0", std::to_string(sizes[0])});
}

TEST_F(ReturnTest, BadArguments) {
  const PipelineShape right = {};
  World world("afd", right.windows(), false);
  const auto expect = [&](const PipelineShape& shape, int code,
                          std::initializer_list<std::string_view> words,
                          const char* group = "afd") {
    const ReturnCall call(shape, 4, group);
    ExpectRefused(call.PhaseOne(), code, words);
  };
  expect(right, ACLNN_ERR_PARAM_NULLPTR, {"group"}, "");
  expect(right, ACLNN_ERR_PARAM_INVALID, {"\"other\""}, "other");
  expect({.ffn = 3}, ACLNN_ERR_PARAM_INVALID, {"worldSize", "5", "4"});
  expect({.micro_batches = 65}, ACLNN_ERR_PARAM_INVALID, {"tokenDataShape[0]", "65"});
  expect({.tokens = 513}, ACLNN_ERR_PARAM_INVALID, {"tokenDataShape[1]", "513"});
  expect({.chosen = 20}, ACLNN_ERR_PARAM_INVALID, {"tokenDataShape[2]", "21"});
  expect({.hidden = 1023}, ACLNN_ERR_PARAM_INVALID, {"x.shape[1]", "1023"});
  expect({.hidden = 8321}, ACLNN_ERR_PARAM_INVALID, {"x.shape[1]", "8321"});
}

}  // namespace
}  // namespace anyacl::test
