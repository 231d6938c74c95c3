// SPDX-License-Identifier: Apache-2.0
// Four vectors at a time: one alone would wait for its additions.
#include "ops/sparse_attention/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using sparse_attention::KernelSet;
using sparse_attention::kVector;

template <int kVectors>
void SumColumns(const float* products, int64_t step, const float* weights, int64_t heads,
                float* to) {
  const VecF32 zero = SetF32(0.0f);
  VecF32 sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = zero;
  for (int64_t n = 0; n < heads; ++n, products += step) {
    const VecF32 weight = SetF32(weights[n]);
    for (int v = 0; v < kVectors; ++v) {
      // Of NaN the second operand.
      const VecF32 product = Max(zero, Load(products + v * kVector));
      sums[v] = Add(sums[v], Mul(weight, product));
    }
  }
  for (int v = 0; v < kVectors; ++v) Store(to + v * kVector, sums[v]);
}

void SumRectified(const float* products, int64_t step, const float* weights, int64_t heads,
                  int64_t count, float* to) {
  int64_t j = 0;
  for (; j + 4 * kVector <= count; j += 4 * kVector) {
    SumColumns<4>(products + j, step, weights, heads, to + j);
  }
  for (; j < count; j += kVector) SumColumns<1>(products + j, step, weights, heads, to + j);
}

}  // namespace

extern constinit const KernelSet kSparseAttentionKernels;
constinit const KernelSet kSparseAttentionKernels = {.sum_rectified = SumRectified};

}  // namespace anyacl::ANYACL_ISA
