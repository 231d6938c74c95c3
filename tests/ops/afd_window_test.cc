// SPDX-License-Identifier: Apache-2.0
// aclnnAttentionToFFN and aclnnFFNToAttention: every byte of all windows beside what the document
// says, mapped and by messages; waits and how they end; refusals.
#include "ops/afd_window_case.h"

namespace anyacl::test {
namespace {

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
    ExpectFailure(call.Run(stream()), kTimeoutError, {"rank 3 on host-3"});
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
  // Until it waits: on a busy machine the stream's thread may begin late.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_OK(aclrtStreamAbort(stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(world.aborted(), "aclnnAttentionToFFN was stopped with its stream");
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

}  // namespace
}  // namespace anyacl::test
