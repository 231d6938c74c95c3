// SPDX-License-Identifier: Apache-2.0
// Memory that is asked for before it is read.
#pragma once

#include <cstdint>

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// How far ahead a loop over long rows asks. Where a number takes long few reads are under way, so
// that memory is waited for, above all beside stores past the caches: 2^25 sigmoids of bf16 took 16
// instead of 6.5 ms.
inline constexpr int64_t kAheadBytes = 2048;

// Asks for lines that lie so many bytes after p, whether they exist or not.
template <int kLines, void (*kPrefetch)(const void*) = PrefetchL1>
[[gnu::always_inline]] inline void PrefetchLines(const void* p, int64_t ahead) {
  const auto to = reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(ahead);
  for (uintptr_t i = 0; i < kLines; ++i) kPrefetch(reinterpret_cast<const void*>(to + 64 * i));
}

}  // namespace anyacl::ANYACL_ISA
