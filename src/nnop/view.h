// SPDX-License-Identifier: Apache-2.0
// TensorView: where the elements of one tensor of a call lie. Plans hold views instead of tensors;
// the address comes with each run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "base/dtype.h"
#include "nnop/operands.h"

namespace anyacl {

struct TensorView {
  static constexpr int kMaxRank = 8;

  int slot = -1;  // in Bindings::data; -1: absent
  aclDataType dtype = ACL_DT_UNDEFINED;
  int64_t offset = 0;  // of the first element, in elements, as strides are
  int rank = 0;
  int64_t sizes[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};

  bool given() const { return slot >= 0; }
  int64_t elements() const;
  // The elements follow each other in row-major order.
  bool IsContiguous() const;

  // Of the first element; 4-bit elements begin on a byte.
  char* Address(const Bindings& bindings) const;
  // How many elements behind the first one element `index` lies, counted in row-major order.
  int64_t OffsetOf(int64_t index) const { return OffsetOf(index, rank); }
  // Of the elements that begin the groups over the dimensions from `leading` on.
  int64_t OffsetOf(int64_t index, int leading) const {
    int64_t at = 0;
    for (int i = leading - 1; i > 0; --i) {
      at += index % sizes[i] * strides[i];
      index /= sizes[i];
    }
    return leading > 0 ? at + index * strides[0] : 0;
  }
};

inline int64_t BytesOf(const TensorView& view) { return BitsOf(view.dtype) / 8; }
inline Dims ShapeOf(const TensorView& view) { return {view.sizes, static_cast<size_t>(view.rank)}; }

// Of a stride; that of a dimension with one entry may be any number, -2^63 too.
constexpr uint64_t Magnitude(int64_t stride) {
  return stride < 0 ? ~static_cast<uint64_t>(stride) + 1 : static_cast<uint64_t>(stride);
}

TensorView ViewOf(const Operand& operand, int slot);
// The view of a row's tensor; one that is absent if the tensor is. Ranks are at most 8: the checks
// of shapes or of strides have passed.
TensorView ViewOf(const Operands& operands, int id);
// The member of a list.
TensorView ViewOf(const Operands& operands, int id, size_t list_index);

// The same elements, seen otherwise.
TensorView Permuted(const TensorView& view, std::span<const int64_t> order);
TensorView Sliced(const TensorView& view, int dim, int64_t begin, int64_t count, int64_t step = 1);
// Of complex elements the real parts; each imaginary part lies one element behind. Of others the
// elements themselves.
TensorView RealParts(const TensorView& view);
TensorView WithoutDim(const TensorView& view, int dim);
// A single number is a vector of one.
TensorView AtLeastVector(const TensorView& view);
// Elements that lie `step` apart in row-major order, as of another shape.
TensorView Reshaped(const TensorView& view, const Dims& shape, int64_t step = 1);
// With one more dimension, of size 1 and stride 0, before dimension `dim`.
TensorView WithDim(const TensorView& view, int dim);
// The last dimension cut into two, the inner one of `inner` elements.
TensorView WithLastSplit(const TensorView& view, int64_t inner);
// Repeated along dimensions of size 1 and along new leading ones, by strides of 0; nothing if the
// shapes do not fit.
std::optional<TensorView> Broadcast(const TensorView& view, std::span<const int64_t> sizes);

// The shape that two shapes broadcast to; nothing if they do not fit.
std::optional<Dims> BroadcastShape(const Dims& a, const Dims& b);

// Calls visit(offset, rows, columns, before) for the rectangles that elements `begin` to `end` in
// row-major order consist of: the rest of a row, whole rows, a part of a row. Each begins `offset`
// elements behind the view's first one and has the strides of the last two dimensions; `before`
// elements come before it.
template <class Visit>
void ForTiles(const TensorView& view, int64_t begin, int64_t end, const Visit& visit) {
  const int last = view.rank - 1;
  const int64_t size = last < 0 ? 1 : view.sizes[last];
  const int64_t step = last < 0 ? 0 : view.strides[last];
  for (int64_t at = begin; at < end;) {
    const int64_t row = at / size, column = at % size;
    const int64_t columns = std::min(end - at, size - column);
    int64_t rows = 1;
    if (columns == size && last > 0) {
      const int64_t height = view.sizes[last - 1];
      rows = std::min((end - at) / size, height - row % height);
    }
    visit(view.OffsetOf(row, last) + column * step, rows, columns, at - begin);
    at += rows * columns;
  }
}

// For views of equal sizes whose elements are visited together in any order: dimensions of size 1
// go, the order of the others becomes that of `views[0]`'s strides, the largest first, and
// neighbours that are one step in every view become one. Absent views are left alone. The rank may
// become 0.
void Coalesce(std::span<TensorView> views);
// The same without changing the order of the elements.
void CoalesceInOrder(std::span<TensorView> views);

}  // namespace anyacl
