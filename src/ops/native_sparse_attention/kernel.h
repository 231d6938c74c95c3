// SPDX-License-Identifier: Apache-2.0
// The kernels' contracts, on rows of any length: sums in vectors of 16 lanes, whose lanes are added
// up at the end, the same bits on every tier.
#pragma once

#include <stdint.h>

namespace anyacl::native_sparse_attention {

// Of a row of `count` products of a query with keys, in `p`, and of dy with values, in `ds`:
//   p[j]  = exp(scale * p[j] - max) / sum
//   ds[j] = p[j] * (ds[j] - delta) * scale
// and zeros from `count` on up to `all`.
struct Differential {
  float* p;
  float* ds;
  int64_t count;
  int64_t all;
  float scale;
  float max;
  float sum;
  float delta;
};

struct KernelSet {
  // to[i] += weight * from[i], rounded once.
  void (*add_weighted)(float weight, const float* from, int64_t count, float* to);
  // Sum of a[i] * b[i].
  float (*dot)(const float* a, const float* b, int64_t count);
  // Of the softmax of scale * scores[i] over what is not masked (null: nothing is),
  // to[i] += its probability; nothing if all is masked. Scores are scratch afterwards.
  void (*add_probabilities)(float* scores, const int8_t* masked, float scale, int64_t count,
                            float* to);
  void (*differentiate)(const Differential& row);
};

}  // namespace anyacl::native_sparse_attention

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const native_sparse_attention::KernelSet kNativeSparseAttentionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
