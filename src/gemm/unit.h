// SPDX-License-Identifier: Apache-2.0
// What a Plan's threads work on: a block of rows by a block of columns of one batch, all k.
#pragma once

#include "gemm/gemm.h"

namespace anyacl::gemm {

inline const char* At(const void* base, Element type, int64_t elements) {
  return static_cast<const char*>(base) + BytesOf(type, elements);
}

struct Plan::Unit {
  const char* a;  // of the first row
  const char* b;  // of the first column; of panels the first of all
  int64_t column;
  const char* d;
  const char* c;
  const char* b_scale;
  const char* b_offset;
  const float* row_scale;
  const float* column_scale;
  int64_t rows;
  int64_t columns;
  char* panels;       // the columns, where they are packed already
  Ranges row_ranges;  // where arithmetic_ has doubts
  Ranges column_ranges;
};

// Of one thread.
struct Plan::Scratch {
  char* rows;
  char* panels;
  char* unfolded;
  int8_t* widened;
  char* sums;
  float* totals;
  int32_t* corrections;
  int32_t* row_ranges;
  int32_t* column_ranges;
  char* replaced;  // sums that in_fp32_ gives
  char* in_fp32;   // what it needs
};

}  // namespace anyacl::gemm
