// SPDX-License-Identifier: Apache-2.0
// The products of attention: 8 rows times up to 3 vectors in registers. The 24 accumulators of 512
// bits leave room for the operands, and 3 loads and 8 broadcasts feed 24 multiplications.
#pragma once

#include "simd/dot_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

inline constexpr int kProductRows = 8;

// Arithmetic in fp32: one step of the sum at a time.
struct Fp32 {
  static constexpr int kDepth = 1;
  using Element = float;
  using Vector = VecF32;
  static Vector LoadLanes(const void* p, int at) { return Load(static_cast<const float*>(p) + at); }
  static Vector Broadcast(const Element* p) { return SetF32(*p); }
  static VecF32 MultiplyAdd(Vector a, Vector b, VecF32 sum) { return Fma(a, b, sum); }
};

// In bf16: two at a time.
struct Bf16 {
  static constexpr int kDepth = 2;
  using Element = int32_t;  // a pair
  using Vector = VecI16;
  static Vector LoadLanes(const void* p, int at) {
    return __builtin_bit_cast(VecI16, Load(static_cast<const int32_t*>(p) + at));
  }
  static Vector Broadcast(const Element* p) { return __builtin_bit_cast(VecI16, SetI32(*p)); }
  static VecF32 MultiplyAdd(Vector a, Vector b, VecF32 sum) { return DotBf16(sum, a, b); }
};

template <int kVectors>
[[gnu::always_inline]] inline void Clear(VecF32 (&sum)[kProductRows][kVectors]) {
#pragma GCC unroll 8
  for (int i = 0; i < kProductRows; ++i) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) sum[i][v] = SetF32(0.0f);
  }
}

template <int kVectors>
[[gnu::always_inline]] inline void LoadSums(const float* from, int step,
                                            VecF32 (&sum)[kProductRows][kVectors]) {
#pragma GCC unroll 8
  for (int i = 0; i < kProductRows; ++i) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      sum[i][v] = Load(from + i * step + v * static_cast<int>(kLanes));
    }
  }
}

template <int kVectors>
[[gnu::always_inline]] inline void StoreSums(const VecF32 (&sum)[kProductRows][kVectors], float* to,
                                             int step) {
#pragma GCC unroll 8
  for (int i = 0; i < kProductRows; ++i) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      Store(to + i * step + v * static_cast<int>(kLanes), sum[i][v]);
    }
  }
}

// sum[i][lane] += sum over k of a[i][k] * b[k][lane], in the order of k: `depth` numbers, or pairs
// of them. Steps are those of elements, b's too.
template <class Type, int kVectors>
[[gnu::always_inline]] inline void AddProducts(const typename Type::Element* a, int row_step,
                                               int depth_step, const void* b, int b_step, int depth,
                                               VecF32 (&sum)[kProductRows][kVectors]) {
  for (int k = 0; k < depth; ++k) {
    typename Type::Vector lanes[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      lanes[v] = Type::LoadLanes(b, k * b_step + v * static_cast<int>(kLanes));
    }
#pragma GCC unroll 8
    for (int i = 0; i < kProductRows; ++i) {
      const typename Type::Vector x = Type::Broadcast(a + i * row_step + k * depth_step);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) {
        sum[i][v] = Type::MultiplyAdd(lanes[v], x, sum[i][v]);
      }
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
