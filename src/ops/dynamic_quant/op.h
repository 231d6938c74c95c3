// SPDX-License-Identifier: Apache-2.0
// DynamicQuant: per-token quantisation. From the C arguments to something that runs.
#pragma once

#include <cstdint>
#include <memory>

#include "nnop/executor.h"
#include "nnop/index_map.h"
#include "nnop/operands.h"
#include "ops/dynamic_quant/kernel.h"
#include "ops/dynamic_quant/operators.h"

namespace anyacl::dynamic_quant {

// A validated problem. Tokens are rows of `cols` elements.
struct Params {
  int64_t rows = 0;
  int64_t cols = 0;
  Form form;
  // Smooth scales: one vector, or one per expert. Without group index there is one expert.
  int64_t experts = 0;
  bool grouped = false;
  // A document's quirk that phase 1 accepts and the device refuses: experts, but one vector.
  bool grouped_without_expert_scales = false;

  IndexMap x, y, scale, offset;  // of the rows
  int64_t x_step = 1;            // from column to column, in elements
  int64_t y_step = 1;            // INT8: in elements; 4 bits: from word to word of eight
  int64_t y_element_bits = 8;
  int64_t smooth_base = 0;
  int64_t smooth_step = 1;
  int64_t expert_step = 0;  // from expert to expert
  int64_t group_base = 0;
  int64_t group_step = 1;
  bool empty = false;

  // Which of the call's tensors is which; -1 for one that is not given.
  struct {
    int x = -1, smooth_scales = -1, group_index = -1, y = -1, scale = -1, offset = -1;
  } slot;
};

// The checks, in the document's order.
Status Check(Operands& operands, Params* params);

}  // namespace anyacl::dynamic_quant
