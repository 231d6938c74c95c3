// SPDX-License-Identifier: Apache-2.0
// Stores past the caches: a line that is written whole need not be read first, and does not take
// the place of others. Where C++ reaches none (64-bit Arm), they are plain.
#pragma once

#include "base/element_width.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace anyacl {

// 16 bytes; `to` is a multiple of 16.
[[gnu::always_inline]] inline void Copy16PastCaches(char* to, const char* from) {
#if defined(__x86_64__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to),
                   _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
  StoreElement(to, LoadElement<SixteenBytes>(from));
#endif
}

// After the last of them, before others are told of the data.
[[gnu::always_inline]] inline void FencePastCaches() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace anyacl
