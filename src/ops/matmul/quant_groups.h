// SPDX-License-Identifier: Apache-2.0
// Products of integers with factors of groups of k, which aclnnQuantMatmulV5 adds to those of
// quant.h.
#pragma once

#include "nnop/operands.h"
#include "ops/matmul/quant.h"

namespace anyacl::matmul {

// groupSize has 16 bits each for groups of rows, columns and k.
struct GroupSizes {
  int64_t rows = 0, columns = 0, depth = 0;
};

// The documents' names: of what x's factors are, and weight's.
enum class GroupForm : uint8_t {
  kTokenGroup,  // K-G: y = row_scale * (x @ ((weight - offset) * scale)), of INT4
  kShifted,     // K-G and K-C of INT8 by INT4: y = row_scale * ((x - 8) @ (weight * scale) + added)
  kGroupBlock   // G-B: y = bias + sum over groups of (x @ weight) * row_scale * scale
};

// A validated problem. scale and offset are [groups, N], of kGroupBlock [blocks of columns,
// groups]; row_scale is [M, 1], of kGroupBlock [M, groups].
struct QuantGroupParams {
  GroupForm form = GroupForm::kTokenGroup;
  GroupSizes sizes;
  QuantParams matrices;
  TensorView added;  // [N]
};

// Whether the types or groupSize ask for such a product.
bool HasGroups(const Operands& operands);
Status CheckQuantGroups(Operands& operands, QuantGroupParams* params);
Status MakeQuantGroups(const QuantGroupParams& params, PreparedCall* call);

}  // namespace anyacl::matmul
