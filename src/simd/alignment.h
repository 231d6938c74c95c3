// SPDX-License-Identifier: Apache-2.0
// Where stores past the caches may begin.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// Of `count` elements those before the first one that a vector in memory begins with.
template <class T>
inline int64_t ToAlignment(const T* p, int64_t count) {
  const uintptr_t over = reinterpret_cast<uintptr_t>(p) % kVectorBytes;
  const auto head = static_cast<int64_t>((kVectorBytes - over) % kVectorBytes / sizeof(T));
  return head < count ? head : count;
}

}  // namespace anyacl::ANYACL_ISA
