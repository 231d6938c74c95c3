// SPDX-License-Identifier: Apache-2.0
#include "ops/ffn_case.h"

#include <algorithm>
#include <thread>

#include "aclnnop/aclnn_ffn_worker_scheduler.h"

namespace anyacl::test {

const std::vector<Field> kFfnFields = {
    field::kSessionNum,        field::kMicroBatchNum,
    field::kMicroBatchSize,    field::kSelectedExpertNum,
    field::kScheduleMode,      field::kRunFlag,
    field::kTokenInfo,         field::kTokenInfoSize,
    field::kTokenData,         field::kTokenDataSize,
    field::kPollingIndex,      field::kLayerIds,
    field::kLayerIdsSize,      field::kSessionIds,
    field::kSessionIdsSize,    field::kMicroBatchIds,
    field::kMicroBatchIdsSize, field::kExpertIds,
    field::kExpertIdsSize,     field::kOutNum,
};

bool GuardedBuffer::GuardsIntact() const {
  const auto is_canary = [](uint8_t byte) { return byte == Tensor::kCanary; };
  return std::all_of(memory_.data(), memory_.data() + kGuard, is_canary) &&
         std::all_of(data() + size_, data() + size_ + kGuard, is_canary);
}

int32_t IdOf(uint32_t session, uint32_t micro_batch, int32_t sequence, size_t i) {
  uint64_t x = (uint64_t{session} << 40) ^ (uint64_t{micro_batch} << 32) ^
               static_cast<uint32_t>(sequence) ^ (uint64_t{i} << 52);
  x ^= x >> 31;
  x *= 0x9E3779B97F4A7C15;
  return static_cast<int32_t>(x >> 33);
}

FfnWorker::FfnWorker(const FfnShape& shape, int32_t* window)
    : shape_(shape),
      context_(1024),
      own_window_(window == nullptr ? shape.window_bytes() : 4),
      token_data_(64),
      layer_ids_(4 * shape.sessions),
      session_ids_(4 * shape.sessions),
      micro_batch_ids_(4 * shape.sessions),
      expert_ids_(4 * shape.sessions * shape.ids()),
      window_(window == nullptr ? own_window_.ints() : window) {
  std::memset(context(), 0, 1024);
  Set(field::kSessionNum, shape.sessions);
  Set(field::kMicroBatchNum, shape.micro_batches);
  Set(field::kMicroBatchSize, shape.batch);
  Set(field::kSelectedExpertNum, shape.experts);
  Set(field::kRunFlag, 1);
  const auto set_buffer = [&](const Field& address, const void* data, size_t size) {
    Set(address, reinterpret_cast<uintptr_t>(data));
    Set({"", address.offset + 8, 8}, size);
  };
  set_buffer(field::kTokenInfo, window_, shape.window_bytes());
  set_buffer(field::kTokenData, token_data_.data(), token_data_.size());
  set_buffer(field::kLayerIds, layer_ids_.data(), layer_ids_.size());
  set_buffer(field::kSessionIds, session_ids_.data(), session_ids_.size());
  set_buffer(field::kMicroBatchIds, micro_batch_ids_.data(), micro_batch_ids_.size());
  set_buffer(field::kExpertIds, expert_ids_.data(), expert_ids_.size());
  for (uint32_t s = 0; s < shape.sessions; ++s) {
    for (uint32_t m = 0; m < shape.micro_batches; ++m) {
      int32_t* slot = Slot(s, m);
      slot[0] = slot[1] = 0;
      std::fill_n(slot + 2, shape.ids(), INT32_MAX);
    }
  }
  const int64_t size = 1024;
  tensor_ = aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, context());
}

FfnWorker::~FfnWorker() { aclDestroyTensor(tensor_); }

uint64_t FfnWorker::Get(const Field& field) const {
  uint64_t value = 0;
  std::memcpy(&value, context() + field.offset, field.bytes);
  return value;
}

void FfnWorker::Set(const Field& field, uint64_t value) {
  std::memcpy(context() + field.offset, &value, field.bytes);
}

void FfnWorker::SetRunFlag(int32_t value) {
  __atomic_store_n(reinterpret_cast<int32_t*>(context() + field::kRunFlag.offset), value,
                   __ATOMIC_RELEASE);
}

void FfnWorker::AwaitStart() const {
  const auto* out_num = reinterpret_cast<uint32_t*>(context() + field::kOutNum.offset);
  while (__atomic_load_n(out_num, __ATOMIC_ACQUIRE) == 9) std::this_thread::yield();
}

int32_t* FfnWorker::Slot(uint32_t session, uint32_t micro_batch) const {
  return window_ + (session * shape_.micro_batches + micro_batch) * shape_.slot_ints();
}

int32_t FfnWorker::Flag(uint32_t session, uint32_t micro_batch) const {
  return __atomic_load_n(Slot(session, micro_batch), __ATOMIC_ACQUIRE);
}

void FfnWorker::Publish(uint32_t session, uint32_t micro_batch, int32_t layer, int32_t flag) {
  int32_t* slot = Slot(session, micro_batch);
  slot[1] = layer;
  for (size_t i = 0; i < shape_.ids(); ++i) slot[2 + i] = IdOf(session, micro_batch, layer, i);
  __atomic_store_n(slot, flag, __ATOMIC_RELEASE);
}

void FfnWorker::PublishAll(int32_t layer) {
  for (uint32_t s = 0; s < shape_.sessions; ++s) {
    for (uint32_t m = 0; m < shape_.micro_batches; ++m) Publish(s, m, layer);
  }
}

aclnnStatus FfnWorker::Launch(int32_t sync_group_size, aclrtStream stream) const {
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(tensor_, sync_group_size, 0, size,
                                                          executor);
  });
  if (prepared.code != 0) return prepared.code;
  EXPECT_EQ(prepared.workspace_size, 0u);
  return aclnnInplaceFfnWorkerScheduler(nullptr, 0, prepared.executor, stream);
}

int FfnWorker::Run(int32_t sync_group_size, aclrtStream stream) const {
  const int code = Launch(sync_group_size, stream);
  return code != 0 ? code : aclrtSynchronizeStream(stream);
}

std::vector<uint8_t> FfnWorker::Bytes() const {
  std::vector<uint8_t> bytes;
  const auto append = [&](const void* data, size_t size) {
    const auto* begin = static_cast<const uint8_t*>(data);
    bytes.insert(bytes.end(), begin, begin + size);
  };
  append(window_, shape_.window_bytes());
  for (const GuardedBuffer* buffer :
       {&context_, &token_data_, &layer_ids_, &session_ids_, &micro_batch_ids_, &expert_ids_}) {
    append(buffer->data(), buffer->size());
  }
  return bytes;
}

bool FfnWorker::GuardsIntact() const {
  const GuardedBuffer* all[] = {&context_,     &own_window_,      &token_data_, &layer_ids_,
                                &session_ids_, &micro_batch_ids_, &expert_ids_};
  return std::all_of(std::begin(all), std::end(all),
                     [](const GuardedBuffer* buffer) { return buffer->GuardsIntact(); });
}

FfnState FfnWorker::State() const {
  FfnState state;
  state.sessions = static_cast<uint32_t>(Get(field::kSessionNum));
  state.micro_batches = static_cast<uint32_t>(Get(field::kMicroBatchNum));
  state.ids = Get(field::kMicroBatchSize) * Get(field::kSelectedExpertNum);
  state.running = Get(field::kRunFlag) != 0;
  state.polling_index = Get(field::kPollingIndex);
  state.out_num = out_num();
  const auto ints = [](const int32_t* data, size_t bytes) {
    return std::vector<int32_t>(data, data + bytes / 4);
  };
  state.window = ints(window_, shape_.window_bytes());
  state.layer_ids = ints(layer_ids(), layer_ids_.size());
  state.session_ids = ints(session_ids(), session_ids_.size());
  state.micro_batch_ids = ints(micro_batch_ids(), micro_batch_ids_.size());
  state.expert_ids = ints(expert_ids(), expert_ids_.size());
  return state;
}

void FfnTest::TearDown() {
  EXPECT_OK(aclrtSetOpExecuteTimeOut(1091));
  DeviceTest::TearDown();
}

void FfnTest::ExpectRefusedLater(const FfnWorker& worker, int32_t sync_group_size,
                                 std::initializer_list<std::string_view> words) {
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(worker.Launch(sync_group_size, stream()));
  TakeMessages();
  const int code = aclrtSynchronizeStream(stream());
  ExpectFailure(code, kContextError, words);
  EXPECT_EQ(worker.Bytes(), before);
  EXPECT_TRUE(worker.GuardsIntact());
}

void FfnTest::ExpectAsReference(FfnWorker& worker, int32_t sync_group_size, bool fair) {
  FfnState expected = worker.State();
  ASSERT_TRUE(ReferenceSchedule(static_cast<uint32_t>(sync_group_size), fair, &expected));
  std::vector<uint8_t> context(worker.context(), worker.context() + 1024);
  ASSERT_OK(worker.Run(sync_group_size, stream()));
  EXPECT_EQ(worker.State(), expected);
  EXPECT_TRUE(worker.GuardsIntact());
  // Of the context, only these two fields may differ.
  for (const Field& field : {field::kPollingIndex, field::kOutNum}) {
    std::memcpy(context.data() + field.offset, worker.context() + field.offset, field.bytes);
  }
  EXPECT_EQ(std::memcmp(context.data(), worker.context(), 1024), 0);
}

}  // namespace anyacl::test
