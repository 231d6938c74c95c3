// SPDX-License-Identifier: Apache-2.0
// The kernel's contract: of a dense row, the first of the blocks of kBlock elements that begin at
// `begin`, begin + kBlock, ... in which
//
//   !(x[i] <= bound)   if `above`, else
//   !(x[i] >= bound)
//
// for some i, and those i as bits of a mask. A NaN is always among them.
#pragma once

#include <stdint.h>

namespace anyacl::sorting {

inline constexpr int64_t kBlock = 64;

struct Beyond {
  const void* row;
  int64_t begin;
  int64_t end;  // of the row
  float bound;
  bool above;
};

struct Places {
  int64_t at;  // `end` or beyond: there is none
  uint64_t mask;
};

struct KernelSet {
  Places (*find_beyond[3])(const Beyond& args);  // by Element: fp32, fp16, bf16
};

}  // namespace anyacl::sorting

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const sorting::KernelSet kSortingKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
