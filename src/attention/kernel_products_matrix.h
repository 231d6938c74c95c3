// SPDX-License-Identifier: Apache-2.0
// The products of attention in bf16 with matrix registers.
#pragma once

#include "simd/matrix_tile.h"

namespace anyacl::ANYACL_ISA {

// Rows of a product, and numbers of a step of its sums.
inline constexpr int kMatrixBlock = 32;
static_assert(kMatrixBlock == kMatrixLanesRows && kMatrixBlock == 2 * kMatrixUnits);

inline int WholeBlocks(int n) { return (n + kMatrixBlock - 1) / kMatrixBlock * kMatrixBlock; }

struct MatrixProduct {
  const uint16_t* a;  // [rows][depth]
  int a_step;
  const int32_t* b;  // pairs [depth / 2][lane]
  int b_step;
  float* c;  // [rows][lane]
  int c_step;
};

// c = a b or, if kResume, c += a b. Rows and depth count up to whole blocks, and are there.
template <int kVectors, bool kResume = false>
[[gnu::always_inline]] inline void Multiply(MatrixProduct p, int rows, int depth) {
  MatrixLanes<kVectors> sums;
  for (int i = 0; i < rows; i += kMatrixBlock) {
    if constexpr (kResume) {
      sums.Load(p.c + i * p.c_step, p.c_step);
    } else {
      sums.Clear();
    }
    for (int k = 0; k < depth; k += kMatrixBlock) {
      sums.Add(p.a + i * p.a_step + k, p.a_step, p.b + k / 2 * p.b_step, p.b_step);
    }
    sums.Store(p.c + i * p.c_step, p.c_step);
  }
}

}  // namespace anyacl::ANYACL_ISA
