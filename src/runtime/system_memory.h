// SPDX-License-Identifier: Apache-2.0
// Memory from the system.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace anyacl {

constexpr size_t kHugePage = size_t{2} << 20;

constexpr size_t RoundUp(size_t size, size_t step) { return (size + step - 1) / step * step; }

inline size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Blocks of a page or more lie on pages of their own: those can be shared with other processes and
// registered. Smaller ones are aligned to two cache lines, for the widest vector loads and for the
// neighbour-line prefetcher.
inline bool HasOwnPages(size_t size) { return size >= PageSize(); }

// Null if the system has none. `size` is not close to SIZE_MAX.
inline void* SystemAllocate(size_t size) {
  size_t alignment = 128;
  if (HasOwnPages(size)) {
    alignment = size >= 2 * kHugePage ? kHugePage : PageSize();
    size = RoundUp(size, PageSize());
  }
  void* address = nullptr;
  if (posix_memalign(&address, alignment, size) != 0) return nullptr;
  if (alignment == kHugePage) madvise(address, size / kHugePage * kHugePage, MADV_HUGEPAGE);
  return address;
}

inline void SystemFree(void* address) { std::free(address); }

}  // namespace anyacl
