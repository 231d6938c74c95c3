// SPDX-License-Identifier: Apache-2.0
// The kernels' contract, of n numbers each, computed in fp32:
// clang-format off
//   adam_w   m = m + (g - m) * (1 - beta1)           g being multiplied by `gradient` before
//            v = beta2 * v + (1 - beta2) * g^2
//            most = max(most, v)                     unless it is null
//            p = p * decay - step_size * m / (sqrt(v or most) * spread + eps)
//   ema_adam adam_w of g + l2 * p instead of g (of g if adds_l2 is not set), without most, and then
//            s = ema * s + (1 - ema) * p
//   sgd      g = g / scale                          kept in new_g unless that is null
//            d = g * gradient + weight_decay * p    without the sum if weight_decay is 0
//            v = d if first, else momentum * v + rest * d          unless v is null
//            d = v, or d + momentum * v if nesterov                unless v is null
//            p = p - lr * d
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
  float gradient;  // -1 goes along it
};

// Numbers of one type; uint16_t: the bits of fp16 or bf16.
template <class T>
struct AdamWStateOf {
  const T* p;
  const T* m;
  const T* v;
  const T* most;
  const T* g;
  T* new_p;
  T* new_m;
  T* new_v;
  T* new_most;
};
using AdamWState = AdamWStateOf<float>;
using AdamWHalves = AdamWStateOf<uint16_t>;

struct EmaAdam {
  AdamW adam;
  float l2;
  bool adds_l2;
  float ema;
  float ema_rest;  // 1 - ema
};

struct EmaAdamState {
  AdamWState adam;
  const float* ema;
  float* new_ema;
};

struct Sgd {
  float scale;
  float gradient;  // -1 goes along it
  float weight_decay;
  float momentum;
  float rest;  // 1 - dampening
  float lr;
  bool first;
  bool nesterov;
};

struct SgdState {
  const float* p;
  const float* g;
  const float* v;
  float* new_p;
  float* new_g;
  float* new_v;
};

struct KernelSet {
  void (*adam_w)(const AdamWState& state, int64_t n, const AdamW& factors);
  void (*adam_w_fp16)(const AdamWHalves& state, int64_t n, const AdamW& factors);
  void (*adam_w_bf16)(const AdamWHalves& state, int64_t n, const AdamW& factors);
  void (*ema_adam)(const EmaAdamState& state, int64_t n, const EmaAdam& factors);
  void (*sgd)(const SgdState& state, int64_t n, const Sgd& factors);
  bool (*unscale)(const float* x, int64_t n, float factor, float* to);
};

}  // namespace anyacl::optimizer

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const optimizer::KernelSet kOptimizerKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
