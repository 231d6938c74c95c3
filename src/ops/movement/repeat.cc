// SPDX-License-Identifier: Apache-2.0
// Slices that stand several times in the result, as often as a tensor says, and their gradient. The
// numbers are the client's: all of them are checked before anything is written.
#include <algorithm>
#include <cstring>

#include "base/shape.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/movement/move.h"
#include "runtime/parallel.h"

namespace anyacl::movement {
namespace {

// The few tensor as [outer, size, inner], the many one as [outer, total, inner].
struct Repetition {
  TensorView few, many, counts;
  int64_t outer = 1, size = 1, inner = 1, total = 0;
};

class CountedPlan : public BookedPlan {
 public:
  explicit CountedPlan(const Repetition& x)
      : x_(x), few_is_dense_(x.few.IsContiguous()), many_is_dense_(x.many.IsContiguous()) {
    starts_ = book_.Book<int64_t>(static_cast<size_t>(x.size) + 1);
  }

  Status Run(const Bindings& bindings, const StopToken&) const final {
    if (Status s = ReadCounts(bindings); !s.ok()) return s;
    const int64_t* starts = starts_.In(bindings);
    const int64_t bytes =
        BytesOf(x_.few) * x_.inner * (x_.total / std::max<int64_t>(x_.size, 1) + 1);
    const int64_t grain = std::max<int64_t>(1, (64 << 10) / std::max<int64_t>(bytes, 1));
    ParallelFor(x_.outer * x_.size, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t o = unit / x_.size, j = unit % x_.size;
        Slice(bindings, o * x_.size + j, o * x_.total + starts[j], starts[j + 1] - starts[j]);
      }
    });
    return {};
  }

 protected:
  // Slice `few` of the few, slices `many` to many + count - 1 of the many.
  virtual void Slice(const Bindings& bindings, int64_t few, int64_t many, int64_t count) const = 0;

  char* Few(const Bindings& bindings, int64_t index) const {
    return x_.few.Address(bindings) +
           (few_is_dense_ ? index : x_.few.OffsetOf(index)) * BytesOf(x_.few);
  }
  char* Many(const Bindings& bindings, int64_t index) const {
    return x_.many.Address(bindings) +
           (many_is_dense_ ? index : x_.many.OffsetOf(index)) * BytesOf(x_.many);
  }
  bool dense() const { return few_is_dense_ && many_is_dense_; }

  const Repetition x_;

 private:
  Status ReadCounts(const Bindings& bindings) const {
    int64_t* starts = starts_.In(bindings);
    const char* counts = x_.counts.Address(bindings);
    const bool wide = x_.counts.dtype == ACL_INT64, one = x_.counts.elements() == 1;
    int64_t sum = 0;
    for (int64_t j = 0; j < x_.size; ++j) {
      const char* at = counts + (one ? 0 : x_.counts.OffsetOf(j)) * BytesOf(x_.counts);
      const int64_t count = wide ? LoadElement<int64_t>(at) : LoadElement<int32_t>(at);
      starts[j] = sum;
      if (count < 0 || count > x_.total - sum) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "repeats[{}] = {}, expected 0 or more, and a sum of {}", one ? 0 : j, count,
                    x_.total);
      }
      sum += count;
    }
    starts[x_.size] = sum;
    if (sum == x_.total) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "the sum of repeats is {}, expected {}", sum,
                x_.total);
  }

  const bool few_is_dense_, many_is_dense_;
  WorkspaceSlot<int64_t> starts_;
};

class RepeatPlan final : public CountedPlan {
 public:
  using CountedPlan::CountedPlan;

 private:
  void Slice(const Bindings& bindings, int64_t few, int64_t many, int64_t count) const override {
    const auto bytes = static_cast<size_t>(BytesOf(x_.few));
    for (int64_t r = 0; r < count; ++r) {
      if (dense()) {
        std::memcpy(Many(bindings, (many + r) * x_.inner), Few(bindings, few * x_.inner),
                    bytes * static_cast<size_t>(x_.inner));
        continue;
      }
      for (int64_t i = 0; i < x_.inner; ++i) {
        std::memcpy(Many(bindings, (many + r) * x_.inner + i), Few(bindings, few * x_.inner + i),
                    bytes);
      }
    }
  }
};

// Summed up in double, in order.
class SumPlan final : public CountedPlan {
 public:
  explicit SumPlan(const Repetition& x)
      : CountedPlan(x),
        load_(blocks::Loader(Element::kFp64, x.many.dtype)),
        store_(blocks::Storer(Element::kFp64, x.few.dtype)) {}

 private:
  void Slice(const Bindings& bindings, int64_t few, int64_t many, int64_t count) const override {
    for (int64_t i = 0; i < x_.inner; ++i) {
      double sum = 0;
      for (int64_t r = 0; r < count; ++r) {
        double value = 0;
        load_({Many(bindings, (many + r) * x_.inner + i), 1, 1, 0, 1, false}, &value);
        sum += value;
      }
      store_(&sum, {Few(bindings, few * x_.inner + i), 1, 1, 0, 1, false});
    }
  }

  const blocks::LoadFunction load_;
  const blocks::StoreFunction store_;
};

// The places of the few themselves.
class PlacesPlan final : public CountedPlan {
 public:
  using CountedPlan::CountedPlan;

 private:
  void Slice(const Bindings& bindings, int64_t few, int64_t many, int64_t count) const override {
    const auto narrow = static_cast<int32_t>(few);
    const bool wide = x_.many.dtype == ACL_INT64;
    const void* place = wide ? static_cast<const void*>(&few) : &narrow;
    for (int64_t r = 0; r < count; ++r) {
      std::memcpy(Many(bindings, many + r), place, wide ? sizeof few : sizeof narrow);
    }
  }
};

Status CheckCounts(const Operands& operands, int64_t size) {
  const Dims& counts = operands[kIndex].shape();
  if (counts.rank() == 0 || counts[0] == 1 || counts[0] == size) return {};
  return Fail(operands.spec().codes.shape, "repeats.shape = {}, expected [], [1] or [{}]",
              counts.ToString(), size);
}

void SetSizes(const Dims& few, size_t dim, Repetition* x) {
  x->size = few[dim];
  for (size_t i = 0; i < dim; ++i) x->outer *= few[i];
  for (size_t i = dim + 1; i < few.rank(); ++i) x->inner *= few[i];
}

bool HasDim(const Operands& operands) {
  const auto& params = operands.spec().params;
  return std::any_of(params.begin(), params.end(),
                     [](const ParamSpec& row) { return row.id == kDim; });
}

}  // namespace

Status PrepareRepeatByCounts(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Repetition x;
  x.few = ViewOf(operands, kSelf);
  x.total = operands.Int(kOutputSize);
  Dims shape = operands[kSelf].shape();
  if (HasDim(operands)) {
    int dim = 0;
    if (Status s = CheckDim(operands, "dim", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
      return s;
    }
    SetSizes(shape, static_cast<size_t>(dim), &x);
    shape[static_cast<size_t>(dim)] = x.total;
  } else {
    x.size = x.few.elements();
    shape = Dims({x.total});
  }
  if (Status s = CheckCounts(operands, x.size); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  x.many = ViewOf(operands, kOut);
  x.counts = ViewOf(operands, kIndex);
  call->plan = std::make_shared<RepeatPlan>(x);
  return {};
}

Status PrepareRepeatedPlaces(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Repetition x;
  x.total = operands.Int(kOutputSize);
  if (Status s = CheckShapeIs(operands, kOut, {x.total}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  x.few = x.counts = ViewOf(operands, kSelf);
  x.many = ViewOf(operands, kOut);
  x.size = x.few.elements();
  call->plan = std::make_shared<PlacesPlan>(x);
  return {};
}

Status PrepareRepeatByCountsGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Dims shape = operands[kSelf].shape();
  const Dims& out = operands[kOut].shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  Repetition x;
  const auto axis = static_cast<size_t>(dim);
  x.total = shape[axis];
  if (out.rank() == shape.rank()) shape[axis] = out[axis];
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  SetSizes(out, axis, &x);
  if (Status s = CheckCounts(operands, x.size); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  x.few = ViewOf(operands, kOut);
  x.many = ViewOf(operands, kSelf);
  x.counts = ViewOf(operands, kIndex);
  call->plan = std::make_shared<SumPlan>(x);
  return {};
}

Status PrepareRepeatInterleaveFlat(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView from = ViewOf(operands, kSelf);
  const int64_t repeats = operands.Int(kRepeats);
  int64_t product = 0;
  if (__builtin_mul_overflow(from.elements(), repeats, &product) ||
      operands.Int(kOutputSize) != product) {
    return Fail(operands.spec().codes.shape,
                "outputSize = {}, expected {} * {}: repeats times self's elements",
                operands.Int(kOutputSize), repeats, from.elements());
  }
  if (Status s = CheckShapeIs(operands, kOut, {product}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  // self's elements in every `repeats`th place, moved by one each time.
  TensorView to = ViewOf(operands, kOut);
  const int64_t step = to.strides[0];
  to = Reshaped(to, ShapeOf(from), repeats * step);
  CopyLoops loops = LoopsOf(to, from);
  if (repeats > 1) loops.Add(repeats, step * loops.element_bytes, 0);
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(loops, to.slot, from.slot);
  call->plan = std::move(plan);
  return {};
}

namespace {

// A list of none is one tensor that is absent.
size_t CountOfParts(const Operands& operands) {
  return operands.Given(kOuts) ? operands.List(kOuts).size() : 0;
}

Status SplitInto(const Operands& operands, int dim, std::span<const int64_t> sizes,
                 PreparedCall* call) {
  const std::span<const Operand> outs = operands.List(kOuts);
  const int code = operands.spec().codes.shape;
  Dims shape = operands[kSelf].shape();
  const auto axis = static_cast<size_t>(dim);
  const int64_t all = shape[axis];
  const TensorView from = ViewOf(operands, kSelf);
  auto plan = std::make_shared<MovePlan>();
  int64_t begin = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || sizes[i] > all - begin) {
      return Fail(code, "splitSize[{}] = {}, expected 0 or more, and a sum of {}", i, sizes[i],
                  all);
    }
    shape[axis] = sizes[i];
    if (!(outs[i].shape() == shape)) {
      return Fail(code, "out[{}].shape = {}, expected {}", i, outs[i].shape().ToString(),
                  shape.ToString());
    }
    if (!outs[i].IsEmpty()) {
      plan->Copy(ViewOf(operands, kOuts, i), Sliced(from, dim, begin, sizes[i]));
    }
    begin += sizes[i];
  }
  if (begin != all) {
    return Fail(code, "the sum of splitSize is {}, expected {}: self.shape[{}]", begin, all, dim);
  }
  call->plan = std::move(plan);
  return {};
}

}  // namespace

Status PrepareSplit(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> sizes = operands.Ints(kRepeats);
  const size_t rank = operands[kSelf].shape().rank(), count = CountOfParts(operands);
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), rank, &dim); !s.ok()) return s;
  if (count == sizes.size()) return SplitInto(operands, dim, sizes, call);
  return Fail(operands.spec().codes.shape, "out has {} members, expected {} as splitSize has",
              count, sizes.size());
}

Status PrepareSplitEvenly(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& shape = operands[kSelf].shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  const auto all = static_cast<uint64_t>(shape[static_cast<size_t>(dim)]);
  const auto part = static_cast<uint64_t>(operands.Int(kRepeats));
  if ((all == 0) != (part == 0)) {
    return Fail(code, "splitSections = {}, expected {} as self.shape = {}", part,
                all == 0 ? "0" : "1 or more", shape.ToString());
  }
  if (operands[kSelf].IsEmpty()) return {};  // whatever out is
  const uint64_t expected = (all - 1) / part + 1;
  if (CountOfParts(operands) != expected) {
    return Fail(code, "out has {} members, expected {}: parts of {} of self.shape[{}] = {}",
                CountOfParts(operands), expected, part, dim, all);
  }
  std::vector<int64_t> sizes(expected, static_cast<int64_t>(std::min(part, all)));
  sizes.back() = static_cast<int64_t>(all - (expected - 1) * part);
  return SplitInto(operands, dim, sizes, call);
}

}  // namespace anyacl::movement
