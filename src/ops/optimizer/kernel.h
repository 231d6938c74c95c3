// SPDX-License-Identifier: Apache-2.0
// The kernels' contract, of n fp32 numbers each:
// clang-format off
//   adam_w   m = m + (g - m) * (1 - beta1)           g being its negative if `maximize`
//            v = beta2 * v + (1 - beta2) * g^2
//            most = max(most, v)                     unless it is null
//            p = p * decay - step_size * m / (sqrt(v or most) * spread + eps)
//   unscale  to = x * factor; whether all x are finite
// clang-format on
#pragma once

#include <stdint.h>

namespace anyacl::optimizer {

struct AdamW {
  float beta1_rest;  // 1 - beta1
  float beta2;
  float beta2_rest;
  float decay;  // 1 - lr * weight decay
  float step_size;
  float spread;  // 1 / sqrt(1 - beta2^t)
  float eps;
  bool maximize;
};

struct AdamWState {
  const float* p;
  const float* m;
  const float* v;
  const float* most;
  const float* g;
  float* new_p;
  float* new_m;
  float* new_v;
  float* new_most;
};

struct KernelSet {
  void (*adam_w)(const AdamWState& state, int64_t n, const AdamW& factors);
  bool (*unscale)(const float* x, int64_t n, float factor, float* to);
};

}  // namespace anyacl::optimizer

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const optimizer::KernelSet kOptimizerKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
