// SPDX-License-Identifier: Apache-2.0
// Elements of the cache's types as floats.
#pragma once

#include "attention/kernel.h"
#include "simd/int4_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// 16 elements from d on; INT4: d is a multiple of 16 and of what Load64 is for.
template <Element kSource>
inline VecF32 Load16(const char* row, size_t d) {
  const char* p = row + BytesOf(kSource, d);
  if constexpr (kSource == Element::kFp16) {
    return LoadFp16(reinterpret_cast<const uint16_t*>(p));
  } else if constexpr (kSource == Element::kBf16) {
    return LoadBf16(reinterpret_cast<const uint16_t*>(p));
  } else if constexpr (kSource == Element::kInt8) {
    return ToF32(LoadI8(reinterpret_cast<const int8_t*>(p)));
  } else if constexpr (kSource == Element::kInt4) {
    return ToF32(Widen<0>(UnpackI4(LoadI4(reinterpret_cast<const uint8_t*>(p), 8))));
  } else {
    return Load(reinterpret_cast<const float*>(p));
  }
}

// The first n of 16 and zeros; never reads beyond them.
template <Element kSource>
inline VecF32 Load16(const char* row, size_t d, size_t n) {
  const char* p = row + BytesOf(kSource, d);
  if constexpr (kSource == Element::kFp16) {
    return LoadFp16(reinterpret_cast<const uint16_t*>(p), n);
  } else if constexpr (kSource == Element::kBf16) {
    return LoadBf16(reinterpret_cast<const uint16_t*>(p), n);
  } else if constexpr (kSource == Element::kInt8) {
    return ToF32(LoadI8(reinterpret_cast<const int8_t*>(p), n));
  } else if constexpr (kSource == Element::kInt4) {
    return ToF32(Widen<0>(UnpackI4(LoadI4(reinterpret_cast<const uint8_t*>(p), n / 2))));
  } else {
    return Load(reinterpret_cast<const float*>(p), n);
  }
}

template <Element kSource, int kVectors>
[[gnu::always_inline]] inline void LoadVectors(const char* row, size_t d, VecF32 (&out)[kVectors]) {
  if constexpr (kSource == Element::kInt4 && kVectors == 4) {
    LoadI4AsF32(reinterpret_cast<const uint8_t*>(row) + BytesOf(kSource, d), out);
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      out[v] = Load16<kSource>(row, d + kLanes * static_cast<size_t>(v));
    }
  }
}

// Calls f with the tag of `source`.
template <Element kSource>
struct SourceTag {
  static constexpr Element kValue = kSource;
};

template <class Function>
inline void WithSource(Element source, const Function& f) {
  switch (source) {
    case Element::kFp16:
      return f(SourceTag<Element::kFp16>());
    case Element::kBf16:
      return f(SourceTag<Element::kBf16>());
    case Element::kInt8:
      return f(SourceTag<Element::kInt8>());
    case Element::kInt4:
      return f(SourceTag<Element::kInt4>());
    default:
      return f(SourceTag<Element::kFp32>());
  }
}

}  // namespace anyacl::ANYACL_ISA
