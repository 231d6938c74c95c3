// SPDX-License-Identifier: Apache-2.0
// The kernels' contract: functions of n elements in a row, contiguous, of one type, fp32, fp16 or
// bf16; numbers are fp32 and results are rounded to the type once.
// clang-format off
//   max(x)                        the largest; NaN if one is
//   exp_sum(x, m, to)             the sum of e^(x - m), numbers which go to `to` unless it is null
//   scale(e, f, to)               to = e * f, of numbers e
//   exp_scale(x, m, f, to)        to = e^(x - m) * f
//   shift(x, a, b, to)            to = (x - a) - b
//   sum(x)                        the sum of x
//   moments(x, c)                 the sums of x - c and of (x - c)^2
//   dot(a, b)                     the sum of a * b
//   normalize(x, norm, to)        to = ((x - mean) - residual) * rstd * gamma + beta
//   norm_grad_sums(g, x, d)       the sums of g * gamma and of g * gamma * xh, with
//                                 xh = (x - mean) * rstd
//   norm_grad(g, x, d, to)        to = rstd * (g * gamma - c1 - xh * c2), unless it is null;
//                                 sums_xh += g * xh and sums += g, which is = for the first row
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

#include "base/element.h"

namespace anyacl::rowwise {

inline constexpr int64_t kBlock = 512;

// Where elements go. `past_caches`: they need not stay in the caches; whoever asks for it ends with
// the fence of blocks.
struct Target {
  void* data;
  bool past_caches;
};

struct Moments {
  double sum;
  double squares;
};

// Of a row, or a part of one; gamma and beta, its columns, may be null. They are `wide` if they are
// fp32 whatever x's type is.
struct Norm {
  float mean;
  float residual;  // what mean leaves of the true one
  float rstd;
  const void* gamma;
  const void* beta;
  bool wide;
};

// The gradient of a row, or a part of one; gamma, as Norm's, and the sums, numbers by column, may
// be null.
struct NormGrad {
  float mean, rstd;
  float c1, c2;
  const void* gamma;
  bool wide;
  bool first;
  float* sums_xh;
  float* sums;
};

// Of numbers T; elements are T's or of the type.
template <class T>
struct SoftmaxKernels {
  T (*max)(const void* x, int64_t n);
  double (*exp_sum)(const void* x, int64_t n, T m, T* to);
  void (*scale)(const T* e, int64_t n, T f, const Target& to);
  void (*exp_scale)(const void* x, int64_t n, T m, T f, const Target& to);
  void (*shift)(const void* x, int64_t n, T a, T b, const Target& to);
};

struct RowKernels {
  SoftmaxKernels<float> softmax;
  double (*sum)(const void* x, int64_t n);
  Moments (*moments)(const void* x, int64_t n, float c);
  double (*dot)(const void* a, const void* b, int64_t n);
  void (*normalize)(const void* x, int64_t n, const Norm& norm, const Target& to);
  Moments (*norm_grad_sums)(const void* g, const void* x, int64_t n, const NormGrad& grad);
  void (*norm_grad)(const void* g, const void* x, int64_t n, const NormGrad& grad,
                    const Target& to);
  void (*add)(const void* a, const void* b, int64_t n, const Target& to);
  void (*swiglu)(const void* a, const void* b, int64_t n, const Target& to);
  void (*softmax_grad)(const void* g, const void* y, int64_t n, float s, const Target& to);
  void (*log_softmax_grad)(const void* g, const void* y, int64_t n, float s, const Target& to);
};

// Rows that lie side by side, up to kAcross of them: element i of row r lies i * pitch + r elements
// behind `data`.
inline constexpr int64_t kAcross = 32;
struct Across {
  void* data;
  int64_t pitch;
  int64_t rows;
};
// Rows as numbers: strips of kStrip rows, strip[n][kStrip].
inline constexpr int64_t kStrip = 16;

// The same functions, with the same bits, of such rows of n elements, of as many rows as the
// results are for. What is [n] above is strips here, `to` of exp_sum too, which may be x, but where
// it is Across; what is one number is a number for each row.
struct AcrossKernels {
  void (*read)(const Across& x, int64_t n, float* strips);
  void (*max)(const float* x, int64_t n, int64_t rows, float* max);
  void (*exp_sum)(const float* x, int64_t n, int64_t rows, const float* m, float* to, double* sums);
  void (*sum)(const float* x, int64_t n, int64_t rows, double* sums);
  void (*dot)(const float* a, const float* b, int64_t n, int64_t rows, double* sums);
  void (*scale)(const float* e, int64_t n, const float* f, const Across& to);
  void (*shift)(const float* x, int64_t n, const float* a, const float* b, const Across& to);
  void (*softmax_grad)(const float* g, const float* y, int64_t n, const float* s, const Across& to);
  void (*log_softmax_grad)(const float* g, const float* y, int64_t n, const float* s,
                           const Across& to);
};

struct KernelSet : OfFloats<RowKernels> {
  const OfFloats<AcrossKernels>& across;
};

}  // namespace anyacl::rowwise

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const rowwise::KernelSet kRowwiseKernels;
// In kernel_across.cc.
extern const OfFloats<rowwise::AcrossKernels> kRowwiseAcrossKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
