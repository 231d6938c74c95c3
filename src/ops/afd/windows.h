// SPDX-License-Identifier: Apache-2.0
// The tables in the windows of a communicator, as their writers see them:
//   an FFN worker's        int32 {flag, layer, ids[tokens][experts]} [sessions][micro_batches],
//                          then rows [sessions][micro_batches][tokens][experts]
//   an attention worker's  int32 flags[micro_batches][tokens][experts],
//                          then rows [micro_batches][tokens][experts]
// The rows begin at the next multiple of 512 bytes.
#pragma once

#include <cstdint>

#include "ops/afd/plans.h"
#include "ops/afd/polls.h"
#include "ops/ranks/windows.h"

namespace anyacl::afd {

inline uint64_t AlignTable(uint64_t bytes) { return (bytes + 511) / 512 * 512; }

// Offsets in an FFN worker's window.
class FfnTables {
 public:
  explicit FfnTables(const Tables& t) : t_(t) {}

  uint64_t Slot(int64_t session, int64_t micro_batch) const {
    return static_cast<uint64_t>(session * t_.micro_batches + micro_batch) * slot_bytes();
  }
  uint64_t Id(int64_t session, int64_t micro_batch, int64_t id) const {
    return Slot(session, micro_batch) + kSlotHeader + static_cast<uint64_t>(id) * sizeof(int32_t);
  }
  uint64_t Row(int64_t session, int64_t micro_batch, int64_t id) const {
    const int64_t row = (session * t_.micro_batches + micro_batch) * t_.ids() + id;
    return AlignTable(Slot(t_.sessions, 0)) + static_cast<uint64_t>(row * t_.row_bytes);
  }
  uint64_t bytes() const { return Row(t_.sessions, 0, 0); }

 private:
  uint64_t slot_bytes() const {
    return kSlotHeader + static_cast<uint64_t>(t_.ids()) * sizeof(int32_t);
  }
  const Tables t_;
};

// In an attention worker's.
class AttentionTables {
 public:
  explicit AttentionTables(const Tables& t) : t_(t) {}

  uint64_t Flag(int64_t micro_batch, int64_t id) const {
    return static_cast<uint64_t>(micro_batch * t_.ids() + id) * sizeof(int32_t);
  }
  uint64_t Row(int64_t micro_batch, int64_t id) const {
    return AlignTable(Flag(t_.micro_batches, 0)) +
           static_cast<uint64_t>((micro_batch * t_.ids() + id) * t_.row_bytes);
  }
  uint64_t bytes() const { return Row(t_.micro_batches, 0); }

 private:
  const Tables t_;
};

inline void RaiseFlag(char* flag) {
  __atomic_store_n(reinterpret_cast<int32_t*>(flag), kReady, __ATOMIC_RELEASE);
}

using ranks::FindWindow;
using ranks::RankMessage;
using ranks::SendAll;

}  // namespace anyacl::afd
