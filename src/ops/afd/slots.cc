// SPDX-License-Identifier: Apache-2.0
#include "ops/afd/slots.h"

#include <algorithm>
#include <cstring>

namespace anyacl::afd {
namespace {

void Prefetch(const unsigned char* slot, uint64_t bytes) {
  constexpr uint64_t kLine = 64;
  for (uint64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(slot + at, 1);
}

}  // namespace

uint64_t SkipReady(const Window& window, uint64_t micro_batch, uint64_t first, uint64_t end) {
  // One load, one compare and one predicted branch per flag: the loads do not depend on each other,
  // so their cache misses overlap.
  const uint64_t stride = window.micro_batches * window.slot_bytes();
  const unsigned char* slot = window.Slot(first, micro_batch);
  for (; first < end && LoadFlag(slot) == kReady; ++first) slot += stride;
  return first;
}

void Take(const Window& window, const Outputs& outputs, uint64_t micro_batch, uint64_t first,
          uint64_t count, uint64_t out) {
  const uint64_t stride = window.micro_batches * window.slot_bytes();
  unsigned char* slot = window.Slot(first, micro_batch);
  unsigned char* ids = outputs.ids + out * window.id_bytes;
  for (uint64_t i = 0; i < count; ++i) {
    // The next slot's misses overlap with this slot's copy. At 270 ids it brings 1024 sessions from
    // 1.35 to 1.2 times one memcpy and one memset of all ids, 288 sessions from 1.23 to 1.08.
    if (i + 1 < count) Prefetch(slot + stride, window.slot_bytes());
    std::memcpy(&outputs.layers[out + i], slot + 4, 4);
    outputs.sessions[out + i] = static_cast<int32_t>(first + i);
    outputs.micro_batches[out + i] = static_cast<int32_t>(micro_batch);
    // Slot by slot, so that the reset finds in the first-level cache what the copy brought there.
    std::memcpy(ids, slot + kSlotHeader, window.id_bytes);
    std::memset(slot + kSlotHeader, kEmptyIdByte, window.id_bytes);
    __atomic_store_n(reinterpret_cast<int32_t*>(slot), 0, __ATOMIC_RELEASE);
    slot += stride;
    ids += window.id_bytes;
  }
}

void EmptySlot(const Window& window, uint64_t session, uint64_t micro_batch, int32_t empty) {
  unsigned char* slot = window.Slot(session, micro_batch);
  auto* ids = reinterpret_cast<int32_t*>(slot + kSlotHeader);
  std::fill_n(ids, window.id_bytes / sizeof(int32_t), empty);
  __atomic_store_n(reinterpret_cast<int32_t*>(slot), 0, __ATOMIC_RELEASE);
}

uint64_t SkipReadyFlags(const int32_t* flags, uint64_t first, uint64_t end) {
  while (first < end && LoadFlag(&flags[first]) == kReady) ++first;
  return first;
}

void ClearFlags(int32_t* flags, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) __atomic_store_n(&flags[i], 0, __ATOMIC_RELEASE);
}

}  // namespace anyacl::afd
