// SPDX-License-Identifier: Apache-2.0
// Memory that is asked for before it is read.
#pragma once

#include <cstdint>

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// Asks for lines that lie so many bytes after p, whether they exist or not.
template <int kLines, void (*kPrefetch)(const void*) = PrefetchL1>
[[gnu::always_inline]] inline void PrefetchLines(const void* p, int64_t ahead) {
  const auto to = reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(ahead);
  for (uintptr_t i = 0; i < kLines; ++i) kPrefetch(reinterpret_cast<const void*>(to + 64 * i));
}

}  // namespace anyacl::ANYACL_ISA
