// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_case.h"

#include "aclnnop/aclnn_ffn_worker_batching.h"

namespace anyacl::test {

int Caller::Launch(const Phase1& phase1, Phase2 phase2, aclrtStream stream) {
  const Prepared prepared = Prepare(phase1);
  if (prepared.code != 0) return prepared.code;
  const auto size = static_cast<int64_t>(prepared.workspace_size);
  workspaces_.emplace_back(Layout{.dims = {size}, .dtype = ACL_UINT8});
  void* address = size > 0 ? workspaces_.back().data() : nullptr;
  return phase2(address, prepared.workspace_size, prepared.executor, stream);
}

Batching::Batching(std::vector<int64_t> shape, int64_t token_dtype, int64_t experts,
                   bool empty_scale)
    : token_dtype(token_dtype),
      experts(experts),
      max_out_shape(aclCreateIntArray(shape.data(), shape.size())),
      y({.dims = {shape[0] * shape[1] * shape[2], shape[3]}, .dtype = kTokenTypes[token_dtype]}),
      group_list({.dims = {experts, 2}, .dtype = ACL_INT64}),
      sessions({.dims = {y.layout().dims[0]}, .dtype = ACL_INT32}),
      micro_batches(sessions.layout()),
      tokens(sessions.layout()),
      offsets(sessions.layout()),
      scales({.dims = {empty_scale ? 0 : y.layout().dims[0]}, .dtype = ACL_FLOAT}),
      actual({.dims = {1}, .dtype = ACL_INT64}) {}

Batching::~Batching() { aclDestroyIntArray(max_out_shape); }

Phase1 Batching::PhaseOne(const aclTensor* context, int64_t need_schedule, int64_t layers) const {
  return [=, this](uint64_t* size, aclOpExecutor** executor) {
    return aclnnFfnWorkerBatchingGetWorkspaceSize(
        context, experts, max_out_shape, token_dtype, need_schedule, layers, y.handle(),
        group_list.handle(), sessions.handle(), micro_batches.handle(), tokens.handle(),
        offsets.handle(), scales.handle(), actual.handle(), size, executor);
  };
}

int Batching::Launch(const aclTensor* context, int64_t need_schedule, aclrtStream stream) {
  return caller_.Launch(PhaseOne(context, need_schedule), aclnnFfnWorkerBatching, stream);
}

bool Batching::GuardsIntact() const {
  const Tensor* all[] = {&y,      &group_list, &sessions, &micro_batches,
                         &tokens, &offsets,    &scales,   &actual};
  return std::all_of(std::begin(all), std::end(all),
                     [](const Tensor* tensor) { return tensor->GuardsIntact(); });
}

FfnWorkerWithRows::FfnWorkerWithRows(const RowsShape& shape, Random& random)
    : FfnWorker(shape.slots),
      shape_(shape),
      rows_(size_t{shape.slots.sessions} * shape.slots.micro_batches * shape.slots.ids() *
            shape.row_bytes) {
  const std::vector<uint8_t> bytes = RandomBytes(random, rows_.size());
  std::copy(bytes.begin(), bytes.end(), rows_.data());
  Set(field::kTokenSize, shape.row_bytes);
  Set(field::kTokenData, reinterpret_cast<uintptr_t>(rows_.data()));
  Set(field::kTokenDataSize, rows_.size());
}

const uint8_t* FfnWorkerWithRows::Row(int64_t session, int64_t micro_batch, int64_t id) const {
  const auto ids = static_cast<int64_t>(shape_.slots.ids());
  const int64_t row = (session * shape_.slots.micro_batches + micro_batch) * ids + id;
  return rows_.data() + row * shape_.row_bytes;
}

void FfnWorkerWithRows::PublishRandom(Random& random, uint32_t session, uint32_t micro_batch,
                                      int32_t experts) {
  constexpr int32_t kNoRow[] = {INT32_MAX, kEmptyId, 1'000'000};
  int32_t* slot = Slot(session, micro_batch);
  slot[1] = 7;
  for (size_t i = 0; i < shape_.slots.ids(); ++i) {
    slot[2 + i] = random.Int(0, 2) == 0 ? kNoRow[random.Int(0, 2)]
                                        : static_cast<int32_t>(random.Int(0, experts - 1));
  }
  __atomic_store_n(slot, 1, __ATOMIC_RELEASE);
}

}  // namespace anyacl::test
