// SPDX-License-Identifier: Apache-2.0
// The products of attention: 8 rows times up to 3 vectors of lanes.
#pragma once

#include "simd/register_tile.h"

namespace anyacl::ANYACL_ISA {

inline constexpr int kProductRows = 8;

// Arithmetic in fp32: one step of the sum at a time.
struct Fp32 {
  static constexpr int kDepth = 1;
  using Element = float;
  using Register = RegisterF32;
  static Register LoadLanes(const void* p, int at) {
    return LoadRegister(static_cast<const float*>(p) + at);
  }
  static Register Broadcast(const Element* p) { return SetRegister(*p); }
  static RegisterF32 MultiplyAdd(Register a, Register b, RegisterF32 sum) {
    return FmaRegister(a, b, sum);
  }
};

// In bf16: two at a time.
struct Bf16 {
  static constexpr int kDepth = 2;
  using Element = int32_t;  // a pair
  using Register = RegisterPairs;
  static Register LoadLanes(const void* p, int at) {
    return LoadPairs(static_cast<const int32_t*>(p) + at);
  }
  static Register Broadcast(const Element* p) { return SetPairs(p); }
  static RegisterF32 MultiplyAdd(Register a, Register b, RegisterF32 sum) {
    return DotRegister(a, b, sum);
  }
};

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

template <class Type, int kRegisters, class Start>
[[gnu::always_inline]] inline void MultiplyTile(const Factors<Type>& f, int row, int lane,
                                                float* out, int out_step, const Start& start) {
  RegisterF32 sum[kTileRows][kRegisters];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kRegisters; ++v) sum[i][v] = start(row + i, lane + v * kRegisterLanes);
  }
  const typename Type::Element* a = f.a + row * f.row_step;
  for (int k = 0; k < f.depth; ++k) {
    typename Type::Register lanes[kRegisters];
#pragma GCC unroll 4
    for (int v = 0; v < kRegisters; ++v) {
      lanes[v] = Type::LoadLanes(f.b, k * f.b_step + lane + v * kRegisterLanes);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) {
      const typename Type::Register x = Type::Broadcast(a + i * f.row_step + k * f.depth_step);
#pragma GCC unroll 4
      for (int v = 0; v < kRegisters; ++v) sum[i][v] = Type::MultiplyAdd(lanes[v], x, sum[i][v]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kRegisters; ++v) {
      StoreRegister(out + (row + i) * out_step + lane + v * kRegisterLanes, sum[i][v]);
    }
  }
}

// out[i][lane] = start(i, lane) + sum over k of a[i][k] * b[k][lane], in the order of k, for
// kProductRows rows.
template <class Type, int kVectors, class Start>
[[gnu::always_inline]] inline void Multiply(const Factors<Type>& f, float* out, int out_step,
                                            const Start& start) {
  constexpr int kAll = kVectors * static_cast<int>(kLanes) / kRegisterLanes;
  constexpr int kTogether = RegistersTogether(kAll);
  static_assert(kAll % kTogether == 0 && kProductRows % kTileRows == 0);
  for (int v = 0; v < kAll; v += kTogether) {
    for (int i = 0; i < kProductRows; i += kTileRows) {
      MultiplyTile<Type, kTogether>(f, i, v * kRegisterLanes, out, out_step, start);
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
