// SPDX-License-Identifier: Apache-2.0
// The products of attention: 8 rows times up to 3 vectors of lanes.
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

// The sums that registers hold beside their operands: kSumRows x kSumVectors.
#if defined(__AVX512BW__)
inline constexpr int kSumRows = kProductRows;  // 24 of 32 registers; 3 loads, 8 broadcasts
inline constexpr int kSumVectors = 3;
#elif defined(__AVX2__) || defined(__aarch64__)
inline constexpr int kSumRows = 4;  // 8 of 16 registers, or 16 of 32
inline constexpr int kSumVectors = 1;
#else
inline constexpr int kSumRows = 2;  // 8 of 16 registers
inline constexpr int kSumVectors = 1;
#endif

// Rows a[i][k] and lanes b[k][lane]: `depth` numbers, or pairs of them. Steps are those of
// elements, b's too.
template <class Type>
struct Factors {
  const typename Type::Element* a;
  int row_step;
  int depth_step;
  const void* b;
  int b_step;
  int depth;
};

template <class Type, int kVectors, class Start>
[[gnu::always_inline]] inline void MultiplySums(const Factors<Type>& f, int row, int vector,
                                                float* out, int out_step, const Start& start) {
  constexpr int kUnit = static_cast<int>(kLanes);
  VecF32 sum[kSumRows][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kSumRows; ++i) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) sum[i][v] = start(row + i, vector + v);
  }
  const typename Type::Element* a = f.a + row * f.row_step;
  for (int k = 0; k < f.depth; ++k) {
    typename Type::Vector lanes[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      lanes[v] = Type::LoadLanes(f.b, k * f.b_step + (vector + v) * kUnit);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kSumRows; ++i) {
      const typename Type::Vector x = Type::Broadcast(a + i * f.row_step + k * f.depth_step);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) {
        sum[i][v] = Type::MultiplyAdd(lanes[v], x, sum[i][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kSumRows; ++i) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      Store(out + (row + i) * out_step + (vector + v) * kUnit, sum[i][v]);
    }
  }
}

// out[i][lane] = start(i, vector) + sum over k of a[i][k] * b[k][lane], in the order of k, for
// kProductRows rows.
template <class Type, int kVectors, class Start>
[[gnu::always_inline]] inline void Multiply(const Factors<Type>& f, float* out, int out_step,
                                            const Start& start) {
  constexpr int kTogether = kVectors < kSumVectors ? kVectors : kSumVectors;
  static_assert(kVectors % kTogether == 0 && kProductRows % kSumRows == 0);
#pragma GCC unroll 3
  for (int v = 0; v < kVectors; v += kTogether) {
#pragma GCC unroll 4
    for (int i = 0; i < kProductRows; i += kSumRows) {
      MultiplySums<Type, kTogether>(f, i, v, out, out_step, start);
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
