// SPDX-License-Identifier: Apache-2.0
// Elements of the cache's types as floats.
#pragma once

#include "attention/kernel.h"
#include "simd/int4_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using attention::Source;

// Bytes of `elements` elements.
template <Source kSource>
constexpr size_t BytesOf(size_t elements) {
  return kSource == Source::kInt4    ? elements / 2
         : kSource == Source::kInt8  ? elements
         : kSource == Source::kFloat ? elements * 4
                                     : elements * 2;
}

// 16 elements from d on; INT4: d is a multiple of 16 and of what Load64 is for.
template <Source kSource>
inline VecF32 Load16(const char* row, size_t d) {
  const char* p = row + BytesOf<kSource>(d);
  if constexpr (kSource == Source::kFp16) {
    return LoadFp16(reinterpret_cast<const uint16_t*>(p));
  } else if constexpr (kSource == Source::kBf16) {
    return LoadBf16(reinterpret_cast<const uint16_t*>(p));
  } else if constexpr (kSource == Source::kInt8) {
    return ToF32(LoadI8(reinterpret_cast<const int8_t*>(p)));
  } else if constexpr (kSource == Source::kInt4) {
    return ToF32(Widen<0>(UnpackI4(LoadI4(reinterpret_cast<const uint8_t*>(p), 8))));
  } else {
    return Load(reinterpret_cast<const float*>(p));
  }
}

// The first n of 16 and zeros; never reads beyond them.
template <Source kSource>
inline VecF32 Load16(const char* row, size_t d, size_t n) {
  const char* p = row + BytesOf<kSource>(d);
  if constexpr (kSource == Source::kFp16) {
    return LoadFp16(reinterpret_cast<const uint16_t*>(p), n);
  } else if constexpr (kSource == Source::kBf16) {
    return LoadBf16(reinterpret_cast<const uint16_t*>(p), n);
  } else if constexpr (kSource == Source::kInt8) {
    return ToF32(LoadI8(reinterpret_cast<const int8_t*>(p), n));
  } else if constexpr (kSource == Source::kInt4) {
    return ToF32(Widen<0>(UnpackI4(LoadI4(reinterpret_cast<const uint8_t*>(p), n / 2))));
  } else {
    return Load(reinterpret_cast<const float*>(p), n);
  }
}

template <Source kSource, int kVectors>
[[gnu::always_inline]] inline void LoadVectors(const char* row, size_t d, VecF32 (&out)[kVectors]) {
  if constexpr (kSource == Source::kInt4 && kVectors == 4) {
    LoadI4AsF32(reinterpret_cast<const uint8_t*>(row) + BytesOf<kSource>(d), out);
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      out[v] = Load16<kSource>(row, d + kLanes * static_cast<size_t>(v));
    }
  }
}

// Calls f with the tag of `source`.
template <Source kSource>
struct SourceTag {
  static constexpr Source kValue = kSource;
};

template <class Function>
inline void WithSource(Source source, const Function& f) {
  switch (source) {
    case Source::kFp16:
      return f(SourceTag<Source::kFp16>());
    case Source::kBf16:
      return f(SourceTag<Source::kBf16>());
    case Source::kInt8:
      return f(SourceTag<Source::kInt8>());
    case Source::kInt4:
      return f(SourceTag<Source::kInt4>());
    case Source::kFloat:
      return f(SourceTag<Source::kFloat>());
  }
}

}  // namespace anyacl::ANYACL_ISA
