// SPDX-License-Identifier: Apache-2.0
// The kernels' contract: functions of n numbers in a row, contiguous, results rounded to fp32.
// clang-format off
//   max(x)                        the largest; NaN if one is
//   exp_sum(x, m, to)             the sum of e^(x - m), which go to `to` unless it is null
//   scale(x, f, to)               to = x * f
//   exp_scale(x, m, f, to)        to = e^(x - m) * f
//   shift(x, a, b, to)            to = (x - a) - b
//   moments(x, c)                 the sums of x - c and of (x - c)^2
//   dot(a, b)                     the sum of a * b
//   normalize(x, norm, to)        to = ((x - mean) - residual) * rstd * gamma + beta
//   add(a, b, to)                 to = a + b
//   swiglu(a, b, to)              to = a / (1 + e^-a) * b
//   softmax_grad(g, y, s, to)     to = (g - s) * y
//   log_softmax_grad(g, y, s, to) to = g - s * e^y
// clang-format on
// `to` may be an input. Sums are taken in blocks of kBlock: in fp32 by 32 lanes within a block, at
// most 21 additions deep, in double over blocks, in their order. A row may therefore be cut at
// multiples of kBlock, and the parts' sums added.
#pragma once

#include <stdint.h>

namespace anyacl::rowwise {

inline constexpr int64_t kBlock = 512;

struct Moments {
  double sum;
  double squares;
};

// Of a row, or a part of one; gamma and beta, its columns, may be null.
struct Norm {
  float mean;
  float residual;  // what mean leaves of the true one
  float rstd;
  const float* gamma;
  const float* beta;
};

template <class T>
struct SoftmaxKernels {
  T (*max)(const T* x, int64_t n);
  double (*exp_sum)(const T* x, int64_t n, T m, T* to);
  void (*scale)(const T* x, int64_t n, T f, T* to);
  void (*exp_scale)(const T* x, int64_t n, T m, T f, T* to);
  void (*shift)(const T* x, int64_t n, T a, T b, T* to);
};

struct KernelSet {
  SoftmaxKernels<float> softmax;
  Moments (*moments)(const float* x, int64_t n, float c);
  double (*dot)(const float* a, const float* b, int64_t n);
  void (*normalize)(const float* x, int64_t n, const Norm& norm, float* to);
  void (*add)(const float* a, const float* b, int64_t n, float* to);
  void (*swiglu)(const float* a, const float* b, int64_t n, float* to);
  void (*softmax_grad)(const float* g, const float* y, int64_t n, float s, float* to);
  void (*log_softmax_grad)(const float* g, const float* y, int64_t n, float s, float* to);
};

}  // namespace anyacl::rowwise

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const rowwise::KernelSet kRowwiseKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
