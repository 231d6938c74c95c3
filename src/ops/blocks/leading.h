// SPDX-License-Identifier: Apache-2.0
// The two leading dimensions of a tensor as one.
#pragma once

#include "nnop/view.h"

namespace anyacl::blocks {

// They must follow each other in memory.
inline Status JoinLeading(const Operands& operands, int id, TensorView* view) {
  const int64_t outer = view->sizes[0], inner = view->sizes[1];
  if (outer > 1 && inner > 1 && view->strides[0] != inner * view->strides[1]) {
    return Fail(operands.spec().codes.shape,
                "{} has strides {} and {} of {} and {} rows, expected rows that follow each other",
                operands.NameOf(id), view->strides[0], view->strides[1], outer, inner);
  }
  const int64_t step = inner > 1 ? view->strides[1] : view->strides[0];
  *view = WithoutDim(*view, 0);
  view->sizes[0] = outer * inner;
  view->strides[0] = step;
  return {};
}

}  // namespace anyacl::blocks
