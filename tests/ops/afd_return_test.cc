// SPDX-License-Identifier: Apache-2.0
// aclnnFFNToAttention: rows and flags to attention workers' windows.
#include "ops/afd_window_case.h"

namespace anyacl::test {
namespace {

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
