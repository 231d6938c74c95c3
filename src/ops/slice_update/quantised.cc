// SPDX-License-Identifier: Apache-2.0
// InplaceQuantScatter: Quantize and then InplaceScatterUpdate, of slices on the way.
#include "ops/slice_update/operators.h"
#include "ops/steps.h"

namespace anyacl::slice_update {
namespace {

Status CheckTypes(const Operands& operands) {
  const bool bf16 = operands[kUpdates].dtype() == ACL_BF16;
  const auto check = [&](int id, aclDataType other) {
    const aclDataType expected = bf16 ? ACL_BF16 : other;
    if (!operands.Given(id) || operands[id].dtype() == expected) return Status();
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as updates.dtype is {}",
                operands.NameOf(id), NameOf(operands[id].dtype()), NameOf(expected),
                NameOf(operands[kUpdates].dtype()));
  };
  if (Status s = check(kScales, ACL_FLOAT); !s.ok()) return s;
  return check(kZeroPoints, ACL_INT32);
}

Status CheckSlices(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  int axis = 0, quant_axis = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kAxis), 3, &axis); !s.ok()) return s;
  if (axis != 1) return Fail(code, "axis = {}, expected -2", operands.Int(kAxis));
  if (Status s = CheckDim(operands, "quantAxis", operands.Int(kQuantAxis), 3, &quant_axis);
      !s.ok()) {
    return s;
  }
  if (quant_axis != 2) return Fail(code, "quantAxis = {}, expected -1", operands.Int(kQuantAxis));
  const Dims& target = operands[kTarget].shape();
  const Dims& updates = operands[kUpdates].shape();
  if (updates[0] <= target[0] && updates[1] <= target[1]) return {};
  return Fail(code, "updates.shape = {}, expected at most selfRef.shape = {}", updates.ToString(),
              target.ToString());
}

}  // namespace

Status PrepareQuantScatter(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSlices(operands); !s.ok()) return s;
  if (operands[kUpdates].IsEmpty()) return {};
  const Dims columns = {operands.Size("D")};
  Steps steps(operands);
  InnerTensor scales, zero_points;
  if (Status s = steps.Contiguous(kScales, columns, &scales); !s.ok()) return s;
  if (operands.Given(kZeroPoints)) {
    if (Status s = steps.Contiguous(kZeroPoints, columns, &zero_points); !s.ok()) return s;
  }
  const InnerTensor slices = steps.Piece("slices", ACL_INT8, operands[kUpdates].shape());
  if (Status s = steps.Call("aclnnQuantize", {TensorOf(operands, kUpdates), scales, zero_points,
                                              int64_t{ACL_INT8}, int64_t{-1}, slices});
      !s.ok()) {
    return s;
  }
  if (Status s = steps.Call(
          "aclnnInplaceScatterUpdate",
          {TensorOf(operands, kTarget), TensorOf(operands, kIndices), slices, int64_t{1}});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::slice_update
