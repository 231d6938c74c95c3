// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits as types of their own, for code that is a template over elements, and single
// numbers of memory as float. Kernels have their own (simd/).
#pragma once

#include "base/element.h"
#include "base/half.h"

namespace anyacl {

struct Fp16 {
  uint16_t bits;
  // Rounded to nearest even, once.
  static Fp16 From(double number) { return {Fp16FromDouble(number)}; }
  float ToFloat() const { return FloatFromFp16(bits); }
};

struct Bf16 {
  uint16_t bits;
  static Bf16 From(double number) { return {Bf16FromDouble(number)}; }
  float ToFloat() const { return FloatFromBf16(bits); }
};

template <class T>
inline constexpr bool kIsHalf = false;
template <>
inline constexpr bool kIsHalf<Fp16> = true;
template <>
inline constexpr bool kIsHalf<Bf16> = true;

// Element `index` of memory that holds fp32, fp16 or bf16.
inline float FloatAt(Element type, const void* data, int64_t index) {
  if (type == Element::kFp32) return static_cast<const float*>(data)[index];
  const uint16_t bits = static_cast<const uint16_t*>(data)[index];
  return type == Element::kFp16 ? FloatFromFp16(bits) : FloatFromBf16(bits);
}

}  // namespace anyacl
