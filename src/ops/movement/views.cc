// SPDX-License-Identifier: Apache-2.0
// Members that are copies between views of their tensors.
#include <algorithm>

#include "base/format.h"
#include "base/wide.h"
#include "nnop/promotion.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

// What a concatenation leaves out, as PyTorch does, whatever the other tensors are.
bool IsEmptyVector(const Operand& tensor) { return tensor.shape() == Dims{0}; }

// The type that all tensors of a list promote to, which out must be able to hold.
Status CheckPromotion(const Operands& operands, const Operand& first, aclDataType* common) {
  *common = first.dtype();
  const DTypeSet& known = operands.RowOf(kOut)->dtypes;
  for (const Operand& tensor : operands.List(kTensors)) {
    if (IsEmptyVector(tensor)) continue;
    const aclDataType promoted = Promote(*common, tensor.dtype());
    if (promoted == ACL_DT_UNDEFINED) {
      return Fail(operands.spec().codes.dtype,
                  "{}.dtype = {}, expected a type that promotes with {}", tensor.Name(),
                  NameOf(tensor.dtype()), NameOf(*common));
    }
    if (!known.Contains(promoted)) {
      return Fail(operands.spec().codes.dtype, "{}.dtype = {} and {} promote to {}, expected {}",
                  tensor.Name(), NameOf(tensor.dtype()), NameOf(*common), NameOf(promoted),
                  known.ToString());
    }
    *common = promoted;
  }
  return CheckResultCast(operands, kOut, *common);
}

// All but dimension `dim` must agree; -1: all of them.
Status CheckAlike(const Operands& operands, const Dims& first, int dim) {
  for (const Operand& tensor : operands.List(kTensors)) {
    if (dim >= 0 && IsEmptyVector(tensor)) continue;
    const Dims& shape = tensor.shape();
    bool alike = shape.rank() == first.rank();
    for (size_t i = 0; alike && i < first.rank(); ++i) {
      alike = shape[i] == first[i] || static_cast<int>(i) == dim;
    }
    if (alike) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected that of the first, {}{}",
                tensor.Name(), shape.ToString(), first.ToString(),
                dim >= 0 ? Format(", but for dimension {}", dim) : "");
  }
  return {};
}

Status RequireTensors(const Operands& operands) {
  if (operands.List(kTensors).front().given()) return {};
  return Fail(operands.spec().codes.shape, "tensors is empty, expected at least one tensor");
}

void Join(MovePlan& plan, const TensorView& to, const TensorView& from, aclDataType common) {
  from.dtype == to.dtype&& common == to.dtype ? plan.Copy(to, from)
                                              : plan.Convert(to, from, common);
}

// More repeated dimensions than this are an error of the document's.
Status CheckRepeatedDims(std::span<const int64_t> repeats) {
  const auto repeated =
      std::count_if(repeats.begin(), repeats.end(), [](int64_t r) { return r != 1; });
  const int limit = !repeats.empty() && repeats.front() != 1 ? 4 : 3;
  if (repeated <= limit) return {};
  return Fail(ACLNN_ERR_INNER_NULLPTR,
              "repeats = [{}] repeats {} dimensions, expected at most {}{}", Joined(repeats),
              repeated, limit, limit == 3 ? " as it does not repeat the first" : "");
}

// Adds the copies of a rotation, dimension by dimension from the last. With `flat` the dimensions
// are the digits of one number: what leaves one moves the next by one more.
void AddRolled(MovePlan& plan, const TensorView& to, const TensorView& from, int dim,
               std::span<const int64_t> shifts, bool flat, bool carry) {
  if (dim < 0) return plan.Copy(to, from);
  const int64_t size = to.sizes[dim];
  const int64_t shift = shifts[static_cast<size_t>(dim)] + (carry ? 1 : 0);
  const auto add = [&](int64_t to_begin, int64_t from_begin, int64_t count, bool left) {
    if (count == 0) return;
    AddRolled(plan, Sliced(to, dim, to_begin, count), Sliced(from, dim, from_begin, count), dim - 1,
              shifts, flat, flat && left);
  };
  add(shift, 0, size - shift, false);
  add(0, size - shift, shift, true);
}

}  // namespace

Status PrepareCat(Operands& operands, PreparedCall* call) {
  if (Status s = RequireTensors(operands); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  const auto tensors = operands.List(kTensors);
  const auto counted = std::find_if_not(tensors.begin(), tensors.end(), IsEmptyVector);
  const Operand& first = counted == tensors.end() ? tensors.front() : *counted;
  aclDataType common = ACL_DT_UNDEFINED;
  if (Status s = CheckPromotion(operands, first, &common); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  Dims shape = first.shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  if (Status s = CheckAlike(operands, shape, dim); !s.ok()) return s;
  Int128 size = 0;
  for (const Operand& tensor : tensors) {
    if (!IsEmptyVector(tensor)) size += tensor.shape()[static_cast<size_t>(dim)];
  }
  shape[static_cast<size_t>(dim)] = size > INT64_MAX ? INT64_MAX : static_cast<int64_t>(size);
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  auto plan = std::make_shared<MovePlan>();
  const TensorView out = ViewOf(operands, kOut);
  int64_t begin = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (IsEmptyVector(tensors[i])) continue;
    const TensorView from = ViewOf(operands, kTensors, i);
    const int64_t count = from.sizes[dim];
    if (from.elements() > 0) Join(*plan, Sliced(out, dim, begin, count), from, common);
    begin += count;
  }
  call->plan = std::move(plan);
  return {};
}

Status PrepareStack(Operands& operands, PreparedCall* call) {
  if (Status s = RequireTensors(operands); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  aclDataType common = ACL_DT_UNDEFINED;
  const auto tensors = operands.List(kTensors);
  if (Status s = CheckPromotion(operands, tensors.front(), &common); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  const Dims& first = tensors.front().shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), first.rank() + 1, &dim); !s.ok()) {
    return s;
  }
  if (Status s = CheckAlike(operands, first, -1); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  Dims shape;
  for (size_t i = 0; i <= first.rank(); ++i) {
    if (static_cast<int>(i) == dim) shape.push_back(static_cast<int64_t>(tensors.size()));
    if (i < first.rank()) shape.push_back(first[i]);
  }
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  auto plan = std::make_shared<MovePlan>();
  const TensorView out = ViewOf(operands, kOut);
  for (size_t i = 0; i < tensors.size() && out.elements() > 0; ++i) {
    const TensorView to = WithoutDim(Sliced(out, dim, static_cast<int64_t>(i), 1), dim);
    Join(*plan, to, ViewOf(operands, kTensors, i), common);
  }
  call->plan = std::move(plan);
  return {};
}

Status PrepareChannelShuffle(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t channels = operands[kSelf].shape()[1], groups = operands.Int(kGroups);
  if (channels % groups != 0) {
    return Fail(operands.spec().codes.shape,
                "groups = {}, expected a divisor of self.shape[1] = {}", groups, channels);
  }
  if (operands[kOut].IsEmpty()) return {};
  // Channels count [group, member] in self and [member, group] in out.
  const int64_t members = channels / groups;
  const auto with_groups = [&](const TensorView& view, int64_t of_group, int64_t of_member) {
    TensorView split = view;
    split.rank = view.rank + 1;
    for (int i = view.rank; i > 2; --i) {
      split.sizes[i] = view.sizes[i - 1];
      split.strides[i] = view.strides[i - 1];
    }
    split.sizes[1] = groups;
    split.sizes[2] = members;
    split.strides[1] = of_group * view.strides[1];
    split.strides[2] = of_member * view.strides[1];
    return split;
  };
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(with_groups(ViewOf(operands, kOut), 1, groups),
             with_groups(ViewOf(operands, kSelf), members, 1));
  call->plan = std::move(plan);
  return {};
}

Status PreparePermute(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> dims = operands.Ints(kDims);
  const Dims& self = operands[kSelf].shape();
  if (dims.size() != self.rank()) {
    return Fail(operands.spec().codes.shape, "dims has {} elements, expected {}: self.shape = {}",
                dims.size(), self.rank(), self.ToString());
  }
  std::array<int64_t, TensorView::kMaxRank> order{};
  uint32_t seen = 0;
  Dims shape;
  for (size_t i = 0; i < dims.size(); ++i) {
    int dim = 0;
    if (Status s = CheckDim(operands, "dims", dims[i], self.rank(), &dim); !s.ok()) return s;
    if ((seen >> dim & 1) != 0) {
      return Fail(operands.spec().codes.shape, "dims[{}] = {}, expected each dimension once", i,
                  dims[i]);
    }
    seen |= 1u << dim;
    order[i] = dim;
    shape.push_back(self[static_cast<size_t>(dim)]);
  }
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut),
             Permuted(ViewOf(operands, kSelf), {order.data(), dims.size()}));
  call->plan = std::move(plan);
  return {};
}

Status PrepareSlice(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Dims shape = operands[kSelf].shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  int64_t& size = shape[static_cast<size_t>(dim)];
  const auto clamp = [n = size](int64_t at, int64_t least) {
    if (at < -n) return least;
    return std::max(at >= n ? n : at < 0 ? at + n : at, least);
  };
  const int64_t start = clamp(operands.Int(kStart), 0);
  const int64_t end = clamp(operands.Int(kEnd), start);
  const int64_t step = operands.Int(kStep);
  size = end == start ? 0 : (end - start - 1) / step + 1;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut),
             Sliced(ViewOf(operands, kSelf), dim, start, size, size > 1 ? step : 1));
  call->plan = std::move(plan);
  return {};
}

Status PrepareExpand(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> sizes = operands.Ints(kOutputSize);
  const bool fits = sizes.size() <= TensorView::kMaxRank;
  const auto from = fits ? Broadcast(ViewOf(operands, kSelf), sizes) : std::nullopt;
  if (!from) {
    return Fail(operands.spec().codes.shape,
                "size = [{}], expected sizes that self.shape = {} broadcasts to", Joined(sizes),
                operands[kSelf].shape().ToString());
  }
  if (Status s = CheckShapeIs(operands, kOut, ShapeOf(*from)); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut), *from);
  call->plan = std::move(plan);
  return {};
}

Status PrepareFlatten(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView from = ViewOf(operands, kSelf), out = ViewOf(operands, kOut);
  int axis = 0;
  const auto rank = static_cast<size_t>(std::max(from.rank, 1));  // a number has dimension 0
  if (Status s = CheckDim(operands, "axis", operands.Int(kDim), rank, &axis); !s.ok()) return s;
  // Self's dimensions, in out's rows or columns, from the last one.
  TensorView to = from;
  to.slot = out.slot;
  to.offset = out.offset;
  Dims shape = {1, 1};
  for (int i = from.rank; i-- > 0;) {
    const int side = i < axis ? 0 : 1;
    int64_t& size = shape[static_cast<size_t>(side)];
    to.strides[i] = StepsOf(size, out.strides[side]);
    size = StepsOf(size, from.sizes[i]);
  }
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(to, from);
  call->plan = std::move(plan);
  return {};
}

Status PrepareRepeat(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> repeats = operands.Ints(kRepeats);
  const Dims& self = operands[kSelf].shape();
  if (repeats.size() < self.rank() || repeats.size() > TensorView::kMaxRank) {
    return Fail(operands.spec().codes.shape, "repeats has {} elements, expected {} to {}",
                repeats.size(), self.rank(), TensorView::kMaxRank);
  }
  const size_t added = repeats.size() - self.rank();
  Dims shape;
  for (size_t i = 0; i < repeats.size(); ++i) {
    const int64_t size = i < added ? 1 : self[i - added];
    int64_t product = 0;
    if (repeats[i] < 0 || __builtin_mul_overflow(size, repeats[i], &product)) {
      return Fail(operands.spec().codes.shape,
                  "repeats[{}] = {}, expected 0 or more, and a size below 2^63", i, repeats[i]);
    }
    shape.push_back(product);
  }
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (Status s = CheckRepeatedDims(repeats); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView to = ViewOf(operands, kOut);
  const TensorView from = ViewOf(operands, kSelf);
  const int64_t bytes = BitsOf(to.dtype) / 8;
  CopyLoops loops;
  loops.element_bytes = static_cast<int>(bytes);
  loops.to_begin = to.offset * bytes;
  loops.from_begin = from.offset * bytes;
  for (size_t i = 0; i < repeats.size(); ++i) {
    const int64_t size = i < added ? 1 : from.sizes[i - added];
    const int64_t step = to.sizes[i] > 1 ? to.strides[i] * bytes : 0;
    if (repeats[i] > 1) loops.Add(repeats[i], size * step, 0);
    if (size > 1) loops.Add(size, step, from.strides[i - added] * bytes);
  }
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(loops, to.slot, from.slot);
  call->plan = std::move(plan);
  return {};
}

Status PrepareRepeatInterleave(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Dims shape = operands[kSelf].shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  int64_t& size = shape[static_cast<size_t>(dim)];
  const int64_t repeats = operands.Int(kRepeats);
  int64_t product = 0;
  if (__builtin_mul_overflow(size, repeats, &product) || operands.Int(kOutputSize) != product) {
    return Fail(operands.spec().codes.shape,
                "outputSize = {}, expected {} * {}: repeats times self.shape[{}]",
                operands.Int(kOutputSize), repeats, size, dim);
  }
  size = product;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView to = ViewOf(operands, kOut);
  const TensorView from = ViewOf(operands, kSelf);
  // All slices from `repeats` places, each moved by one.
  CopyLoops loops = LoopsOf(Sliced(to, dim, 0, from.sizes[dim], repeats), from);
  if (repeats > 1) loops.Add(repeats, to.strides[dim] * loops.element_bytes, 0);
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(loops, to.slot, from.slot);
  call->plan = std::move(plan);
  return {};
}

Status PrepareFlip(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  TensorView from = ViewOf(operands, kSelf);
  uint32_t seen = 0;
  for (int64_t named : operands.Ints(kDims)) {
    int dim = 0;
    const auto rank = static_cast<size_t>(std::max(from.rank, 1));  // a scalar has dimension 0
    if (Status s = CheckDim(operands, "dims", named, rank, &dim); !s.ok()) return s;
    if ((seen >> dim & 1) != 0) {
      return Fail(operands.spec().codes.shape, "dims names {} twice, expected each dimension once",
                  dim);
    }
    seen |= 1u << dim;
  }
  if (operands[kOut].IsEmpty()) return {};
  for (int dim = 0; dim < from.rank; ++dim) {
    if ((seen >> dim & 1) == 0 || from.sizes[dim] == 1) continue;
    from = Sliced(from, dim, from.sizes[dim] - 1, from.sizes[dim], -1);
  }
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut), from);
  call->plan = std::move(plan);
  return {};
}

Status PrepareRoll(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> shifts = operands.Ints(kShifts);
  const std::span<const int64_t> dims = operands.Ints(kDims);
  const bool flat = dims.empty();
  const TensorView to = ViewOf(operands, kOut);
  if (shifts.size() != (flat ? 1 : dims.size())) {
    return Fail(operands.spec().codes.shape, "shifts has {} elements, expected {}", shifts.size(),
                flat ? "1 as dims is empty" : Format("{} as dims", dims.size()));
  }
  std::array<int64_t, TensorView::kMaxRank> moved{};
  const auto reduced = [](int64_t shift, int64_t size) {
    const int64_t rest = shift % size;
    return rest < 0 ? rest + size : rest;
  };
  for (size_t i = 0; i < dims.size(); ++i) {
    int dim = 0;
    const auto rank = static_cast<size_t>(to.rank);
    if (Status s = CheckDim(operands, "dims", dims[i], rank, &dim); !s.ok()) return s;
    const int64_t size = std::max<int64_t>(to.sizes[dim], 1);
    int64_t& shift = moved[static_cast<size_t>(dim)];
    const int64_t room = size - reduced(shifts[i], size);
    shift = shift >= room ? shift - room : shift + reduced(shifts[i], size);
  }
  if (operands[kOut].IsEmpty()) return {};
  if (flat) {
    int64_t rest = reduced(shifts[0], to.elements());
    for (int dim = to.rank; dim-- > 0; rest /= to.sizes[dim]) {
      moved[static_cast<size_t>(dim)] = rest % to.sizes[dim];
    }
  }
  auto plan = std::make_shared<MovePlan>();
  AddRolled(*plan, to, ViewOf(operands, kSelf), to.rank - 1, moved, flat, false);
  call->plan = std::move(plan);
  return {};
}

}  // namespace anyacl::movement
