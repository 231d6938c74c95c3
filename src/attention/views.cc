// SPDX-License-Identifier: Apache-2.0
#include "attention/views.h"

#include "base/dtype.h"

namespace anyacl::attention {

TensorView Repeating(TensorView view) {
  for (int i = 0; i < view.rank; ++i) {
    if (view.sizes[i] == 1) view.strides[i] = i + 1 == view.rank ? 1 : 0;
  }
  return view;
}

TensorView ByHead(const TensorView& view, Axes axes, int64_t dim) {
  TensorView rows = Repeating(view);
  if (axes.head < 0) {
    axes.head = rows.rank - 1;
    rows = WithLastSplit(rows, dim);
  }
  const int column = rows.rank - 1;
  if (axes.batch < 0) {
    axes.batch = rows.rank;
    rows = WithDim(rows, rows.rank);
  }
  const int64_t order[] = {axes.batch, axes.head, axes.row, column};
  return Permuted(rows, order);
}

TokenMap TokensOf(const TensorView& rows) {
  const auto bytes = [&](int64_t elements) { return elements * BitsOf(rows.dtype) / 8; };
  TokenMap map;
  map.slot = rows.slot;
  map.base = bytes(rows.offset);
  map.batch = bytes(rows.strides[0]);
  map.head = bytes(rows.strides[1]);
  map.token = bytes(rows.strides[2]);
  // A pair of INT4 is one step.
  map.unit = rows.dtype == ACL_INT4 ? 1 : bytes(rows.strides[3]);
  return map;
}

}  // namespace anyacl::attention
