// SPDX-License-Identifier: Apache-2.0
// First phases of the family. Which operator: the template's arguments.
#pragma once

#include "nnop/operands.h"
#include "ops/elementwise/kernel.h"

namespace anyacl::elementwise {

// The arguments of the family's operators.
enum : int {
  kSelf,
  kOther,
  kThird,
  kCondition,
  kAlpha,
  kScalar,
  kMin,
  kMax,
  kDType,
  kP,  // parameters, by the kernels' names
  kQ,
  kR,
  kMode,
  kLayout,
  kDim,
  kSize,
  kWrap,
  kKey,  // outputs beside out
  kValueOut,
  kBuffer,  // which neither is read nor written
  kWeightOut,
  kActivateLeft,
  kActivated,
  kX,
  kDCos,
  kDSin,
  kMask,
  kCell,
  kScale,
  kShiftBy,
  kDScale,
  kDShift,
  kOut
};

// Of self, and other if the operator has it; in place without out. kSwapped: the operation takes
// the inputs the other way round.
Status PrepareMap(Op op, bool swapped, Operands& operands, PreparedCall* call);
// Of any type of self, which angles become, too: integers cut their fractions off.
Status PrepareInplaceAtan2(Operands& operands, PreparedCall* call);
// The same as PrepareMap; self and out have one format.
Status PrepareMapAlike(Op op, Operands& operands, PreparedCall* call);
// Of self and a scalar.
Status PrepareWithScalar(Op op, Operands& operands, PreparedCall* call);
// self + factor * alpha * other, of a tensor or a scalar; kSwapped: other + factor * alpha * self.
Status PrepareSum(int factor, bool swapped, Operands& operands, PreparedCall* call);
// The sum, and 0 where it is negative.
Status PrepareAddRelu(Operands& operands, PreparedCall* call);
// The scalar + factor * alpha * self.
Status PrepareReverse(int factor, Operands& operands, PreparedCall* call);
Status PreparePowScalar(Operands& operands, PreparedCall* call);
Status PrepareClamp(Operands& operands, PreparedCall* call);
// The bounds become self's type.
Status PrepareHardtanh(Operands& operands, PreparedCall* call);
Status PrepareWhere(Operands& operands, PreparedCall* call);
Status PrepareCast(Operands& operands, PreparedCall* call);
// self takes the values of other.
Status PrepareCopy(Operands& operands, PreparedCall* call);
// self takes the scalar, or `value` if the operator has none.
Status PrepareFill(int value, Operands& operands, PreparedCall* call);
// self takes the value where the mask is set.
Status PrepareMaskedFill(Operands& operands, PreparedCall* call);

// prepare_parameters.cc: of self, and other and third if the operator has them, and of numbers that
// change no type. Results may be stored as integers where the document has those for all tensors.
Status PrepareWithParameters(Op op, Operands& operands, PreparedCall* call);
Status PrepareFastGelu(Op op, Operands& operands, PreparedCall* call);
// By name: the root of what LpNormReduceV2 (ops/reduction) has summed up.
Status PrepareLpNormUpdate(Operands& operands, PreparedCall* call);
Status PrepareClampTensor(Operands& operands, PreparedCall* call);
Status PrepareShrinking(Op op, Operands& operands, PreparedCall* call);
Status PrepareElu(Operands& operands, PreparedCall* call);  // and its relatives, by their rows
Status PrepareLeakyReluBackward(Operands& operands, PreparedCall* call);
Status PrepareGeluV2(Operands& operands, PreparedCall* call);
Status PrepareRoundDecimals(Operands& operands, PreparedCall* call);
Status PrepareDivMod(Operands& operands, PreparedCall* call);
// Whether all elements are equal.
Status PrepareEqual(Operands& operands, PreparedCall* call);

// parts.cc: operators on parts of tensors.
Status PrepareGlu(Operands& operands, PreparedCall* call);
Status PrepareGluBackward(Operands& operands, PreparedCall* call);
Status PrepareSwiGluGrad(Operands& operands, PreparedCall* call);
Status PrepareGeGlu(Operands& operands, PreparedCall* call);
Status PrepareGeGluBackward(Operands& operands, PreparedCall* call);
// gated.cc, chains.cc
Status PrepareGeluMul(Operands& operands, PreparedCall* call);
Status PrepareFatreluMul(Operands& operands, PreparedCall* call);
Status PrepareClippedSwiglu(Operands& operands, PreparedCall* call);
Status PrepareClippedSwigluGrad(Operands& operands, PreparedCall* call);
Status PrepareSquaredRelu(Operands& operands, PreparedCall* call);
Status PrepareScale(Operands& operands, PreparedCall* call);
Status PrepareTransformBiasRescaleQkv(Operands& operands, PreparedCall* call);
Status PrepareFillDiagonal(Operands& operands, PreparedCall* call);
Status PrepareFillTensor(Operands& operands, PreparedCall* call);

// modulate.cc: rows, scaled and shifted.
Status PreparePrecisionCompare(Operands& operands, PreparedCall* call);
Status PrepareModulate(Operands& operands, PreparedCall* call);
Status PrepareModulateBackward(Operands& operands, PreparedCall* call);

// lstm_cell.cc: what follows the products of a step.
Status PrepareLstmCell(Operands& operands, PreparedCall* call);
Status PrepareLstmCellBackward(Operands& operands, PreparedCall* call);

// rotary.cc, rotary_grad.cc, rotary_apply.cc: pairs of elements, turned by angles.
Status PrepareRotary(Operands& operands, PreparedCall* call);
Status PrepareRotaryV2(Operands& operands, PreparedCall* call);
Status PrepareRotaryGrad(Operands& operands, PreparedCall* call);
// Of queries and keys in place; `by_mode`: an argument says which elements are pairs.
Status PrepareRotaryApply(bool by_mode, Operands& operands, PreparedCall* call);
Status PrepareRotaryInterleave(Operands& operands, PreparedCall* call);

// shift.cc, quantize.cc, ascend_quant.cc, fake_quant.cc
enum class ShiftKind : uint8_t {
  kLeft,
  kRight,
  kRightFromZero
};  // the last: negative places are 0
Status PrepareShift(ShiftKind kind, Operands& operands, PreparedCall* call);
Status PrepareShiftByScalar(Operands& operands, PreparedCall* call);  // to the left
Status PrepareQuantize(Operands& operands, PreparedCall* call);
Status PrepareAscendQuant(Operands& operands, PreparedCall* call);
Status PrepareFakeQuant(Operands& operands, PreparedCall* call);
Status PrepareFakeQuantChannels(Operands& operands, PreparedCall* call);

// prelu.cc
Status PreparePrelu(Operands& operands, PreparedCall* call);
Status PreparePreluBackward(Operands& operands, PreparedCall* call);

// prepare_complex.cc: out = self + i other, |self|, the real part of self, self e^(i other), and
// the angle of self.
Status PrepareComplex(Operands& operands, PreparedCall* call);
Status PrepareAbs(Operands& operands, PreparedCall* call);
Status PrepareReal(Operands& operands, PreparedCall* call);
Status PreparePolar(Operands& operands, PreparedCall* call);
Status PrepareAngle(Operands& operands, PreparedCall* call);

template <Op kOp, bool kSwapped = false>
Status Map(Operands& operands, PreparedCall* call) {
  return PrepareMap(kOp, kSwapped, operands, call);
}
template <Op kOp>
Status MapAlike(Operands& operands, PreparedCall* call) {
  return PrepareMapAlike(kOp, operands, call);
}
template <Op kOp>
Status WithScalar(Operands& operands, PreparedCall* call) {
  return PrepareWithScalar(kOp, operands, call);
}
template <Op kOp>
Status WithParameters(Operands& operands, PreparedCall* call) {
  return PrepareWithParameters(kOp, operands, call);
}
template <Op kOp>
Status FastGelu(Operands& operands, PreparedCall* call) {
  return PrepareFastGelu(kOp, operands, call);
}
template <Op kOp>
Status PrepareShrink(Operands& operands, PreparedCall* call) {
  return PrepareShrinking(kOp, operands, call);
}
template <int kFactor, bool kSwapped = false>
Status Sum(Operands& operands, PreparedCall* call) {
  return PrepareSum(kFactor, kSwapped, operands, call);
}
template <int kFactor>
Status Reverse(Operands& operands, PreparedCall* call) {
  return PrepareReverse(kFactor, operands, call);
}
template <ShiftKind kKind>
Status Shift(Operands& operands, PreparedCall* call) {
  return PrepareShift(kKind, operands, call);
}
template <bool kByMode>
Status RotaryApply(Operands& operands, PreparedCall* call) {
  return PrepareRotaryApply(kByMode, operands, call);
}
template <int kValue>
Status Fill(Operands& operands, PreparedCall* call) {
  return PrepareFill(kValue, operands, call);
}

}  // namespace anyacl::elementwise
