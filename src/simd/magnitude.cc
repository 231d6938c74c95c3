// SPDX-License-Identifier: Apache-2.0
#include "simd/magnitude.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

uint16_t MaxMagnitude16(const uint16_t* x, size_t n) {
  constexpr size_t kLanes16 = 2 * kLanes;
  const auto* bits = reinterpret_cast<const int16_t*>(x);
  const VecI16 magnitude = SetI16(0x7fff);
  // Four chains hide the latency of the maximum.
  VecI16 a = SetI16(0), b = a, c = a, d = a;
  size_t i = 0;
  for (; i + 4 * kLanes16 <= n; i += 4 * kLanes16) {
    a = Max(a, And(Load(bits + i), magnitude));
    b = Max(b, And(Load(bits + i + kLanes16), magnitude));
    c = Max(c, And(Load(bits + i + 2 * kLanes16), magnitude));
    d = Max(d, And(Load(bits + i + 3 * kLanes16), magnitude));
  }
  for (; i + kLanes16 <= n; i += kLanes16) a = Max(a, And(Load(bits + i), magnitude));
  if (i < n) a = Max(a, And(Load(bits + i, n - i), magnitude));
  return static_cast<uint16_t>(ReduceMax(Max(Max(a, b), Max(c, d))));
}

}  // namespace anyacl::ANYACL_ISA
