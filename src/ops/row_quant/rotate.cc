// SPDX-License-Identifier: Apache-2.0
// RotateQuant: a product of the matrix engine, rounded to x's type, and DynamicQuant of its rows.
#include "ops/row_quant/operators.h"
#include "ops/steps.h"

namespace anyacl::row_quant {
namespace {

Status CheckRotation(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (Status s = operands.CheckText(kRoundMode, {"rint", "round", "floor"}); !s.ok()) return s;
  if (operands.Int(kAxis) == 0) return Fail(code, "axis = 0, expected -1 or 1");
  if (operands.Given(kAlpha)) return Fail(code, "alpha is given, expected null");
  if (operands.Flag(kTrans)) return Fail(code, "trans = true, expected false");
  if (operands.Real(kDstTypeMax) != 0) {
    return Fail(code, "dstTypeMax = {}, expected 0", operands.Real(kDstTypeMax));
  }
  const Dims& x = operands[kX].shape();
  const int64_t k = operands[kRight].shape()[0];
  if (k < 16 || k > 1024) return Fail(code, "rotation.shape[0] = {}, expected 16 to 1024", k);
  if (x[1] % k == 0 && x[1] % 8 == 0) return {};
  return Fail(code, "x.shape[1] = {}, expected a multiple of 8 and of rotation.shape[0] = {}", x[1],
              k);
}

}  // namespace

Status PrepareRotateQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckRotation(operands); !s.ok()) return s;
  if (operands[kX].IsEmpty()) return {};
  const Dims& shape = operands[kX].shape();
  const int64_t k = operands[kRight].shape()[0];
  const Dims parts = {shape[0] * (shape[1] / k), k};
  constexpr int64_t kKeepTypes = 0;
  Steps steps(operands);
  InnerTensor x;
  if (Status s = steps.Contiguous(kX, parts, &x); !s.ok()) return s;
  const InnerTensor z = steps.Piece("x @ rotation", operands[kX].dtype(), parts);
  if (Status s = steps.Call("aclnnMm", {x, TensorOf(operands, kRight), z, kKeepTypes}); !s.ok()) {
    return s;
  }
  if (Status s = steps.Call(
          "aclnnDynamicQuant",
          {z.As(shape), InnerTensor(), TensorOf(operands, kY), TensorOf(operands, kScaleOut)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::row_quant
