// SPDX-License-Identifier: Apache-2.0
// Functions of vectors that are written once, over the operations of simd.h.
#pragma once

namespace anyacl::ANYACL_ISA {

inline VecF32 LoadBf16(const uint16_t* p) { return FloatFromBits(ShiftLeft<16>(LoadU16(p))); }
inline VecF32 LoadBf16(const uint16_t* p, size_t n) {
  return FloatFromBits(ShiftLeft<16>(LoadU16(p, n)));
}

}  // namespace anyacl::ANYACL_ISA
