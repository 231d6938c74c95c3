// SPDX-License-Identifier: Apache-2.0
// What the members of the family leave for the second phase: one program for all of them.
#pragma once

#include <memory>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/elementwise/kernel.h"

namespace anyacl::elementwise {

// A tensor of the program, as it is seen with the sizes of the output.
struct OperandView {
  TensorView view;
  int64_t bytes = 0;  // of an element
  // Its elements are of the type that the kernel reads or writes; otherwise they are converted.
  bool native = true;
  blocks::LoadFunction load = nullptr;    // of an input that is not native
  blocks::StoreFunction store = nullptr;  // of the output, likewise
};

inline constexpr int kMaxInputs = 3;

struct Program {
  // One of these; neither: the input is converted.
  BlockFunction compute = nullptr;
  WhereFunction where = nullptr;             // of inputs condition, self, other
  MaskedFillFunction masked_fill = nullptr;  // of inputs mask, self
  alignas(8) char constant[16] = {};         // what it fills in, as an element
  Scalar p = {}, q = {}, r = {};
  int inputs = 0;
  OperandView in[kMaxInputs];
  OperandView out;
  bool steps = false;   // the kernel takes one element for all
  bool costly = false;  // computing takes longer than moving
  bool bools = false;   // the kernel writes bytes of 0 and 1; out.store takes int32
  // Whether all results are 1 goes into one byte of slot `verdict`, `verdict_offset` behind its
  // address; `out` gives the sizes and is not written. No view: the whole plan stays below the
  // 1,032 bytes up to which the C library keeps freed memory by size (a call in a row took 0.3 us
  // less).
  bool all = false;
  int verdict = -1;
  int64_t verdict_offset = 0;
};

// Brings the views into the order in which they are visited, and the elements into tiles.
std::shared_ptr<const Plan> MakePlan(Program program);

}  // namespace anyacl::elementwise
