// SPDX-License-Identifier: Apache-2.0
// Integers that stand for numbers by a factor, and an offset, of their group.
#pragma once

#include "gemm/kernel_view.h"

namespace anyacl::ANYACL_ISA {

// Factors and offsets of 16 columns in one group; those of columns that do not exist are 0.
struct Factors {
  VecF32 scale, offset;
};
inline Factors FactorsOf(const gemm::Groups& groups, int64_t k, int64_t column, int64_t columns) {
  const int64_t left = columns - column, n = left < 16 ? left : 16;
  Factors f = {SetF32(0.0f), SetF32(0.0f)};
  if (n <= 0) return f;
  f.scale = LoadFloats(groups.scale, k / groups.group, column, n);
  if (groups.offset.data != nullptr) {
    f.offset = LoadFloats(groups.offset, k / groups.group, column, n);
  }
  return f;
}
inline VecF32 Apply(VecF32 b, const Factors& f) { return Mul(Add(b, f.offset), f.scale); }

// Packed columns of integers, as fp32, become the numbers that they stand for.
template <int kVectors>
void ScaleColumns(const gemm::ScaleArgs& args) {
  constexpr int64_t kWidth = 16 * kVectors;
  char* panel = static_cast<char*>(args.panels);
  for (int64_t first = 0; first < args.columns; first += kWidth, panel += args.panel_bytes) {
    float* row = reinterpret_cast<float*>(panel);
    for (int64_t k = 0; k < args.depth;) {
      const int64_t place = args.first + k;
      const int64_t rest = args.groups.group - place % args.groups.group;
      const int64_t end = args.depth - k < rest ? args.depth : k + rest;
      Factors factors[kVectors];
      for (int i = 0; i < kVectors; ++i) {
        factors[i] = FactorsOf(args.groups, place, first + 16 * i, args.columns);
      }
      for (; k < end; ++k, row += kWidth) {
#pragma GCC unroll 4
        for (int i = 0; i < kVectors; ++i) {
          Store(row + 16 * i, Apply(Load(row + 16 * i), factors[i]));
        }
      }
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
