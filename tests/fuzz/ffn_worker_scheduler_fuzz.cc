// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ffn_worker_scheduler_fuzz.h"

#include <regex>

#include "aclnnop/aclnn_ffn_worker_scheduler.h"

namespace anyacl::test {
namespace {

FfnShape AnyShape(Choices& choices) {
  FfnShape shape;
  shape.sessions = static_cast<uint32_t>(choices.Int(1, 6));
  shape.micro_batches = static_cast<uint32_t>(choices.Int(1, 4));
  shape.batch = static_cast<uint32_t>(choices.Int(1, 3));
  shape.experts = static_cast<uint32_t>(choices.Int(1, 5));
  return shape;
}

// Some slots are full, and few hold a flag that nobody should write.
void FillSlots(Choices& choices, FfnWorker& worker) {
  const FfnShape& shape = worker.shape();
  for (uint32_t s = 0; s < shape.sessions; ++s) {
    for (uint32_t m = 0; m < shape.micro_batches; ++m) {
      if (choices.OneIn(4)) continue;
      const int64_t flag = choices.OneIn(20) ? choices.Int(INT32_MIN, INT32_MAX) : 1;
      worker.Publish(s, m, static_cast<int32_t>(choices.Int(0, 60)), static_cast<int32_t>(flag));
    }
  }
}

int32_t AnyGroupSize(Choices& choices, uint32_t sessions) {
  std::vector<int32_t> divisors;
  for (uint32_t size = 1; size <= sessions; ++size) {
    if (sessions % size == 0) divisors.push_back(static_cast<int32_t>(size));
  }
  return choices.Pick(divisors);
}

// Changes one field. Addresses stay in memory of the worker, or where nothing is ever mapped: what
// is not the library's own is taken at its word.
void Break(Choices& choices, FfnWorker& worker) {
  static const std::vector<uint64_t> kNumbers = {
      0, 1, 2, 3, 7, 64, INT32_MAX, 1ull << 31, UINT32_MAX, 1ull << 32, 1ull << 57, UINT64_MAX};
  const Field& field = choices.Pick(kFfnFields);
  const bool is_address = field.bytes == 8 && worker.Get(field) > 65536;
  if (!is_address) {
    worker.Set(field, choices.OneIn(2) ? choices.Pick(kNumbers)
                                       : static_cast<uint64_t>(choices.Int(0, 200)));
    return;
  }
  switch (choices.Int(0, 2)) {
    case 0:
      worker.Set(field,
                 choices.OneIn(2) ? 0 : UINT64_MAX - static_cast<uint64_t>(choices.Int(0, 99)));
      break;
    case 1:
      worker.Set(field, worker.Get(field) + static_cast<uint64_t>(choices.Int(-64, 64)));
      break;
    default:
      worker.Set(field, worker.Get(choices.Pick(std::vector<Field>{
                            field::kTokenInfo, field::kLayerIds, field::kSessionIds,
                            field::kMicroBatchIds, field::kExpertIds})));
  }
}

}  // namespace

Outcome FfnFuzzer::Fuzz(Choices& choices) {
  if (choices.OneIn(8)) return RunBrokenTensor(choices);
  FfnWorker worker(AnyShape(choices));
  FillSlots(choices, worker);
  worker.Set(field::kPollingIndex,
             static_cast<uint64_t>(choices.Int(0, worker.shape().micro_batches - 1)));
  const int32_t group_size = AnyGroupSize(choices, worker.shape().sessions);
  if (choices.OneIn(2)) {
    // A call that would wait is told to stop instead.
    FfnState state = worker.State();
    if (!ReferenceSchedule(static_cast<uint32_t>(group_size), false, &state)) worker.SetRunFlag(0);
    ExpectAsReference(worker, group_size);
    return {};
  }
  for (int64_t i = choices.Int(1, 2); i > 0; --i) Break(choices, worker);
  worker.SetRunFlag(0);  // it must not wait for slots that no longer are where they were
  return RunBrokenContext(worker,
                          choices.OneIn(4) ? static_cast<int32_t>(choices.Int(-1, 7)) : group_size);
}

Outcome FfnFuzzer::RunBrokenTensor(Choices& choices) {
  Layout layout{.dims = {1024}, .dtype = ACL_INT8};
  int64_t mode = 0;
  switch (choices.Int(0, 4)) {
    case 0:
      layout.dtype = static_cast<aclDataType>(choices.Int(0, 36));
      break;
    case 1:
      layout.dims[0] = choices.Int(0, 1100);
      break;
    case 2:
      layout.dims.resize(static_cast<size_t>(choices.Int(0, 9)), choices.Int(0, 3));
      break;
    case 3:
      layout.strides = {choices.Int(-3, 3)};
      break;
    default:
      mode = choices.Int(INT32_MIN, INT32_MAX);
  }
  const Tensor tensor(layout, 1 << 20);
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
        tensor.handle(), static_cast<int32_t>(choices.Int(-1, 3)), static_cast<int32_t>(mode), size,
        executor);
  });
  const std::string message = prepared.code != 0 ? TakeMessages() : "";
  if (prepared.executor != nullptr) {
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }
  EXPECT_EQ(prepared.code == 0, message.empty()) << "code " << prepared.code << " " << message;
  return {prepared.code, message};
}

Outcome FfnFuzzer::RunBrokenContext(FfnWorker& worker, int32_t group_size) {
  const std::vector<uint8_t> before = worker.Bytes();
  int code = worker.Launch(group_size, stream());
  if (code == 0) code = aclrtSynchronizeStream(stream());
  const std::string message = code != 0 ? TakeMessages() : "";
  EXPECT_EQ(code == 0, message.empty()) << "code " << code << " " << message;
  EXPECT_TRUE(worker.GuardsIntact());
  // A stopped call leaves out_num = 0 and nothing else.
  if (code == 0) {
    EXPECT_EQ(worker.out_num(), 0u);
  } else {
    EXPECT_EQ(worker.Bytes(), before);
  }
  // Addresses differ from run to run.
  return {code, std::regex_replace(message, std::regex("0x[0-9a-f]+"), "0x")};
}

}  // namespace anyacl::test
