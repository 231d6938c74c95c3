// SPDX-License-Identifier: Apache-2.0
// The contract of the kernels that bring elements of any type into numbers to compute with, and
// back. An operator computes on blocks of at most kBlock numbers, which the first cache holds
// several of; numbers are fp32, fp64, int32 or int64:
// clang-format off
//   load[e](from, to)     to[r * cols + c] = element (r, c) of `from`, of type e, as a number
//   store[e](from, to)    the reverse, rounded to nearest even once; to integers towards zero,
//                         held within the type's range, NaN becoming 0; integers to narrower
//                         integers modulo 2^bits; to bool: whether it is not zero
//   copy[s](from, to)     elements of 1 << s bytes, their bits unchanged
// clang-format on
// Null where integers are loaded from what does not fit into them: int32 takes 8 and 16 bits, int32
// and bool, int64 (modulo 2^64) all integers and bool. A bool is 0 or 1, whatever its byte.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::blocks {

// Those up to bool.
inline constexpr int kElements = static_cast<int>(Element::kBool) + 1;

inline constexpr int64_t kBlock = 1024;

// rows x cols elements: element (r, c) lies r * row_stride + c * col_stride elements from data.
struct Tile {
  char* data;
  int64_t rows;
  int64_t cols;
  int64_t row_stride;
  int64_t col_stride;
  // What is written need not stay in the caches. copy, loads of fp32 numbers and stores of them to
  // fp32 and fp16 heed it in contiguous rows; whoever asks for it ends with fence().
  bool past_caches;
};

using LoadFunction = void (*)(const Tile& from, void* to);
using StoreFunction = void (*)(const void* from, const Tile& to);
using CopyFunction = void (*)(const Tile& from, const Tile& to);

// For the numbers of one type.
struct NumberKernels {
  LoadFunction load[kElements];
  StoreFunction store[kElements];
};

struct KernelSet {
  NumberKernels fp32, fp64, int32, int64;
  CopyFunction copy[5];
  void (*fence)();

  const NumberKernels& Of(Element number) const {
    return number == Element::kFp32    ? fp32
           : number == Element::kFp64  ? fp64
           : number == Element::kInt32 ? int32
                                       : int64;
  }
};

}  // namespace anyacl::blocks

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const blocks::KernelSet kBlockKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
