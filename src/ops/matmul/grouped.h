// SPDX-License-Identifier: Apache-2.0
// Products of groups. From the C arguments to problems of the matrix engine, one for each group.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/matmul/finish.h"
#include "ops/matmul/weight.h"

namespace anyacl::matmul {

// Which axis of single tensors is cut into groups.
enum class Axis : uint8_t { kNone, kRows, kDepth };

// What a tensor says of the groups: where they end, how large they are, or both which they are and
// how large.
enum class Listing : uint8_t { kEnds, kSizes, kPairs };

// What is multiplied, of each group. Integers are summed up in int32, all others in fp32.
enum class GroupedForm : uint8_t {
  kNumbers,      // y = x @ w + bias
  kFactors,      // y = x @ ((w + offset) * scale) + bias, w of INT8 or INT4
  kIntegers,     // y = act((x @ w + bias) * scale * row_scale), or as INT8; x as w
  kTokenGroups,  // y = (x @ (w * scale)) * row_scale, both of INT4, scale of groups of k
  kShifted       // y = ((x - 8) @ (w * scale) + bias + offset * sum of x) * row_scale, INT8 by INT4
};

// What an argument has for each group: a tensor, or a piece of one for all.
struct Stack {
  std::vector<TensorView> views;  // one for each group, one for all, or none
  bool stacked = false;           // groups are the first dimension of the one

  bool given() const { return !views.empty(); }
  bool separate() const { return views.size() > 1; }
  TensorView Of(size_t group) const;
};

// A validated problem.
struct GroupedParams {
  GroupedForm form = GroupedForm::kNumbers;
  Axis axis = Axis::kNone;
  size_t groups = 0;
  bool separate_x = false;
  bool separate_y = false;  // one for each group of rows
  Stack x, weight, bias, scale, offset, y;
  std::vector<Panels> panels;  // of each weight
  int64_t factor_groups = 1;   // of k, which have factors of their own
  TensorView row_scale;        // [M, 1]
  Routing routing;             // of y, which then is sizes alone
  bool added = false;          // to what y holds, of kNumbers
  std::optional<elementwise::Op> activation;
  bool gated = false;               // weight has twice y's columns
  Stack quant_scale, quant_offset;  // of y of INT8 behind an activation
  aclDataType steps = ACL_FLOAT;    // of an activation and what follows: finish.h
  // Of the axis' groups: in a tensor, or where they end.
  TensorView list;
  const char* list_name = "";  // the parameter
  Listing listing = Listing::kEnds;
  std::vector<int64_t> ends;
  int64_t size = 0;  // of the axis
};

// The form that the types make, and whether they go together.
Status CheckGroupedTypes(const Operands& operands, GroupedForm* form);
Status CheckGrouped(Operands& operands, GroupedParams* params);
std::shared_ptr<const Plan> MakeGroupedPlan(const GroupedParams& params);

}  // namespace anyacl::matmul
