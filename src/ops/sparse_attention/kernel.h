// SPDX-License-Identifier: Apache-2.0
// The kernel's contract. Of the products of a token's heads with some keys the sum
//   to[j] = sum over n of weights[n] * max(0, products[n * step + j])
// in the order of n, product and sum rounded apart: fused they would be slow without the
// instruction, and other bits.
#pragma once

#include <stdint.h>

namespace anyacl::sparse_attention {

// count: a multiple of kVector.
inline constexpr int64_t kVector = 16;

struct KernelSet {
  void (*sum_rectified)(const float* products, int64_t step, const float* weights, int64_t heads,
                        int64_t count, float* to);
};

}  // namespace anyacl::sparse_attention

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const sparse_attention::KernelSet kSparseAttentionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
