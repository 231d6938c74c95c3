// SPDX-License-Identifier: Apache-2.0
// DynamicQuant: per-token quantisation. From the C arguments to something that runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "aclnn/acl_meta.h"
#include "nnop/executor.h"
#include "nnop/spec.h"
#include "ops/dynamic_quant/kernel.h"

namespace anyacl::dynamic_quant {

// The arguments of the newest version; older versions leave some out.
struct Args {
  const aclTensor* x = nullptr;
  const aclTensor* smooth_scales = nullptr;
  const aclTensor* group_index = nullptr;
  int64_t dst_type = ACL_INT8;
  const aclTensor* y = nullptr;
  const aclTensor* scale = nullptr;
  const aclTensor* offset = nullptr;  // null selects symmetric quantisation
};

// The order of the tensors in the check tables, and so of the slots.
enum Tensors { kX, kSmoothScales, kGroupIndex, kY, kScale, kOffset, kTensorCount };

// Where row r of a tensor begins: the leading dimensions, merged where memory allows.
struct RowMap {
  int64_t base = 0;  // all in elements
  int rank = 0;
  int64_t sizes[8] = {};
  int64_t strides[8] = {};

  int64_t At(int64_t row) const {
    int64_t offset = base;
    for (int i = rank; i-- > 0;) {
      offset += row % sizes[i] * strides[i];
      row /= sizes[i];
    }
    return offset;
  }
};

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

  RowMap x, y, scale, offset;
  int64_t x_step = 1;  // from column to column, in elements
  int64_t y_step = 1;  // INT8: in elements; 4 bits: from word to word of eight
  int64_t y_element_bits = 8;
  int64_t smooth_base = 0;
  int64_t smooth_step = 1;
  int64_t expert_step = 0;  // from expert to expert
  int64_t group_base = 0;
  int64_t group_step = 1;
  bool empty = false;
};

extern const OpSpec kSpecV1;
extern const OpSpec kSpecV2;

// The checks, in the document's order; `operands` must outlive nothing but the call.
Status Check(const OpSpec& spec, const Args& args, Operands& operands, Params* params);

// The plan of a problem that is not empty, and the workspace it needs.
std::shared_ptr<const Plan> MakePlan(const Params& params, uint64_t* workspace_size);

}  // namespace anyacl::dynamic_quant
