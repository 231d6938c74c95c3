// SPDX-License-Identifier: Apache-2.0
// The kernels' contract, of elements of one format, in fp32. Of n elements in a row, all of one
// channel:
// clang-format off
//   sum(x)                       the sum of x
//   moments(x, c, next)          the sums of x - c and of (x - c)^2; next: as many elements that
//                                will be read soon
//   products(g, x, c)            the sums of g and of g * (x - c)
//   affine(x, f, to)             to = (x - f.centre) * f.b + f.c
//   combine(g, x, f, to)         to = g * f.a + (x - f.centre) * f.b + f.c
// Of rows of n elements, all of one channel:
//   gather(x, to)                to = x as numbers, row after row
//   scatter_affine, scatter_combine
//                                to, such rows, of numbers
// Of rows, whose n columns are a channel each, with arrays for the numbers above:
//   column_sums, column_moments, column_products
//                                both results of each column, rows added one after the other
//   column_affine, column_combine
// clang-format on
// Sums of a row are taken in blocks of kBlock: in fp32 by 32 lanes within a block, at most 21
// additions deep, in double over blocks, in their order. `to` may be an input.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::batch_norm {

inline constexpr int64_t kBlock = 512;

struct Sums {
  double first;
  double second;
};

// Numbers T: a float for rows, an array of them for columns.
template <class T>
struct Factors {
  T centre, a, b, c;
};

// Elements i of row r at r * pitch + i.
struct Matrix {
  void* data;
  int64_t pitch;
};

struct ElementKernels {
  double (*sum)(const void* x, int64_t n);
  Sums (*moments)(const void* x, int64_t n, float centre, const void* next);
  Sums (*products)(const void* g, const void* x, int64_t n, float centre);
  // Past the caches if `past_caches`; whoever asks for it ends with the fence of blocks.
  void (*affine)(const void* x, int64_t n, const Factors<float>& f, void* to, bool past_caches);
  void (*combine)(const void* g, const void* x, int64_t n, const Factors<float>& f, void* to,
                  bool past_caches);

  void (*gather)(Matrix x, int64_t rows, int64_t n, float* to);
  void (*scatter_affine)(const float* x, int64_t rows, int64_t n, const Factors<float>& f,
                         Matrix to);
  void (*scatter_combine)(const float* g, const float* x, int64_t rows, int64_t n,
                          const Factors<float>& f, Matrix to);

  void (*column_sums)(Matrix x, int64_t rows, int64_t n, float* sums);
  void (*column_moments)(Matrix x, int64_t rows, int64_t n, const float* centres, float* sums,
                         float* squares);
  void (*column_products)(Matrix g, Matrix x, int64_t rows, int64_t n, const float* centres,
                          float* sums, float* products);
  void (*column_affine)(Matrix x, int64_t rows, int64_t n, const Factors<const float*>& f,
                        Matrix to);
  void (*column_combine)(Matrix g, Matrix x, int64_t rows, int64_t n,
                         const Factors<const float*>& f, Matrix to);
};

using KernelSet = OfFloats<ElementKernels>;

}  // namespace anyacl::batch_norm

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const batch_norm::KernelSet kBatchNormKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
