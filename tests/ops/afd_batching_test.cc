// SPDX-License-Identifier: Apache-2.0
// aclnnFfnWorkerBatching behind a scheduler and alone: values, what is left, refusals.
#include <chrono>
#include <map>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_ffn_worker_batching.h"
#include "ops/afd_case.h"
#include "reference/afd.h"

namespace anyacl::test {
namespace {

class BatchingTest : public FfnTest {
 protected:
  // Row by row as the document has it; nothing behind the last.
  void ExpectRows(const Batching& call, const FfnWorkerWithRows& worker,
                  const std::vector<BatchedRow>& rows, uint32_t experts_per_token) {
    ASSERT_EQ(call.count(), static_cast<int64_t>(rows.size()));
    EXPECT_EQ(call.group_list.Read<int64_t>(),
              ReferenceGroupList(rows, static_cast<size_t>(call.experts)));
    const auto sessions = call.sessions.Read<int32_t>(), tokens = call.tokens.Read<int32_t>();
    const auto micro_batches = call.micro_batches.Read<int32_t>();
    const auto offsets = call.offsets.Read<int32_t>();
    const std::vector<uint8_t> y = call.y.ElementBytes();
    const size_t bytes = y.size() / static_cast<size_t>(call.rows());
    for (size_t i = 0; i < rows.size(); ++i) {
      const BatchedRow& row = rows[i];
      ASSERT_EQ((BatchedRow{sessions[i], micro_batches[i], tokens[i], offsets[i], row.expert}), row)
          << "row " << i;
      const uint8_t* from = worker.Row(row.session, row.micro_batch,
                                       row.token * int64_t{experts_per_token} + row.offset);
      ASSERT_EQ(std::memcmp(&y[i * bytes], from, bytes), 0) << "row " << i;
      if (call.token_dtype != 2) continue;
      const auto scales = call.scales.ElementBytes();
      ASSERT_EQ(std::memcmp(&scales[4 * i], from + bytes, 4), 0) << "row " << i;
    }
    const auto is_canary = [](uint8_t byte) { return byte == Tensor::kCanary; };
    EXPECT_TRUE(
        std::all_of(y.begin() + static_cast<int64_t>(rows.size() * bytes), y.end(), is_canary));
    EXPECT_TRUE(call.GuardsIntact());
  }

  void ExpectFails(Batching& call, const FfnWorker& worker, int64_t need_schedule, int code,
                   std::initializer_list<std::string_view> words) {
    TakeMessages();
    const std::vector<uint8_t> before = worker.Bytes();
    ExpectFailure(call.Run(worker.tensor(), need_schedule, stream()), code, words);
    EXPECT_EQ(worker.Bytes(), before);
  }
};

std::vector<int32_t> IdsOf(const FfnWorker& worker, uint32_t session, uint32_t micro_batch) {
  const int32_t* slot = worker.Slot(session, micro_batch);
  return {slot + 2, slot + 2 + worker.shape().ids()};
}

TEST_F(BatchingTest, SortsWhatTheSchedulerHasListed) {
  for (int64_t type = 0; type < 3; ++type) {
    for (const int32_t group : {1, 2, 4}) {
      SCOPED_TRACE(::testing::Message() << "token type " << type << ", groups of " << group);
      const RowsShape shape = {{4, 3, 5, 3}, 37, 96};
      FfnWorkerWithRows worker(shape, random());
      worker.Set(field::kPollingIndex, 1);
      std::vector<ListedIds> listed;
      for (int32_t s = 0; s < 4; ++s) {
        // Of groups the lowest micro batch is taken.
        const int32_t m = group == 4 ? 1 : s / group % 3;
        worker.PublishRandom(random(), static_cast<uint32_t>(s), static_cast<uint32_t>(m), 11);
        listed.push_back({s, m, IdsOf(worker, static_cast<uint32_t>(s), static_cast<uint32_t>(m))});
      }
      Batching call({5, 5, 3, 37}, type, 11);
      ASSERT_OK(worker.Launch(group, stream()));
      ASSERT_OK(call.Run(worker.tensor(), 0, stream()));
      ExpectRows(call, worker, ReferenceBatching(listed, 3), 3);
    }
  }
}

TEST_F(BatchingTest, ReceivesAsSchedulerAndBatchingDo) {
  for (int64_t type = 0; type < 3; ++type) {
    SCOPED_TRACE(type);
    const RowsShape shape = {{3, 2, 6, 4}, 64, 160};
    FfnWorkerWithRows worker(shape, random());
    for (uint64_t m : {1, 0, 1}) {
      worker.Set(field::kPollingIndex, m);
      std::vector<ListedIds> listed;
      for (uint32_t s = 0; s < 3; ++s) {
        worker.PublishRandom(random(), s, static_cast<uint32_t>(m), 8);
        listed.push_back({static_cast<int32_t>(s), static_cast<int32_t>(m),
                          IdsOf(worker, s, static_cast<uint32_t>(m))});
      }
      worker.ResetOutNum();
      Batching call({3, 6, 4, 64}, type, 8);
      ASSERT_OK(call.Run(worker.tensor(), 1, stream()));
      ExpectRows(call, worker, ReferenceBatching(listed, 4), 4);
      EXPECT_EQ(worker.Get(field::kPollingIndex), 1 - m);
      EXPECT_EQ(worker.out_num(), 9u) << "the scheduler's";
      for (uint32_t s = 0; s < 3; ++s) {
        EXPECT_EQ(worker.Flag(s, static_cast<uint32_t>(m)), 0);
        EXPECT_EQ(worker.Slot(s, static_cast<uint32_t>(m))[1], 7);
        EXPECT_EQ(IdsOf(worker, s, static_cast<uint32_t>(m)),
                  std::vector<int32_t>(worker.shape().ids(), INT32_MAX));
      }
    }
  }
}

TEST_F(BatchingTest, NothingListedNeedsNoBuffers) {
  FfnWorkerWithRows worker({{1, 1, 8, 9}, 64, 512}, random());
  for (const Field& buffer : {field::kSessionIds, field::kMicroBatchIds, field::kExpertIds,
                              field::kTokenInfo, field::kTokenData}) {
    worker.Set(buffer, 0);
  }
  for (const bool empty_scale : {false, true}) {
    Batching call({1, 8, 9, 4096}, 0, 8, empty_scale);
    ASSERT_OK(call.Run(worker.tensor(), 0, stream()));
    EXPECT_EQ(call.count(), 0);
    EXPECT_EQ(call.group_list.Read<int64_t>(), std::vector<int64_t>(16, 0));
    EXPECT_TRUE(call.GuardsIntact());
  }
}

TEST_F(BatchingTest, NoRowForThisWorkerNeedsNoRows) {
  FfnWorkerWithRows worker({{2, 1, 3, 2}, 64, 128}, random());
  worker.Set(field::kTokenData, 0);
  worker.PublishAll(3);
  for (uint32_t s = 0; s < 2; ++s) {
    std::fill_n(worker.Slot(s, 0) + 2, worker.shape().ids(), INT32_MAX);
  }
  Batching call({2, 3, 2, 64}, 1, 4);
  ASSERT_OK(call.Run(worker.tensor(), 1, stream()));
  EXPECT_EQ(call.count(), 0);
  EXPECT_EQ(worker.Flag(1, 0), 0);
}

TEST_F(BatchingTest, IdsAreExpertsOrOfNoRow) {
  FfnWorkerWithRows worker({{2, 1, 3, 2}, 64, 128}, random());
  for (const auto& [id, fits] :
       {std::pair{3, true}, {4, false}, {-1, false}, {999'999, false}, {1'000'000, true}}) {
    SCOPED_TRACE(id);
    worker.PublishRandom(random(), 0, 0, 4);
    worker.PublishRandom(random(), 1, 0, 4);
    worker.Slot(1, 0)[2 + 5] = id;
    Batching call({2, 3, 2, 64}, 1, 4);
    if (fits) {
      EXPECT_OK(call.Run(worker.tensor(), 1, stream()));
    } else {
      ExpectFails(call, worker, 1, kContextError, {"expert id 11", std::to_string(id)});
    }
  }
}

TEST_F(BatchingTest, AStoppedWaitHasNoRows) {
  FfnWorkerWithRows worker({{2, 2, 3, 2}, 64, 128}, random());
  worker.PublishRandom(random(), 1, 0, 4);
  Batching call({2, 3, 2, 64}, 1, 4);
  ASSERT_OK(call.Launch(worker.tensor(), 1, stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  worker.SetRunFlag(0);
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(call.count(), 0);
  EXPECT_EQ(call.group_list.Read<int64_t>(), std::vector<int64_t>(8, 0));
  EXPECT_EQ(worker.Flag(1, 0), 1);
  EXPECT_EQ(worker.Get(field::kPollingIndex), 0u);
}

TEST_F(BatchingTest, AWaitWithoutEndTimesOut) {
  FfnWorkerWithRows worker({{2, 2, 3, 2}, 64, 128}, random());
  worker.PublishRandom(random(), 0, 0, 4);
  ASSERT_OK(aclrtSetOpExecuteTimeOut(1));
  Batching call({2, 3, 2, 64}, 1, 4);
  ExpectFails(call, worker, 1, kTimeoutError, {"session 1", "micro batch 0"});
}

TEST_F(BatchingTest, BadContexts) {
  const RowsShape shape = {{2, 2, 3, 2}, 64, 128};
  const struct {
    Field field;
    uint64_t value;
    int64_t need_schedule;
    std::initializer_list<std::string_view> words;
  } cases[] = {
      {field::kSessionNum, 0, 0, {"session_num", "0"}},
      {field::kSessionNum, 1025, 0, {"session_num", "1025", "1024"}},
      {field::kMicroBatchNum, 65, 0, {"micro_batch_num", "65", "64"}},
      {field::kMicroBatchSize, 0, 1, {"micro_batch_size", "0"}},
      {field::kMicroBatchSize, 4, 1, {"micro_batch_size", "4", "12"}},
      {field::kMicroBatchSize, 4, 0, {"micro_batch_size", "4", "12"}},
      {field::kSelectedExpertNum, 65, 0, {"selected_expert_num", "65", "64"}},
      {field::kOutNum, 3, 0, {"out_num", "3", "2"}},
      {field::kSessionIds, 0, 0, {"session_ids_buf"}},
      {field::kMicroBatchIds, 0, 0, {"micro_batch_ids_buf"}},
      {field::kExpertIds, 0, 0, {"expert_ids_buf"}},
      {field::kSessionIdsSize, 7, 0, {"session_ids_buf_size", "7", "8"}},
      {field::kMicroBatchIdsSize, 7, 0, {"micro_batch_ids_buf_size", "7", "8"}},
      {field::kExpertIdsSize, 47, 0, {"expert_ids_buf_size", "47", "48"}},
      {field::kTokenInfo, 0, 1, {"token_info_buf"}},
      {field::kTokenInfoSize, 127, 1, {"token_info_buf_size", "127", "128"}},
      {field::kPollingIndex, 2, 1, {"polling_index", "2"}},
      {field::kTokenSize, 127, 0, {"attn_to_ffn_token_size", "127", "128"}},
      {field::kTokenSize, UINT32_MAX, 1, {"token_data_buf_size"}},
      {field::kTokenData, 0, 0, {"token_data_buf"}},
      {field::kTokenData, 1, 1, {"token_data_buf", "0x1"}},
      {field::kTokenDataSize, 3071, 0, {"token_data_buf_size", "3071", "3072"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.field.name << " = " << c.value);
    FfnWorkerWithRows worker(shape, random());
    for (uint32_t s = 0; s < 2; ++s) {
      worker.PublishRandom(random(), s, 0, 4);
      worker.Slot(s, 0)[2] = 1;
    }
    if (c.need_schedule == 0) {
      ASSERT_OK(worker.Run(2, stream()));
    }
    worker.Set(c.field, c.value);
    Batching call({2, 3, 2, 64}, 0, 4);
    ExpectFails(call, worker, c.need_schedule, kContextError, c.words);
  }
}

TEST_F(BatchingTest, ListsNameSessionsAndMicroBatchesThatExist) {
  for (const int32_t bad : {-1, 2}) {
    FfnWorkerWithRows worker({{2, 2, 3, 2}, 64, 128}, random());
    worker.PublishAll(1);
    ASSERT_OK(worker.Run(2, stream()));
    auto* list = const_cast<int32_t*>(bad < 0 ? worker.session_ids() : worker.micro_batch_ids());
    list[1] = bad;
    Batching call({2, 3, 2, 64}, 0, 4);
    ExpectFails(call, worker, 0, kContextError, {"entry 1", std::to_string(bad)});
  }
}

// Any one or two fields changed: the call ends, with a message where it fails, and writes to its
// outputs alone.
TEST_F(BatchingTest, BrokenContextsAreNoTrap) {
  const std::vector<uint64_t> numbers = {
      0, 1, 2, 3, 7, 64, INT32_MAX, 1ull << 31, UINT32_MAX, 1ull << 32, 1ull << 57, UINT64_MAX};
  std::vector<Field> fields = kFfnFields;
  fields.insert(fields.end(), {field::kTokenSize, field::kTokenDataSize});
  std::map<int, int> codes;
  for (int round = 0; round < 3000; ++round) {
    FfnWorkerWithRows worker({{2, 2, 3, 2}, 8, 24}, random());
    for (uint32_t s = 0; s < 2; ++s) worker.PublishRandom(random(), s, 0, 5);
    const int64_t need_schedule = random().Int(0, 1);
    if (need_schedule == 0) {
      ASSERT_OK(worker.Run(2, stream()));
    }
    for (int64_t i = random().Int(1, 2); i > 0; --i) {
      const Field& field = random().Pick(fields);
      const uint64_t now = worker.Get(field);
      if (now == 0 && i == 1 && field.bytes == 8) continue;  // an address may have been here
      // Addresses stay in memory of the worker, or where nothing is ever mapped.
      const bool is_address = field.bytes == 8 && now > 65536;
      worker.Set(field, !is_address            ? random().Pick(numbers)
                        : random().Chance(0.5) ? now + static_cast<uint64_t>(random().Int(-64, 64))
                                               : 0);
    }
    // It must not wait for slots that no longer are where they were.
    if (need_schedule == 1) worker.SetRunFlag(0);
    Batching call({2, 3, 2, 8}, random().Int(0, 2), 5);
    const std::vector<uint8_t> before = worker.Bytes();
    TakeMessages();
    const int code = call.Run(worker.tensor(), need_schedule, stream());
    ++codes[code];
    ASSERT_EQ(code == 0, TakeMessages().empty()) << code;
    ASSERT_TRUE(code == 0 || code == kContextError) << code;
    ASSERT_EQ(worker.Bytes(), before);
    ASSERT_TRUE(call.GuardsIntact());
  }
  EXPECT_GT(codes[0], 100);
  EXPECT_GT(codes[kContextError], 1000);
}

TEST_F(BatchingTest, BadArguments) {
  FfnWorkerWithRows worker({{2, 2, 3, 2}, 64, 128}, random());
  const auto expect = [&](const Batching& call, int64_t need, int64_t layers,
                          std::initializer_list<std::string_view> words) {
    ExpectRefused(call.PhaseOne(worker.tensor(), need, layers), ACLNN_ERR_PARAM_INVALID, words);
  };
  const Batching call({2, 3, 2, 64}, 0, 4);
  expect(call, 2, 0, {"needSchedule", "2"});
  expect(call, 0, 5, {"layerNum", "5"});
  expect(call, 0, -1, {"layerNum", "-1"});
  expect(Batching({1025, 1, 1, 8}, 0, 4), 0, 0, {"maxOutShape[0]", "1025"});
  expect(Batching({1, 1, 65, 8}, 0, 4), 0, 0, {"maxOutShape[2]", "65"});
  expect(Batching({2, 3, 2, 64}, 2, 4, true), 0, 0, {"dynamicScale", "[0]", "[12]"});
  expect(Batching({2, 3, 2, 64}, 0, 8193), 0, 0, {"expertNum", "8193"});
  const auto with = [&](const aclIntArray* shape, int64_t type) -> Phase1 {
    return [&call, &worker, shape, type](uint64_t* size, aclOpExecutor** executor) {
      return aclnnFfnWorkerBatchingGetWorkspaceSize(
          worker.tensor(), 4, shape, type, 0, 0, call.y.handle(), call.group_list.handle(),
          call.sessions.handle(), call.micro_batches.handle(), call.tokens.handle(),
          call.offsets.handle(), call.scales.handle(), call.actual.handle(), size, executor);
    };
  };
  ExpectRefused(with(call.max_out_shape, 1), ACLNN_ERR_PARAM_INVALID, {"y.dtype", "tokenDtype"});
  ExpectRefused(with(call.max_out_shape, 3), ACLNN_ERR_PARAM_INVALID, {"tokenDtype", "3"});
  const int64_t shapes[] = {2, 3, 2, 65, 1};
  for (const size_t length : {4, 5}) {
    aclIntArray* shape = aclCreateIntArray(shapes, length);
    ExpectRefused(with(shape, 0), ACLNN_ERR_PARAM_INVALID,
                  {length == 4 ? "y.shape" : "maxOutShape"});
    aclDestroyIntArray(shape);
  }
}

}  // namespace
}  // namespace anyacl::test
