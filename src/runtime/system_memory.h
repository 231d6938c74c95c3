// SPDX-License-Identifier: Apache-2.0
// Memory from the system.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/division.h"

#if defined(ANYACL_SANITIZED)
#include <sanitizer/asan_interface.h>
#endif

namespace anyacl {

constexpr size_t kHugePage = size_t{2} << 20;

inline size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Blocks of a page or more lie on pages of their own: those can be shared with other processes and
// registered. Smaller ones are aligned to two cache lines, for the widest vector loads and for the
// neighbour-line prefetcher.
inline bool HasOwnPages(size_t size) { return size >= PageSize(); }

// Of the bytes allocated those behind `size` are nobody's: AddressSanitizer reports who reads them.
inline void CloseBehind([[maybe_unused]] void* address, [[maybe_unused]] size_t size,
                        [[maybe_unused]] size_t allocated) {
#if defined(ANYACL_SANITIZED)
  ASAN_UNPOISON_MEMORY_REGION(address, size);
  ASAN_POISON_MEMORY_REGION(static_cast<char*>(address) + size, allocated - size);
#endif
}

// Null if the system has none. `size` is not close to SIZE_MAX; `block` is what SystemFree takes.
inline void* SystemAllocate(size_t size, void** block) {
  const bool own_pages = HasOwnPages(size);
  const bool huge = size >= 2 * kHugePage;
  const size_t alignment = huge ? kHugePage : own_pages ? PageSize() : 128;
  const size_t rounded = own_pages ? RoundUp(size, PageSize()) : size;
  // From this size on the C library maps a block alone, until a block of its size has been freed.
  // What it aligns itself never counts as that: a pair of malloc and free would cost 37 us each
  // time instead of 0.15.
  constexpr size_t kMappedAlone = size_t{128} << 10;
  void* address = nullptr;
  if (!huge && rounded >= kMappedAlone) {
    *block = std::malloc(rounded + alignment);
    if (*block == nullptr) return nullptr;
    address = reinterpret_cast<void*>(RoundUp(reinterpret_cast<uintptr_t>(*block), alignment));
  } else {
    if (posix_memalign(&address, alignment, rounded) != 0) return nullptr;
    *block = address;
  }
  if (huge) madvise(address, rounded / kHugePage * kHugePage, MADV_HUGEPAGE);
  CloseBehind(address, size, rounded);
  return address;
}

inline void SystemFree(void* block) { std::free(block); }

}  // namespace anyacl
