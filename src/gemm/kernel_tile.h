// SPDX-License-Identifier: Apache-2.0
// The tile of all matrix products: sums of some rows by a panel's vectors stay in registers, and a
// step of k adds to them the products of one operand per vector, which the panel reads, with 4
// bytes of each row, broadcast from memory. A Panel is
//   Sum                       VecF32 or VecI32
//   kVectors                  vectors of sums, hence operands, per row
//   Read(p), Operand(read, i) one step's i-th operand
//   Dot(sum, operand, a)      adds the products with the 4 bytes at a
//   Row(a)                    only where rows may be multiplied where they lie: the 4 bytes at a,
//                             broadcast, which Dot takes as well
//   kKeepsRows                only beside Row: whether packed ones are broadcast once, too
//   DotOnes(sum, operand)     only with kOnes: a last row of ones, which sums the columns
// Few rows, kernel_few.h, may have sums of 16 units that are added to the others by Folded(sum).
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

template <class Panel, int kRows, bool kOnes = false>
struct TileSums {
  static constexpr int kLines = kRows + (kOnes ? 1 : 0);
  typename Panel::Sum at[kLines][Panel::kVectors];
};

inline VecF32 ZeroOf(VecF32) { return SetF32(0.0f); }
inline VecI32 ZeroOf(VecI32) { return SetI32(0); }

inline VecF32 LoadSum(VecF32, const int32_t* p) { return FloatFromBits(Load(p)); }
inline VecI32 LoadSum(VecI32, const int32_t* p) { return Load(p); }
inline VecF32 Folded(VecF32 v) { return v; }
inline VecI32 Folded(VecI32 v) { return v; }
inline void StoreSum(int32_t* p, VecF32 v) { Store(p, BitsOf(v)); }
inline void StoreSum(int32_t* p, VecI32 v) { Store(p, v); }

template <class Panel, int kRows, bool kOnes>
[[gnu::always_inline]] inline void ClearSums(TileSums<Panel, kRows, kOnes>& sums) {
#pragma GCC unroll 16
  for (int r = 0; r < TileSums<Panel, kRows, kOnes>::kLines; ++r) {
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) sums.at[r][i] = ZeroOf(typename Panel::Sum{});
  }
}

// operand(i): the i-th of the step. row_at(r): the 4 bytes of row r, which are broadcast once for
// all vectors.
template <class Panel, int kRows, class OperandAt, class RowAt>
[[gnu::always_inline]] inline void AddKeptStep(TileSums<Panel, kRows>& sums,
                                               const OperandAt& operand, const RowAt& row_at) {
  decltype(operand(0)) operands[Panel::kVectors];
#pragma GCC unroll 4
  for (int i = 0; i < Panel::kVectors; ++i) operands[i] = operand(i);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const auto row = Panel::Row(row_at(r));
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      sums.at[r][i] = Panel::Dot(sums.at[r][i], operands[i], row);
    }
  }
}

template <class Panel, int kRows, bool kOnes>
[[gnu::always_inline]] inline void AddStep(TileSums<Panel, kRows, kOnes>& sums, const int8_t* b,
                                           const int8_t* a) {
  const auto read = Panel::Read(b);
  if constexpr (requires { requires Panel::kKeepsRows; }) {
    return AddKeptStep<Panel, kRows>(
        sums, [read](int i) { return Panel::Operand(read, i); }, [a](int r) { return a + 4 * r; });
  }
#pragma GCC unroll 4
  for (int i = 0; i < Panel::kVectors; ++i) {
    const auto operand = Panel::Operand(read, i);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      sums.at[r][i] = Panel::Dot(sums.at[r][i], operand, a + 4 * r);
    }
    if constexpr (kOnes) sums.at[kRows][i] = Panel::DotOnes(sums.at[kRows][i], operand);
  }
}

}  // namespace anyacl::ANYACL_ISA
