// SPDX-License-Identifier: Apache-2.0
// The kernel's contract. For each row c of N columns, with half = N / 2:
//   s[j]  = c[j] / (1 + e^-c[j]) * c[half + j] * smooth[j]     scale = max|s| / 127     q = rint(s
//   / scale)
// in fp32. A NaN or an infinity among s makes the scale NaN or infinite and q zero.
#pragma once

#include <stdint.h>

namespace anyacl::grouped_matmul {

// One row of c, which is overwritten, to one row of the result.
struct RowArgs {
  float* c;
  const float* next;  // the row that is likely to follow
  int64_t half;
  int8_t* q;
  int64_t q_step;
  float* scale;
  const float* smooth = nullptr;  // null: ones
};

struct KernelSet {
  void (*finish_row)(const RowArgs& args);
};

}  // namespace anyacl::grouped_matmul

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const grouped_matmul::KernelSet kGroupedMatmulKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
