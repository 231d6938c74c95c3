// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_case.h"

namespace anyacl::test {

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
