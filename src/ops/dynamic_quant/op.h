// SPDX-License-Identifier: Apache-2.0
// DynamicQuant. From the C arguments to something that runs.
#pragma once

#include <cstdint>
#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"
#include "ops/dynamic_quant/kernel.h"
#include "ops/dynamic_quant/operators.h"

namespace anyacl::dynamic_quant {

// What shares a scale: a row, a column of the last two dimensions, or all of x.
enum class Scope : uint8_t { kToken, kChannel, kTensor };

// A validated problem. Tokens are rows of `cols` elements.
struct Params {
  Scope scope = Scope::kToken;
  int64_t rows = 0;
  int64_t cols = 0;
  Form form;
  // Smooth scales: one vector, or one per expert. Without group index there is one expert.
  int64_t experts = 0;
  bool grouped = false;
  // A document's quirk that phase 1 accepts and the device refuses: experts, but one vector.
  bool grouped_without_expert_scales = false;

  // Of tokens with a scale each the rows' first elements, else whole tensors.
  TensorView x, y, scale, offset;
  int64_t x_step = 1;      // from column to column, in elements
  int64_t y_step = 1;      // INT8: in elements; 4 bits: from word to word of eight
  TensorView smooth;       // [H], or [E, H]
  TensorView group_index;  // [E]
  bool empty = false;
};

// The checks, in the document's order.
Status Check(Operands& operands, Params* params);

// Of channels, or of all of x.
std::shared_ptr<const Plan> MakeSharedScalePlan(const Params& params);

}  // namespace anyacl::dynamic_quant
