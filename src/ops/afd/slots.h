// SPDX-License-Identifier: Apache-2.0
// Looking at flags and taking slots. Slot (s, m) is {int32 flag, int32 layer, int32 ids[n]} at
// base + (s * micro_batches + m) * (8 + 4n). For sessions s = first..first+count-1, output i = s -
// first + out:
//   layers[i] = layer, sessions[i] = s, micro_batches[i] = m, ids[i*n .. i*n+n-1] = ids,
//   ids = 0x7F7F7F7F, flag = 0
// A producer publishes a slot by a release store of flag = 1 and writes it again only after an
// acquire load has shown another value. Every flag here is therefore loaded with acquire before the
// slot is read, and stored with release after the ids have been reset: without the latter, the
// reset could overtake the flag on a weakly ordered machine and erase a producer's new ids.
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace anyacl::afd {

// What a task fails with that finds wrong numbers in memory.
inline constexpr int kBad = ACL_ERROR_RT_AICPU_EXCEPTION;

constexpr int32_t kReady = 1;
constexpr uint64_t kSlotHeader = 8;  // flag and layer
// What an id of an empty slot reads as, byte by byte. Producers write only the entries routed to
// this FFN worker; consumers skip ids of 1,000,000 and above.
constexpr int kEmptyIdByte = 0x7F;

struct Window {
  unsigned char* base = nullptr;
  uint64_t sessions = 0;
  uint64_t micro_batches = 0;
  uint64_t id_bytes = 0;  // 4n

  uint64_t slot_bytes() const { return kSlotHeader + id_bytes; }
  unsigned char* Slot(uint64_t session, uint64_t micro_batch) const {
    return base + (session * micro_batches + micro_batch) * slot_bytes();
  }
};

struct Outputs {
  int32_t* layers = nullptr;
  int32_t* sessions = nullptr;
  int32_t* micro_batches = nullptr;
  unsigned char* ids = nullptr;
};

inline int32_t LoadFlag(const void* flag) {
  return __atomic_load_n(static_cast<const int32_t*>(flag), __ATOMIC_ACQUIRE);
}

// The first session in [first, end) whose slot of this micro batch is not ready, or end.
uint64_t SkipReady(const Window& window, uint64_t micro_batch, uint64_t first, uint64_t end);

// The caller has seen every flag of these slots ready, in this thread.
void Take(const Window& window, const Outputs& outputs, uint64_t micro_batch, uint64_t first,
          uint64_t count, uint64_t out);

// Fills the slot's ids with `empty` and takes its flag down.
void EmptySlot(const Window& window, uint64_t session, uint64_t micro_batch, int32_t empty);

// The first flag in [first, end) of adjacent flags that is not ready, or end.
uint64_t SkipReadyFlags(const int32_t* flags, uint64_t first, uint64_t end);
void ClearFlags(int32_t* flags, uint64_t count);

}  // namespace anyacl::afd
