// SPDX-License-Identifier: Apache-2.0
// Copies of slices whose places the call's data has. One thread reads and checks all indices before
// anything is written; threads share slices, or pieces of them. Where slices meet, one thread
// writes them in their order, so that the last one stays.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/slice_update/operators.h"
#include "runtime/parallel.h"

namespace anyacl::slice_update {
namespace {

// Leading dimensions, and as many indices of a slice.
constexpr int kMaxIndices = 7;

struct SliceParams {
  TensorView target{}, indices{}, updates{};
  const char* name = "";  // of indices
  int64_t slices = 0;
  int count = 0;  // indices of a slice
  // Index k counts in steps of target's elements, up to limit[k] - 1.
  std::array<int64_t, kMaxIndices> step{}, limit{};
  bool counts_slices = false;  // slice i lies in place i of dimension 0, too
  // How many places of the last index a slice covers.
  int64_t length = 1;
  TensorView slice_to{}, slice_from{};  // of the first slice, of equal sizes
  int leading = 0;                      // dimensions of updates that count slices
};

class SlicesPlan final : public BookedPlan {
 public:
  explicit SlicesPlan(const SliceParams& params)
      : p_(params), bytes_(BytesOf(p_.target)), copy_(LoopsOf(p_.slice_to, p_.slice_from)) {
    const auto slices = static_cast<size_t>(p_.slices);
    places_ = book_.Book<int64_t>(slices);
    offsets_ = book_.Book<int64_t>(slices);
    const TensorView& from = p_.slice_from;
    const TensorView& to = p_.slice_to;
    if (from.IsContiguous() && to.IsContiguous()) run_ = from.elements() * bytes_;
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const places = places_.In(bindings);
    int64_t* const offsets = offsets_.In(bindings);
    if (Status s = ReadIndices(bindings, places, offsets); !s.ok()) return s;
    char* const to = p_.target.Address(bindings);
    const char* const from = p_.updates.Address(bindings);
    const auto source = [&](int64_t i) {
      return from + p_.updates.OffsetOf(i, p_.leading) * bytes_;
    };
    if (Meet(places)) {
      for (int64_t i = 0; i < p_.slices; ++i) Copy(to + offsets[i] * bytes_, source(i));
      return {};
    }
    // Large slices are cut.
    const int64_t chunks = std::max<int64_t>(1, copy_.chunks());
    constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
    const int64_t each = std::max<int64_t>(16, copy_.bytes() / chunks);
    ParallelFor(
        p_.slices * chunks, std::max<int64_t>(1, kWorth / each), [&](int64_t begin, int64_t end) {
          for (int64_t n = begin; n < end; ++n) {
            const int64_t i = n / chunks;
            char* const target = to + offsets[i] * bytes_;
            chunks == 1 ? Copy(target, source(i)) : copy_.RunChunk(n % chunks, target, source(i));
          }
        });
    return {};
  }

 private:
  void Copy(char* to, const char* from) const {
    run_ > 0 ? CopyRun(to, from, run_) : copy_.Run(to, from);
  }

  int64_t IndexAt(const Bindings& bindings, int64_t i) const {
    const char* const at =
        p_.indices.Address(bindings) + p_.indices.OffsetOf(i) * BytesOf(p_.indices);
    return p_.indices.dtype == ACL_INT64 ? LoadElement<int64_t>(at)
                                         : int64_t{LoadElement<int32_t>(at)};
  }

  // Of each slice its place, counted row by row, and its offset in elements.
  Status ReadIndices(const Bindings& bindings, int64_t* places, int64_t* offsets) const {
    for (int64_t i = 0; i < p_.slices; ++i) {
      int64_t place = p_.counts_slices ? i : 0;
      int64_t offset = p_.counts_slices ? i * p_.target.strides[0] : 0;
      for (int k = 0; k < p_.count; ++k) {
        const auto at = static_cast<size_t>(k);
        const int64_t number = i * p_.count + k, index = IndexAt(bindings, number);
        if (index < 0 || index >= p_.limit[at]) {
          return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected 0 to {}", p_.name,
                      number, index, p_.limit[at] - 1);
        }
        // Places along the last index keep their distance.
        place = place * (p_.limit[at] + p_.length - 1) + index;
        offset += index * p_.step[at];
      }
      places[i] = place;
      offsets[i] = offset;
    }
    return {};
  }

  // Whether a place belongs to two slices. A place ahead of the next row's first one by less than a
  // slice is not: a slice ends within its row.
  bool Meet(const int64_t* places) const {
    std::vector<int64_t> sorted(places, places + p_.slices);
    if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i] - sorted[i - 1] < p_.length) return true;
    }
    return false;
  }

  const SliceParams p_;
  const int64_t bytes_;
  const StridedCopy copy_;
  int64_t run_ = 0;  // bytes of a slice, if it is a run in both tensors
  WorkspaceSlot<int64_t> places_, offsets_;
};

// Dimensions from `begin` on, from a slice's first element.
TensorView Behind(const TensorView& view, int begin) {
  TensorView rest = view;
  rest.offset = 0;
  rest.rank = view.rank - begin;
  std::copy_n(view.sizes + begin, rest.rank, rest.sizes);
  std::copy_n(view.strides + begin, rest.rank, rest.strides);
  return rest;
}

}  // namespace

Status PrepareNdUpdate(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& target = operands[kTarget].shape();
  const Dims& indices = operands[kIndices].shape();
  const int64_t count = indices.back();
  const auto most = std::min<int64_t>(static_cast<int64_t>(target.rank()), kMaxIndices);
  if (count < 1 || count > most) {
    return Fail(code, "indices.shape[{}] = {}, expected 1 to {}: varRef.shape = {}",
                indices.rank() - 1, count, most, target.ToString());
  }
  Dims expected(indices.begin(), indices.rank() - 1);
  for (size_t i = static_cast<size_t>(count); i < target.rank(); ++i) {
    if (expected.rank() == TensorView::kMaxRank) {
      return Fail(code, "updates would have more than {} dimensions: indices.shape = {}",
                  TensorView::kMaxRank, indices.ToString());
    }
    expected.push_back(target[i]);
  }
  if (Status s = CheckShapeIs(operands, kUpdates, expected); !s.ok()) return s;
  if (operands[kUpdates].IsEmpty()) return {};
  SliceParams params = {.target = ViewOf(operands, kTarget),
                        .indices = ViewOf(operands, kIndices),
                        .updates = ViewOf(operands, kUpdates),
                        .name = operands.NameOf(kIndices),
                        .slices = 1,
                        .count = static_cast<int>(count),
                        .leading = static_cast<int>(indices.rank()) - 1};
  for (int i = 0; i < params.leading; ++i) params.slices *= params.indices.sizes[i];
  for (int k = 0; k < params.count; ++k) {
    params.step[static_cast<size_t>(k)] = params.target.strides[k];
    params.limit[static_cast<size_t>(k)] = params.target.sizes[k];
  }
  params.slice_to = Behind(params.target, params.count);
  params.slice_from = Behind(params.updates, params.leading);
  call->plan = std::make_shared<SlicesPlan>(params);
  return {};
}

Status PrepareScatterUpdate(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& data = operands[kTarget].shape();
  const Dims& updates = operands[kUpdates].shape();
  const Dims& indices = operands[kIndices].shape();
  int axis = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kAxis), data.rank(), &axis); !s.ok()) {
    return s;
  }
  if (axis == 0) {
    return Fail(code, "axis = {}, expected another dimension than the first", operands.Int(kAxis));
  }
  const int64_t slices = indices.rank() == 0 ? 1 : indices[0];
  bool fits = updates.rank() == data.rank() && updates[0] == slices;
  for (size_t i = 1; fits && i < data.rank(); ++i) {
    fits = i == static_cast<size_t>(axis) ? updates[i] <= data[i] : updates[i] == data[i];
  }
  const bool paired = indices.rank() == 2;
  if (!fits || (!paired && slices > data[0])) {
    return Fail(code,
                "updates.shape = {}, expected data.shape = {} but for {} in dimension 0{} and at "
                "most {} in dimension {}",
                updates.ToString(), data.ToString(), slices, paired ? "" : " (at most data's size)",
                data[static_cast<size_t>(axis)], axis);
  }
  if (operands[kUpdates].IsEmpty()) return {};
  SliceParams params = {.target = ViewOf(operands, kTarget),
                        .indices = ViewOf(operands, kIndices),
                        .updates = ViewOf(operands, kUpdates),
                        .name = operands.NameOf(kIndices),
                        .slices = slices,
                        .count = paired ? 2 : 1,
                        .counts_slices = !paired,
                        .length = updates[static_cast<size_t>(axis)],
                        .leading = 1};
  const size_t last = paired ? 1 : 0;
  if (paired) {
    params.step[0] = params.target.strides[0];
    params.limit[0] = params.target.sizes[0];
  }
  params.step[last] = params.target.strides[axis];
  params.limit[last] = params.target.sizes[axis] - params.length + 1;
  params.slice_to = Behind(Sliced(params.target, axis, 0, params.length), 1);
  params.slice_from = Behind(params.updates, 1);
  call->plan = std::make_shared<SlicesPlan>(params);
  return {};
}

}  // namespace anyacl::slice_update
