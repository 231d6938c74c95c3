// SPDX-License-Identifier: Apache-2.0
// ScatterList: slice b of `updates` goes into tensor b of a list, along an axis from indice[b] on.
#include <utility>
#include <vector>

#include "nnop/copy.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/slice_update/operators.h"
#include "runtime/parallel.h"

namespace anyacl::slice_update {
namespace {

struct ListParams {
  std::vector<TensorView> targets;
  TensorView indices{}, updates{}, mask{};
  int axis = 0;         // of the targets
  bool paired = false;  // indices have lengths, too
};

// What one tensor gets: `count` places from `begin` on.
struct Part {
  int64_t begin = 0, count = 0;
};

class ListPlan final : public BookedPlan {
 public:
  explicit ListPlan(ListParams params) : p_(std::move(params)) {
    parts_ = book_.Book<Part>(p_.targets.size());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Part* const parts = parts_.In(bindings);
    if (Status s = ReadParts(bindings, parts); !s.ok()) return s;
    for (size_t b = 0; b < p_.targets.size(); ++b) {
      if (parts[b].count > 0) Write(bindings, static_cast<int64_t>(b), parts[b]);
    }
    return {};
  }

 private:
  int64_t IndexAt(const Bindings& bindings, int64_t i) const {
    const char* const at =
        p_.indices.Address(bindings) + p_.indices.OffsetOf(i) * BytesOf(p_.indices);
    return p_.indices.dtype == ACL_INT64 ? LoadElement<int64_t>(at)
                                         : int64_t{LoadElement<int32_t>(at)};
  }
  bool IsMasked(const Bindings& bindings, int64_t b) const {
    return p_.mask.given() && p_.mask.Address(bindings)[p_.mask.OffsetOf(b)] != 1;
  }

  Status ReadParts(const Bindings& bindings, Part* parts) const {
    const int64_t length = p_.updates.sizes[p_.axis + 1];
    const int64_t places = p_.targets[0].sizes[p_.axis];
    for (int64_t b = 0; b < static_cast<int64_t>(p_.targets.size()); ++b) {
      parts[b] = {};
      if (IsMasked(bindings, b)) continue;
      Part part = {IndexAt(bindings, p_.paired ? 2 * b : b), length};
      if (p_.paired) part.count = IndexAt(bindings, 2 * b + 1);
      if (part.count < 0 || part.count > length) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "indice[{}, 1] = {}, expected 0 to {}", b,
                    part.count, length);
      }
      if (part.begin < 0 || part.begin > places - part.count) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "indice[{}] = {}, expected 0 to {}", b,
                    part.begin, places - part.count);
      }
      parts[b] = part;
    }
    return {};
  }

  void Write(const Bindings& bindings, int64_t b, const Part& part) const {
    const TensorView& target = p_.targets[static_cast<size_t>(b)];
    TensorView to = Sliced(target, p_.axis, part.begin, part.count);
    TensorView from = Sliced(WithoutDim(p_.updates, 0), p_.axis, 0, part.count);
    const int64_t bytes = BytesOf(target);
    char* const to_data = target.Address(bindings) + (to.offset - target.offset) * bytes;
    const char* const from_data = p_.updates.Address(bindings) + b * p_.updates.strides[0] * bytes;
    to.offset = from.offset = 0;
    const StridedCopy copy(LoopsOf(to, from));
    ParallelFor(copy.chunks(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) copy.RunChunk(i, to_data, from_data);
    });
  }

  const ListParams p_;
  WorkspaceSlot<Part> parts_;
};

}  // namespace

Status PrepareScatterList(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  const std::span<const Operand> targets = operands.List(kTarget);
  for (const Operand& target : targets) {
    if (!target.given() || target.dtype() == operands[kUpdates].dtype()) continue;
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as updates.dtype",
                target.Name(), NameOf(target.dtype()), NameOf(operands[kUpdates].dtype()));
  }
  if (Status s = operands.CheckText(kReduce, {"update"}, nullptr, operands.spec().constraint_code);
      !s.ok()) {
    return s;
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& updates = operands[kUpdates].shape();
  const size_t count = operands.Given(kTarget) ? targets.size() : 0;
  if (static_cast<int64_t>(count) != updates[0] || count == 0) {
    return Fail(code, "varRef has {} tensors, expected {}: updates.shape[0]", count,
                count == 0 ? 1 : updates[0]);
  }
  int axis = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kAxis), updates.rank(), &axis); !s.ok()) {
    return s;
  }
  if (axis == 0) {
    return Fail(code, "axis = {}, expected another dimension of updates than the first",
                operands.Int(kAxis));
  }
  const Dims& shape = targets[0].shape();
  bool fits = updates.rank() == shape.rank() + 1;
  for (size_t i = 0; fits && i < shape.rank(); ++i) {
    const bool along = i + 1 == static_cast<size_t>(axis);
    fits = along ? updates[i + 1] <= shape[i] : updates[i + 1] == shape[i];
  }
  if (!fits) {
    return Fail(code,
                "updates.shape = {}, expected {} tensors of varRef[0].shape = {} with at most its "
                "size in dimension {}",
                updates.ToString(), count, shape.ToString(), axis);
  }
  if (operands[kUpdates].IsEmpty()) return {};
  ListParams params = {.targets = {},
                       .indices = ViewOf(operands, kIndices),
                       .updates = ViewOf(operands, kUpdates),
                       .mask = ViewOf(operands, kMask),
                       .axis = axis - 1,
                       .paired = operands[kIndices].shape().rank() == 2};
  for (size_t i = 0; i < count; ++i) params.targets.push_back(ViewOf(operands, kTarget, i));
  call->plan = std::make_shared<ListPlan>(std::move(params));
  return {};
}

}  // namespace anyacl::slice_update
