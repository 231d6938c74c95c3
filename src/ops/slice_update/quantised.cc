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

// A slice is one of selfRef's first dimension, cut along axis.
Status CheckSlices(const Operands& operands, int* axis) {
  const int code = operands.spec().codes.shape;
  const Dims& target = operands[kTarget].shape();
  const Dims& updates = operands[kUpdates].shape();
  const size_t rank = target.rank();
  if (rank < 3) return Fail(code, "selfRef.shape = {}, expected rank 3 to 8", target.ToString());
  const int last = static_cast<int>(rank) - 1;
  int quant_axis = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kAxis), rank, axis); !s.ok()) return s;
  if (*axis < 1 || *axis >= last) {
    return Fail(code, "axis = {}, expected {} to -2", operands.Int(kAxis), -last);
  }
  if (Status s = CheckDim(operands, "quantAxis", operands.Int(kQuantAxis), rank, &quant_axis);
      !s.ok()) {
    return s;
  }
  if (quant_axis != last) {
    return Fail(code, "quantAxis = {}, expected -1", operands.Int(kQuantAxis));
  }
  bool fits = updates.rank() == rank && updates[0] == operands[kIndices].shape()[0];
  for (size_t i = 0; fits && i < rank; ++i) {
    const bool cut = i == 0 || static_cast<int>(i) == *axis;
    fits = cut ? updates[i] <= target[i] : updates[i] == target[i];
  }
  if (fits) return {};
  return Fail(
      code,
      "updates.shape = {}, expected at most selfRef.shape = {}, equal but for dimensions 0, "
      "of {} slices, and {}",
      updates.ToString(), target.ToString(), operands[kIndices].shape()[0], *axis);
}

}  // namespace

Status PrepareQuantScatter(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int axis = 0;
  if (Status s = CheckSlices(operands, &axis); !s.ok()) return s;
  if (operands.HasRow(kRoundMode)) {
    if (Status s = operands.CheckText(kRoundMode, {"rint"}); !s.ok()) return s;
  }
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
          {TensorOf(operands, kTarget), TensorOf(operands, kIndices), slices, int64_t{axis}});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::slice_update
