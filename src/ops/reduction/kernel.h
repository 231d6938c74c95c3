// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. Elements are folded in blocks of kBlock, element i of a block by lane
// i % kFoldLanes:
//   lane l    = op of x[l], x[l + 32], x[l + 64], ...
//   block     = lane l with lane l + 16, then l + 8, l + 4, l + 2, l + 1: of products of fp32 these
//               four in double
//   total     = op of the blocks, in their order; sums of fp32 blocks in double
// So a sum within a block is at most 16 + 5 additions deep, whoever does it: runs fold the elements
// of one result, rows and blocks those of many results side by side.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::reduction {

inline constexpr int64_t kBlock = 512;
inline constexpr int64_t kFoldLanes = 32;
// Results side by side: their lanes take half of L1 in fp32.
inline constexpr int64_t kTile = 128;
// And where elements are folded as they lie in memory: rows of 2 KiB, which memory reads at twice
// the speed of rows of 512 bytes.
inline constexpr int64_t kWideTile = 512;

// clang-format off
enum class Fold {
  kSum, kMax, kMin,
  kProduct,        // fp32: of lanes and blocks in double
  // Of fp32 only.
  kExpSum,         // the sum of e^(x - shift)
  kDeviations,     // the sum of (x - shift)^2
  kSquares,        // the sum of x^2
  kAbsSum,         // the sum of |x|
  kPowerSum,       // the sum of |x|^shift
  kNonZeros,       // how many x are not 0
  kLargestAbs,
  kSmallestAbs,
  kNanSum,         // the sum of what is not NaN
};
// clang-format on

// A result on its way: `real` of fp32 and fp64 elements, `integer` of int64 ones.
union Cell {
  double real;
  int64_t integer;
};

template <class T>
struct FoldKernels {
  // Folds n contiguous elements into *total, which holds what precedes them: a multiple of kBlock
  // elements. Those of fp32 numbers may be fp16 or bf16 in memory.
  void (*run)(const void* x, Element type, int64_t n, T shift, Cell* total);
  // lanes[i * kTile + c] = op of it and x[i * pitch + c], i < rows <= kFoldLanes, c < n <= kTile.
  // The first rows of a block find no lanes.
  void (*rows)(const T* x, int64_t pitch, int64_t rows, int64_t n, const T* shifts, bool first,
               T* lanes);
  // Null but for fp32: folds whole blocks of `count` rows into totals, n <= kWideTile; `lanes` are
  // scratch of kFoldLanes * kWideTile.
  void (*blocks)(const void* x, Element type, int64_t pitch, int64_t count, int64_t n,
                 const T* shifts, T* lanes, Cell* totals);
  // totals[c] = op of it and of the first `used` lanes; changes the lanes.
  void (*close)(T* lanes, int64_t used, int64_t n, Cell* totals);
};

// The first best element so far; index -1: none yet. NaN is better than all, the first one best.
template <class T>
struct Best {
  T value;
  int64_t index;
};

template <class T>
struct ArgKernels {
  // Of n contiguous elements, the first of which has index `first`.
  void (*run)(const T* x, int64_t n, int64_t first, Best<T>* best);
  // Of n results side by side; row i has index first + i.
  void (*rows)(const T* x, int64_t pitch, int64_t rows, int64_t n, int64_t first, Best<T>* best);
};

struct KernelSet {
  const FoldKernels<float>* f32;   // by Fold
  const FoldKernels<double>* f64;  // by Fold up to kProduct
  const FoldKernels<int64_t>* i64;
  const ArgKernels<float>* arg_f32;  // of the largest, of the smallest
  const ArgKernels<double>* arg_f64;
  const ArgKernels<int64_t>* arg_i64;
};

// Whether a is to replace b as the best so far.
template <class T>
[[gnu::always_inline]] inline bool IsBetter(T a, T b, bool largest) {
  if (b != b) return false;
  return a != a || (largest ? a > b : a < b);
}

}  // namespace anyacl::reduction

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const reduction::KernelSet kReductionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
