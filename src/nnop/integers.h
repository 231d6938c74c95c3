// SPDX-License-Identifier: Apache-2.0
// Elements of INT32 tensors, counted in row-major order.
#pragma once

#include "nnop/copy_runs.h"
#include "nnop/view.h"

namespace anyacl {

inline int32_t IntegerAt(const Bindings& bindings, const TensorView& view, int64_t i) {
  return LoadElement<int32_t>(view.Address(bindings) + view.OffsetOf(i) * 4);
}
inline void WriteInteger(const Bindings& bindings, const TensorView& view, int64_t i,
                         int64_t value) {
  StoreElement(view.Address(bindings) + view.OffsetOf(i) * 4, static_cast<int32_t>(value));
}

}  // namespace anyacl
