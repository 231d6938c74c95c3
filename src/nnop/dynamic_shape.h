// SPDX-License-Identifier: Apache-2.0
// Outputs whose shape is known only when the task has run: clients hand over a tensor of the
// largest shape, and ask aclGetViewShape for the true one after they have waited for the stream.
#pragma once

#include "nnop/objects.h"

namespace anyacl {

// The first elements of the tensor's memory are a contiguous tensor of this shape.
inline void SetShape(Tensor& tensor, const Dims& shape) {
  auto layout = std::make_shared<TensorLayout>(*tensor.layout());
  layout->shape = shape;
  layout->strides = ContiguousStrides(shape);
  tensor.Reset(std::move(layout), tensor.data());
}

}  // namespace anyacl
