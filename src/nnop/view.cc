// SPDX-License-Identifier: Apache-2.0
#include "nnop/view.h"

#include <algorithm>
#include <cassert>

#include "nnop/promotion.h"

namespace anyacl {
namespace {

const TensorView& FirstGiven(std::span<const TensorView> views) {
  return *std::find_if(views.begin(), views.end(), [](const auto& view) { return view.given(); });
}

// Elements in memory are not so far apart.
constexpr uint64_t kFarthest = uint64_t{1} << 48;

void RemoveDim(TensorView& view, int dim) {
  --view.rank;
  // Cheaper than two calls of memmove.
  for (int i = dim; i < view.rank; ++i) {
    view.sizes[i] = view.sizes[i + 1];
    view.strides[i] = view.strides[i + 1];
  }
}

// dim and the next one are one step in every view.
bool CanJoin(std::span<const TensorView> views, int dim) {
  return std::all_of(views.begin(), views.end(), [dim](const TensorView& view) {
    int64_t whole = 0;
    return !view.given() ||
           (!__builtin_mul_overflow(view.strides[dim + 1], view.sizes[dim + 1], &whole) &&
            whole == view.strides[dim]);
  });
}

void Join(TensorView& view, int dim) {
  view.sizes[dim + 1] *= view.sizes[dim];
  RemoveDim(view, dim);
}

}  // namespace

int64_t TensorView::elements() const {
  // Others of nothing may have a product that does not fit.
  if (std::find(sizes, sizes + rank, 0) != sizes + rank) return 0;
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= sizes[i];
  return count;
}

bool TensorView::IsContiguous() const {
  int64_t expected = 1;
  for (int i = rank; i-- > 0;) {
    if (sizes[i] != 1 && strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

char* TensorView::Address(const Bindings& bindings) const {
  char* const data = bindings.data[static_cast<size_t>(slot)];
  // What has no elements may have no address either.
  return data == nullptr ? nullptr : data + offset * BitsOf(dtype) / 8;
}

TensorView ViewOf(const Operand& operand, int slot) {
  TensorView view;
  if (!operand.given()) return view;
  assert(operand.shape().rank() <= size_t{TensorView::kMaxRank});
  view.slot = slot;
  view.dtype = operand.dtype();
  view.offset = operand.layout->offset;
  view.rank = static_cast<int>(operand.shape().rank());
  std::copy(operand.shape().begin(), operand.shape().end(), view.sizes);
  std::copy(operand.strides().begin(), operand.strides().end(), view.strides);
  for (int i = 0; i < view.rank; ++i) {
    // That of a single element or of none may be any number, which plans would add and multiply.
    if ((view.sizes[i] <= 1 || operand.IsEmpty()) && Magnitude(view.strides[i]) >= kFarthest)
      view.strides[i] = 0;
  }
  return view;
}

TensorView ViewOf(const Operands& operands, int id) {
  return ViewOf(operands[id], operands.SlotIndex(id));
}

TensorView ViewOf(const Operands& operands, int id, size_t list_index) {
  const int slot = operands.SlotIndex(id) + static_cast<int>(list_index);
  return ViewOf(operands.List(id)[list_index], slot);
}

TensorView Permuted(const TensorView& view, std::span<const int64_t> order) {
  TensorView permuted = view;
  for (size_t i = 0; i < order.size(); ++i) {
    permuted.sizes[i] = view.sizes[order[i]];
    permuted.strides[i] = view.strides[order[i]];
  }
  return permuted;
}

TensorView Sliced(const TensorView& view, int dim, int64_t begin, int64_t count, int64_t step) {
  TensorView slice = view;
  slice.offset += begin * view.strides[dim];
  slice.sizes[dim] = count;
  slice.strides[dim] *= step;
  return slice;
}

TensorView RealParts(const TensorView& view) {
  TensorView parts = view;
  parts.dtype = PartOf(view.dtype);
  if (parts.dtype == view.dtype) return parts;
  parts.offset *= 2;
  for (int i = 0; i < view.rank; ++i) {
    // That of a single entry may be any number.
    if (view.sizes[i] > 1) parts.strides[i] *= 2;
  }
  return parts;
}

TensorView WithoutDim(const TensorView& view, int dim) {
  TensorView rest = view;
  RemoveDim(rest, dim);
  return rest;
}

TensorView AtLeastVector(const TensorView& view) {
  if (view.rank > 0) return view;
  TensorView vector = WithDim(view, 0);
  vector.strides[0] = 1;
  return vector;
}

TensorView Reshaped(const TensorView& view, const Dims& shape, int64_t step) {
  TensorView other = view;
  other.rank = static_cast<int>(shape.rank());
  std::copy(shape.begin(), shape.end(), other.sizes);
  const Dims strides = ContiguousStrides(shape);
  for (size_t i = 0; i < shape.rank(); ++i) other.strides[i] = strides[i] * step;
  return other;
}

TensorView WithDim(const TensorView& view, int dim) {
  TensorView wide = view;
  std::copy_backward(view.sizes + dim, view.sizes + view.rank, wide.sizes + view.rank + 1);
  std::copy_backward(view.strides + dim, view.strides + view.rank, wide.strides + view.rank + 1);
  ++wide.rank;
  wide.sizes[dim] = 1;
  wide.strides[dim] = 0;
  return wide;
}

TensorView WithLastSplit(const TensorView& view, int64_t inner) {
  TensorView split = view;
  const int last = split.rank++;
  inner = std::max<int64_t>(1, inner);
  split.sizes[last] = inner;
  split.strides[last] = view.strides[last - 1];
  split.sizes[last - 1] = view.sizes[last - 1] / inner;
  split.strides[last - 1] = inner * view.strides[last - 1];
  return split;
}

std::optional<TensorView> Broadcast(const TensorView& view, std::span<const int64_t> sizes) {
  const int rank = static_cast<int>(sizes.size());
  if (rank < view.rank) return {};
  TensorView wide = view;
  wide.rank = rank;
  for (int i = 0; i < rank; ++i) {
    const int from = i - (rank - view.rank);
    const bool repeats = from < 0 || (view.sizes[from] == 1 && sizes[i] != 1);
    if (!repeats && view.sizes[from] != sizes[i]) return {};
    wide.sizes[i] = sizes[i];
    wide.strides[i] = repeats ? 0 : view.strides[from];
  }
  return wide;
}

std::optional<Dims> BroadcastShape(const Dims& a, const Dims& b) {
  const Dims& longer = a.rank() >= b.rank() ? a : b;
  const Dims& shorter = a.rank() >= b.rank() ? b : a;
  Dims shape = longer;
  const size_t shift = longer.rank() - shorter.rank();
  for (size_t i = 0; i < shorter.rank(); ++i) {
    int64_t& size = shape[shift + i];
    if (shorter[i] == size || shorter[i] == 1) continue;
    if (size != 1) return {};
    size = shorter[i];
  }
  return shape;
}

void CoalesceInOrder(std::span<TensorView> views) {
  const TensorView& shape = FirstGiven(views);
  for (int dim = shape.rank; dim-- > 0;) {
    const bool single = shape.sizes[dim] == 1;
    const bool joins = !single && dim + 1 < shape.rank && CanJoin(views, dim);
    for (TensorView& view : views) {
      if (!view.given()) continue;
      if (single) RemoveDim(view, dim);
      if (joins) Join(view, dim);
    }
  }
}

void Coalesce(std::span<TensorView> views) {
  const TensorView& lead = FirstGiven(views);
  const auto count = static_cast<size_t>(lead.rank);
  int64_t order[TensorView::kMaxRank];
  // By insertion, which leaves what is in order where it is, as it mostly is.
  bool moved = false;
  for (int i = 0; i < lead.rank; ++i) {
    int place = i;
    for (; place > 0; --place) {
      if (Magnitude(lead.strides[order[place - 1]]) >= Magnitude(lead.strides[i])) break;
      order[place] = order[place - 1];
    }
    order[place] = i;
    moved |= place != i;
  }
  for (TensorView& view : views) {
    if (moved && view.given()) view = Permuted(view, {order, count});
  }
  CoalesceInOrder(views);
}

}  // namespace anyacl
