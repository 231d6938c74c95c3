// SPDX-License-Identifier: Apache-2.0
// Slices of several dimensions, and a transpose together with a change of shape.
#include "ops/movement/nodes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>

#include "base/shape.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

// One entry of begin, end and strides.
struct Slice {
  int64_t begin, end, step;
  bool from_first, to_last;  // begin, end left out
};

TensorView Cut(const TensorView& view, int dim, const Slice& slice) {
  const int64_t size = view.sizes[dim];
  const bool forward = slice.step > 0;
  const int64_t least = forward ? 0 : -1, most = forward ? size : size - 1;
  const auto place = [&](int64_t at) { return std::clamp(at < 0 ? at + size : at, least, most); };
  const int64_t begin = slice.from_first ? (forward ? least : most) : place(slice.begin);
  const int64_t end = slice.to_last ? (forward ? most : least) : place(slice.end);
  const int64_t length = forward ? end - begin : begin - end;
  const auto step = static_cast<int64_t>(std::min(Magnitude(slice.step), uint64_t{INT64_MAX}));
  const int64_t count = length > 0 ? (length - 1) / step + 1 : 0;
  return Sliced(view, dim, count > 0 ? begin : 0, count, count > 1 ? slice.step : 1);
}

Status CheckPermutation(const Operands& operands, size_t rank) {
  const std::span<const int64_t> perm = operands.Ints(kDims);
  uint32_t seen = 0;
  for (int64_t dim : perm) {
    if (dim >= 0 && dim < static_cast<int64_t>(rank)) seen |= 1u << dim;
  }
  if (perm.size() == rank && std::popcount(seen) == static_cast<int>(rank)) return {};
  return Fail(operands.spec().codes.shape, "perm has {} elements, expected 0 to {}, each once",
              perm.size(), static_cast<int64_t>(rank) - 1);
}

}  // namespace

Status PrepareSliceOfAll(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto offsets = operands.Ints(kStart), sizes = operands.Ints(kOutputSize);
  TensorView view = ViewOf(operands, kSelf);
  const auto rank = static_cast<size_t>(view.rank);
  if (offsets.size() != rank || sizes.size() != rank) {
    return Fail(operands.spec().codes.shape,
                "offsets and size have {} and {} elements, expected {}: x.shape = {}",
                offsets.size(), sizes.size(), rank, operands[kSelf].shape().ToString());
  }
  for (size_t i = 0; i < rank; ++i) {
    const int dim = static_cast<int>(i);
    const int64_t all = view.sizes[dim];
    const bool inside = offsets[i] >= 0 && offsets[i] <= all;
    const int64_t size = sizes[i] == -1 && inside ? all - offsets[i] : sizes[i];
    if (!inside || size < 0 || size > all - offsets[i]) {
      return Fail(operands.spec().codes.shape,
                  "offsets[{}] = {} and size[{}] = {}, expected a part of x.shape[{}] = {}", i,
                  offsets[i], i, sizes[i], i, all);
    }
    view = Sliced(view, dim, size > 0 ? offsets[i] : 0, size);
  }
  if (Status s = CheckShapeIs(operands, kOut, ShapeOf(view)); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut), view);
  call->plan = std::move(plan);
  return {};
}

namespace {

// Of the dimensions that the axes name, or of the first ones without axes.
Status CutAlong(const Operands& operands, TensorView* view) {
  const int code = operands.spec().codes.shape;
  const auto starts = operands.Ints(kStart), ends = operands.Ints(kEnd);
  const auto axes = operands.Ints(kDims), steps = operands.Ints(kStep);
  const size_t count = operands.Given(kDims) ? axes.size() : starts.size();
  if (starts.size() != count || ends.size() != count || steps.size() != count) {
    return Fail(code, "{}, {}, {} and {} have {}, {}, {} and {} elements, expected as many",
                operands.NameOf(kStart), operands.NameOf(kEnd), operands.NameOf(kDims),
                operands.NameOf(kStep), starts.size(), ends.size(), count, steps.size());
  }
  uint32_t seen = 0;
  for (size_t i = 0; i < count; ++i) {
    int dim = 0;
    const auto rank = static_cast<size_t>(view->rank);
    const int64_t axis = operands.Given(kDims) ? axes[i] : static_cast<int64_t>(i);
    if (Status s = CheckDim(operands, operands.NameOf(kDims), axis, rank, &dim); !s.ok()) return s;
    if ((seen >> dim & 1) != 0) {
      return Fail(code, "{}[{}] = {}, expected each dimension once", operands.NameOf(kDims), i,
                  axis);
    }
    seen |= 1u << dim;
    if (steps[i] <= 0) {
      return Fail(code, "{}[{}] = {}, expected 1 or more", operands.NameOf(kStep), i, steps[i]);
    }
    *view = Cut(*view, dim, {starts[i], ends[i], steps[i], false, false});
  }
  return {};
}

}  // namespace

Status PrepareSliceAssign(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  TensorView view = ViewOf(operands, kSelf);
  if (Status s = CutAlong(operands, &view); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kSource, ShapeOf(view)); !s.ok()) return s;
  if (operands[kSource].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(view, ViewOf(operands, kSource));
  call->plan = std::move(plan);
  return {};
}

Status PrepareSliceAlong(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  TensorView view = ViewOf(operands, kSelf);
  if (Status s = CutAlong(operands, &view); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, ShapeOf(view)); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut), view);
  call->plan = std::move(plan);
  return {};
}

Status PrepareStridedSlice(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const auto begin = operands.Ints(kStart), end = operands.Ints(kEnd), step = operands.Ints(kStep);
  const size_t count = begin.size();
  if (end.size() != count || step.size() != count || count > 2 * TensorView::kMaxRank) {
    return Fail(code,
                "begin, end and strides have {}, {} and {} elements, expected as many, {} at most",
                count, end.size(), step.size(), 2 * TensorView::kMaxRank);
  }
  if (std::popcount(static_cast<uint64_t>(operands.Int(kEllipsisMask))) > 1) {
    return Fail(code, "{} = {}, expected one bit at most", operands.NameOf(kEllipsisMask),
                operands.Int(kEllipsisMask));
  }
  const auto set = [&](int mask, size_t i) { return (operands.Int(mask) >> i & 1) != 0; };
  TensorView view = ViewOf(operands, kSelf);
  int at = 0;
  for (size_t i = 0; i < count; ++i) {
    if (set(kEllipsisMask, i)) {
      int rest = 0;
      for (size_t k = i + 1; k < count; ++k) rest += set(kNewAxisMask, k) ? 0 : 1;
      at = std::max(at, view.rank - rest);
      continue;
    }
    if (set(kNewAxisMask, i)) {
      if (view.rank == TensorView::kMaxRank) {
        return Fail(code, "{} makes more than {} dimensions", operands.NameOf(kNewAxisMask),
                    TensorView::kMaxRank);
      }
      view = WithDim(view, at++);
      continue;
    }
    if (at >= view.rank) {
      return Fail(code, "begin has {} elements, {}.shape = {}", count, operands.NameOf(kSelf),
                  operands[kSelf].shape().ToString());
    }
    if (step[i] == 0) return Fail(code, "strides[{}] = 0, expected another number", i);
    if (!set(kShrinkAxisMask, i)) {
      view = Cut(view, at++, {begin[i], end[i], step[i], set(kBeginMask, i), set(kEndMask, i)});
      continue;
    }
    if (step[i] < 0) {
      return Fail(code, "strides[{}] = {}, expected a positive number as {} has bit {}", i, step[i],
                  operands.NameOf(kShrinkAxisMask), i);
    }
    const int64_t size = view.sizes[at], place = begin[i] < 0 ? begin[i] + size : begin[i];
    if (place < 0 || place >= size) {
      return Fail(code, "begin[{}] = {}, expected {} to {}", i, begin[i], -size, size - 1);
    }
    view = WithoutDim(Sliced(view, at, place, 1), at);
  }
  if (Status s = CheckShapeIs(operands, kOut, ShapeOf(view)); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut), view);
  call->plan = std::move(plan);
  return {};
}

Status PrepareConfusionTranspose(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool transpose_first = operands.Flag(kTransposeFirst);
  const std::span<const int64_t> named = operands.Ints(kOutputSize);
  const bool known = named.size() <= TensorView::kMaxRank &&
                     std::all_of(named.begin(), named.end(), [](int64_t n) { return n >= 0; });
  const Dims shape = known ? Dims(named.data(), named.size()) : Dims();
  if (!known || ElementCount(shape) != ElementCount(operands[kSelf].shape())) {
    return Fail(operands.spec().codes.shape,
                "shape = [{}], expected up to {} sizes of a tensor of as many elements as x, {}",
                Joined(named), TensorView::kMaxRank, operands[kSelf].shape().ToString());
  }
  TensorView from = ViewOf(operands, kSelf);
  if (!transpose_first) from = Reshaped(from, shape);
  if (Status s = CheckPermutation(operands, static_cast<size_t>(from.rank)); !s.ok()) return s;
  from = Permuted(from, operands.Ints(kDims));
  if (Status s = CheckShapeIs(operands, kOut, transpose_first ? shape : ShapeOf(from)); !s.ok()) {
    return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(Reshaped(ViewOf(operands, kOut), ShapeOf(from)), from);
  call->plan = std::move(plan);
  return {};
}

}  // namespace anyacl::movement
