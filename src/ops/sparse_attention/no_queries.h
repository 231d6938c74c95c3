// SPDX-License-Identifier: Apache-2.0
// Calls whose query has no elements.
#pragma once

#include <initializer_list>

#include "nnop/operands.h"
#include "ops/steps.h"

namespace anyacl::sparse_attention {

// No token attends: results that have elements, such as the gradients of keys, are 0.
inline Status PrepareNoQueries(Operands& operands, PreparedCall* call,
                               std::initializer_list<int> results) {
  Steps steps(operands);
  bool writes = false;
  for (int id : results) {
    if (!operands.Given(id) || operands[id].IsEmpty()) continue;
    writes = true;
    if (Status s = steps.Call("aclnnInplaceZero", {TensorOf(operands, id)}); !s.ok()) return s;
  }
  return writes ? steps.Finish(call) : Status();
}

}  // namespace anyacl::sparse_attention
