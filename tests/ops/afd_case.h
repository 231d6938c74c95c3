// SPDX-License-Identifier: Apache-2.0
// FFN workers with rows to batch.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/afd_calls.h"
#include "ops/ffn_case.h"

namespace anyacl::test {

inline std::vector<uint8_t> RandomBytes(Random& random, size_t count) {
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Int(0, 255));
  return bytes;
}

// An FFN worker with token rows.
struct RowsShape {
  FfnShape slots;
  uint32_t hidden = 32;
  uint32_t row_bytes = 64;
};
class FfnWorkerWithRows : public FfnWorker {
 public:
  FfnWorkerWithRows(const RowsShape& shape, Random& random);

  const uint8_t* Row(int64_t session, int64_t micro_batch, int64_t id) const;
  // Ids below `experts`, or of no row.
  void PublishRandom(Random& random, uint32_t session, uint32_t micro_batch, int32_t experts);

 private:
  RowsShape shape_;
  GuardedBuffer rows_;
};

}  // namespace anyacl::test
