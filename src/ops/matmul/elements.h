// SPDX-License-Identifier: Apache-2.0
// Tensors that documents want to hold something.
#pragma once

#include <initializer_list>

#include "nnop/operands.h"

namespace anyacl::matmul {

// Those that are given.
inline Status CheckElements(const Operands& operands, std::initializer_list<int> ids) {
  for (int id : ids) {
    if (!operands.Given(id) || !operands[id].IsEmpty()) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected some elements",
                operands.NameOf(id), operands[id].shape().ToString());
  }
  return {};
}

}  // namespace anyacl::matmul
