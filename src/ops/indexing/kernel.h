// SPDX-License-Identifier: Apache-2.0
// The kernel's contract:
//
//   sums[c] += factors[i] rows[i][c] for i < count, one after the other, c < columns
//
// of rows in fp32, fp16 or bf16 that lie anywhere; without factors they are 1, with them the
// product is rounded with the sum.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::indexing {

struct AddRowsArgs {
  const char* const* rows;
  const float* factors;  // may be null
  int64_t count;
  Element type;
  int64_t columns;
  float* sums;
};

struct KernelSet {
  void (*add_rows)(const AddRowsArgs& args);
};

}  // namespace anyacl::indexing

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const indexing::KernelSet kIndexingKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
