// SPDX-License-Identifier: Apache-2.0
// The declarations of the element-wise operators.
#pragma once

#include "nnop/operator.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {

// What the documents list.
inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kReals = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                    ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
inline constexpr DTypeSet kNegated = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,
                                      ACL_DOUBLE, ACL_INT8,      ACL_INT32,
                                      ACL_INT64,  ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kIntegersToo = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                          ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL,
                                          ACL_UINT16, ACL_UINT32,  ACL_UINT64};
inline constexpr DTypeSet kEvery = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                    ACL_INT8,   ACL_INT16,     ACL_INT32,     ACL_INT64,
                                    ACL_UINT8,  ACL_BOOL,      ACL_UINT16,    ACL_UINT32,
                                    ACL_UINT64, ACL_COMPLEX64, ACL_COMPLEX128};
// With complex numbers.
inline constexpr DTypeSet kFloatsToo = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,
                                        ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                      ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                      ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kMeasured = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                       ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                       ACL_UINT8, ACL_BOOL,    ACL_COMPLEX32, ACL_COMPLEX64};
inline constexpr DTypeSet kConditions = {ACL_BOOL, ACL_UINT8};

inline constexpr char kPromoted[] = "broadcast and promoted with the other input";
inline constexpr char kAlphaNote[] = "an integer where integers are computed";

constexpr ParamSpec ScalarRow(int id, const char* name, const char* note = nullptr) {
  return Value(id, name, Kind::kScalar, note);
}
constexpr ParamSpec Optional(ParamSpec row) {
  row.need = Need::kOptional;
  return row;
}
constexpr ParamSpec WithDTypeOf(int id, ParamSpec row) {
  row.same_dtype_as = id;
  return row;
}
constexpr ParamSpec WithConstHandle(ParamSpec row) {
  row.const_handle = true;
  return row;
}
constexpr ParamSpec Promoted(int id, const char* name, DTypeSet dtypes) {
  ParamSpec row = In(id, name, dtypes);
  row.note = kPromoted;
  return row;
}

template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kUnary[] = {In(kSelf, "self", kIn), Out(kOut, "out", kTypes)};
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kUnaryInput[] = {In(kSelf, "input", kIn), Out(kOut, "out", kTypes)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplace[] = {InOut(kSelf, "selfRef", kTypes)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceInput[] = {InOut(kSelf, "inputRef", kTypes)};
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kBinary[] = {Promoted(kSelf, "self", kIn),
                                        Promoted(kOther, "other", kIn), Out(kOut, "out", kTypes)};
template <const DTypeSet& kTypes, const DTypeSet& kIn>
inline constexpr ParamSpec kInplaceBinary[] = {InOut(kSelf, "selfRef", kTypes),
                                               Promoted(kOther, "other", kIn)};
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kScalarBinary[] = {In(kSelf, "self", kIn), ScalarRow(kScalar, "other"),
                                              Out(kOut, "out", kTypes)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceScalarBinary[] = {InOut(kSelf, "selfRef", kTypes),
                                                     ScalarRow(kScalar, "other")};
inline constexpr ParamSpec kSum[] = {
    Promoted(kSelf, "self", kNumbers), Promoted(kOther, "other", kNumbers),
    ScalarRow(kAlpha, "alpha", kAlphaNote), Out(kOut, "out", kNumbers)};
inline constexpr ParamSpec kInplaceSum[] = {InOut(kSelf, "selfRef", kNumbers),
                                            Promoted(kOther, "other", kNumbers),
                                            ScalarRow(kAlpha, "alpha", kAlphaNote)};
inline constexpr ParamSpec kScalarSum[] = {In(kSelf, "self", kNumbers), ScalarRow(kScalar, "other"),
                                           ScalarRow(kAlpha, "alpha", kAlphaNote),
                                           Out(kOut, "out", kNumbers)};
inline constexpr ParamSpec kInplaceScalarSum[] = {InOut(kSelf, "selfRef", kNumbers),
                                                  ScalarRow(kScalar, "other"),
                                                  ScalarRow(kAlpha, "alpha", kAlphaNote)};
inline constexpr DTypeSet kSigned = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,
                                     ACL_DOUBLE, ACL_INT32,     ACL_INT64,
                                     ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kSign[] = {In(kSelf, "self", kSigned),
                                      WithDTypeOf(kSelf, Out(kOut, "result", kSigned))};
inline constexpr DTypeSet kSingles = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kLeakyRelu[] = {
    In(kSelf, "self", kSingles), ScalarRow(kScalar, "negativeSlope"), Out(kOut, "out", kSingles)};
inline constexpr ParamSpec kInplaceLeakyRelu[] = {InOut(kSelf, "selfRef", kSingles),
                                                  ScalarRow(kScalar, "negativeSlope")};
inline constexpr char kExponentNote[] = "0 or more where integers are computed";
inline constexpr ParamSpec kScalarPow[] = {In(kSelf, "self", kNumbers),
                                           ScalarRow(kScalar, "exponent", kExponentNote),
                                           WithConstHandle(Out(kOut, "out", kEvery))};
inline constexpr ParamSpec kInplaceScalarPow[] = {WithConstHandle(InOut(kSelf, "self", kNumbers)),
                                                  ScalarRow(kScalar, "exponent", kExponentNote)};
inline constexpr ParamSpec kPow[] = {Promoted(kSelf, "self", kNumbers),
                                     Promoted(kOther, "exponent", kNumbers),
                                     Out(kOut, "out", kEvery)};
inline constexpr ParamSpec kInplacePow[] = {InOut(kSelf, "self", kNumbers),
                                            Promoted(kOther, "exponent", kNumbers)};
inline constexpr ParamSpec kWhere[] = {In(kCondition, "condition", kConditions),
                                       Promoted(kSelf, "self", kEvery),
                                       Promoted(kOther, "other", kEvery), Out(kOut, "out", kEvery)};
inline constexpr ParamSpec kClamp[] = {
    In(kSelf, "self", kReals),
    Optional(ScalarRow(kMin, "clipValueMin", "not both bounds are null")),
    Optional(ScalarRow(kMax, "clipValueMax")), Out(kOut, "out", kReals)};
inline constexpr ParamSpec kCast[] = {
    In(kSelf, "self", kEvery),
    Value(kDType, "dtype", Kind::kDataType, "out.dtype; fractions are cut off, NaN becomes 0"),
    Out(kOut, "out", kEvery)};
inline constexpr ParamSpec kCopy[] = {InOut(kSelf, "selfRef", kEvery), In(kOther, "src", kEvery)};
inline constexpr ParamSpec kFillScalar[] = {InOut(kSelf, "selfRef", kEvery),
                                            ScalarRow(kScalar, "value")};

constexpr OpSpec Row(OpInfo op, std::span<const ParamSpec> params, PrepareFunction prepare,
                     const char* header, const char* summary, const char* document) {
  return {.op = op,
          .params = params,
          .prepare = prepare,
          .header = header,
          .summary = summary,
          .document = document};
}

// clang-format off
inline constexpr OpSpec kOperators[] = {
    Row(kNames<"Add">, kSum, Sum<1>, "aclnn_add.h",
        "out = self + alpha * other", "ops-math: math/add/docs/aclnnAdd&aclnnInplaceAdd.md"),
    Row(kNames<"InplaceAdd">, kInplaceSum, Sum<1>, "aclnn_add.h",
        "selfRef = selfRef + alpha * other", "ops-math: math/add/docs/aclnnAdd&aclnnInplaceAdd.md"),
    Row(kNames<"Adds">, kScalarSum, Sum<1>, "aclnn_add.h",
        "out = self + alpha * other", "ops-math: math/add/docs/aclnnAdds.md"),
    Row(kNames<"InplaceAdds">, kInplaceScalarSum, Sum<1>, "aclnn_add.h",
        "selfRef = selfRef + alpha * other", "ops-math: math/add/docs/aclnnInplaceAdds.md"),
    Row(kNames<"Sub">, kSum, Sum<-1>, "aclnn_sub.h",
        "out = self - alpha * other", "ops-math: math/sub/docs/aclnnSub&aclnnInplaceSub.md"),
    Row(kNames<"InplaceSub">, kInplaceSum, Sum<-1>, "aclnn_sub.h",
        "selfRef = selfRef - alpha * other", "ops-math: math/sub/docs/aclnnSub&aclnnInplaceSub.md"),
    Row(kNames<"Subs">, kScalarSum, Sum<-1>, "aclnn_sub.h",
        "out = self - alpha * other", "ops-math: math/sub/docs/aclnnSubs&aclnnInplaceSubs.md"),
    Row(kNames<"InplaceSubs">, kInplaceScalarSum, Sum<-1>, "aclnn_sub.h",
        "selfRef = selfRef - alpha * other", "ops-math: math/sub/docs/aclnnSubs&aclnnInplaceSubs.md"),
    Row(kNames<"Mul">, kBinary<kNumbers, kNumbers>, Map<Op::kMul>, "aclnn_mul.h",
        "out = self * other", "ops-math: math/mul/docs/aclnnMul&aclnnInplaceMul.md"),
    Row(kNames<"InplaceMul">, kInplaceBinary<kNumbers, kNumbers>, Map<Op::kMul>, "aclnn_mul.h",
        "selfRef = selfRef * other", "ops-math: math/mul/docs/aclnnMul&aclnnInplaceMul.md"),
    Row(kNames<"Muls">, kScalarBinary<kNumbers, kNumbers>, WithScalar<Op::kMulScalar>, "aclnn_mul.h",
        "out = self * other", "ops-math: math/muls/docs/aclnnMuls&aclnnInplaceMuls.md"),
    Row(kNames<"InplaceMuls">, kInplaceScalarBinary<kNumbers>, WithScalar<Op::kMulScalar>, "aclnn_mul.h",
        "selfRef = selfRef * other", "ops-math: math/muls/docs/aclnnMuls&aclnnInplaceMuls.md"),
    Row(kNames<"Div">, kBinary<kNumbers, kFloatsToo>, Map<Op::kDiv>, "aclnn_div.h",
        "out = self / other", "ops-math: math/div/docs/aclnnDiv&aclnnInplaceDiv.md"),
    Row(kNames<"InplaceDiv">, kInplaceBinary<kFloatsToo, kNumbers>, Map<Op::kDiv>, "aclnn_div.h",
        "selfRef = selfRef / other", "ops-math: math/div/docs/aclnnDiv&aclnnInplaceDiv.md"),
    Row(kNames<"Divs">, kScalarBinary<kNumbers, kFloatsToo>, WithScalar<Op::kDivScalar>, "aclnn_div.h",
        "out = self / other", "ops-math: math/div/docs/aclnnDivs&aclnnInplaceDivs.md"),
    Row(kNames<"InplaceDivs">, kInplaceScalarBinary<kFloatsToo>, WithScalar<Op::kDivScalar>, "aclnn_div.h",
        "selfRef = selfRef / other", "ops-math: math/div/docs/aclnnDivs&aclnnInplaceDivs.md"),
    Row(kNames<"Neg">, kUnary<kNegated, kNegated>, Map<Op::kNeg>, "aclnn_neg.h",
        "out = -self", "ops-math: math/neg/docs/aclnnNeg&aclnnInplaceNeg.md"),
    Row(kNames<"InplaceNeg">, kInplace<kNegated>, Map<Op::kNeg>, "aclnn_neg.h",
        "selfRef = -selfRef", "ops-math: math/neg/docs/aclnnNeg&aclnnInplaceNeg.md"),
    Row(kNames<"Abs">, kUnary<kMeasured, kReals>, Map<Op::kAbs>, "aclnn_abs.h",
        "out = |self|", "ops-math: math/abs/docs/aclnnAbs.md"),
    Row(kNames<"Sign">, kSign, Map<Op::kSign>, "aclnn_sign.h",
        "out = 1, 0 or -1 as self is above 0, 0 (or NaN) or below", "ops-math: math/sign/docs/aclnnSign.md"),
    Row(kNames<"Exp">, kUnary<kNumbers, kFloatsToo>, Map<Op::kExp>, "aclnn_exp.h",
        "out = e^self", "ops-math: math/exp/docs/aclnnExp&aclnnInplaceExp.md"),
    Row(kNames<"InplaceExp">, kInplace<kFloatsToo>, Map<Op::kExp>, "aclnn_exp.h",
        "selfRef = e^selfRef", "ops-math: math/exp/docs/aclnnExp&aclnnInplaceExp.md"),
    Row(kNames<"Log">, kUnary<kNumbers, kFloatsToo>, Map<Op::kLog>, "aclnn_log.h",
        "out = the natural logarithm of self", "ops-math: math/log/docs/aclnnLog&aclnnInplaceLog.md"),
    Row(kNames<"InplaceLog">, kInplace<kFloatsToo>, Map<Op::kLog>, "aclnn_log.h",
        "selfRef = the natural logarithm of selfRef", "ops-math: math/log/docs/aclnnLog&aclnnInplaceLog.md"),
    Row(kNames<"Sqrt">, kUnary<kNumbers, kFloatsToo>, Map<Op::kSqrt>, "aclnn_sqrt.h",
        "out = the square root of self", "ops-math: math/sqrt/docs/aclnnSqrt&aclnnInplaceSqrt.md"),
    Row(kNames<"InplaceSqrt">, kInplace<kFloatsToo>, Map<Op::kSqrt>, "aclnn_sqrt.h",
        "selfRef = the square root of selfRef", "ops-math: math/sqrt/docs/aclnnSqrt&aclnnInplaceSqrt.md"),
    Row(kNames<"Rsqrt">, kUnary<kNumbers, kFloatsToo>, Map<Op::kRsqrt>, "aclnn_rsqrt.h",
        "out = 1 / the square root of self", "ops-math: math/rsqrt/docs/aclnnRsqrt&aclnnInplaceRsqrt.md"),
    Row(kNames<"InplaceRsqrt">, kInplace<kFloatsToo>, Map<Op::kRsqrt>, "aclnn_rsqrt.h",
        "selfRef = 1 / the square root of selfRef", "ops-math: math/rsqrt/docs/aclnnRsqrt&aclnnInplaceRsqrt.md"),
    Row(kNames<"Reciprocal">, kUnary<kNumbers, kFloatsToo>, Map<Op::kReciprocal>, "aclnn_reciprocal.h",
        "out = 1 / self", "ops-math: math/reciprocal/docs/aclnnReciprocal&aclnnInplaceReciprocal.md"),
    Row(kNames<"InplaceReciprocal">, kInplace<kFloatsToo>, Map<Op::kReciprocal>, "aclnn_reciprocal.h",
        "selfRef = 1 / selfRef", "ops-math: math/reciprocal/docs/aclnnReciprocal&aclnnInplaceReciprocal.md"),
    Row(kNames<"Sigmoid">, kUnary<kFloats, kFloats>, Map<Op::kSigmoid>, "aclnn_sigmoid.h",
        "out = 1 / (1 + e^-self)", "ops-nn: activation/sigmoid/docs/aclnnSigmoid&aclnnInplaceSigmoid.md"),
    Row(kNames<"InplaceSigmoid">, kInplace<kFloatsToo>, Map<Op::kSigmoid>, "aclnn_sigmoid.h",
        "selfRef = 1 / (1 + e^-selfRef)", "ops-nn: activation/sigmoid/docs/aclnnSigmoid&aclnnInplaceSigmoid.md"),
    Row(kNames<"Silu">, kUnary<kFloats, kFloats>, Map<Op::kSilu>, "aclnn_silu.h",
        "out = self / (1 + e^-self)", "ops-nn: activation/swish/docs/aclnnSilu.md"),
    Row(kNames<"Gelu">, kUnary<kFloats, kFloats>, Map<Op::kGelu>, "aclnn_gelu.h",
        "out = 0.5 self (1 + tanh(sqrt(2 / pi) (self + 0.044715 self^3)))", "ops-nn: activation/gelu/docs/aclnnGelu.md"),
    Row(kNames<"Relu">, kUnary<kReals, kReals>, Map<Op::kRelu>, "aclnn_relu.h",
        "out = max(self, 0)", "ops-nn: activation/relu/docs/aclnnRelu&aclnnInplaceRelu.md"),
    Row(kNames<"InplaceRelu">, kInplace<kReals>, Map<Op::kRelu>, "aclnn_relu.h",
        "selfRef = max(selfRef, 0)", "ops-nn: activation/relu/docs/aclnnRelu&aclnnInplaceRelu.md"),
    Row(kNames<"LeakyRelu">, kLeakyRelu, WithScalar<Op::kLeakyRelu>, "aclnn_leaky_relu.h",
        "out = self < 0 ? negativeSlope * self : self", "ops-nn: activation/leaky_relu/docs/aclnnLeakyRelu&aclnnInplaceLeakyRelu.md"),
    Row(kNames<"InplaceLeakyRelu">, kInplaceLeakyRelu, WithScalar<Op::kLeakyRelu>, "aclnn_leaky_relu.h",
        "selfRef = selfRef < 0 ? negativeSlope * selfRef : selfRef", "ops-nn: activation/leaky_relu/docs/aclnnLeakyRelu&aclnnInplaceLeakyRelu.md"),
    Row(kNames<"Tanh">, kUnary<kReals, kFloats>, Map<Op::kTanh>, "aclnn_tanh.h",
        "out = tanh self", "ops-math: math/tanh/docs/aclnnTanh&aclnnInplaceTanh.md"),
    Row(kNames<"InplaceTanh">, kInplace<kFloats>, Map<Op::kTanh>, "aclnn_tanh.h",
        "selfRef = tanh selfRef", "ops-math: math/tanh/docs/aclnnTanh&aclnnInplaceTanh.md"),
    Row(kNames<"Cos">, kUnaryInput<kNumbers, kFloatsToo>, Map<Op::kCos>, "aclnn_cos.h",
        "out = cos input", "ops-math: math/cos/docs/aclnnCos&aclnnInplaceCos.md"),
    Row(kNames<"InplaceCos">, kInplaceInput<kFloatsToo>, Map<Op::kCos>, "aclnn_cos.h",
        "inputRef = cos inputRef", "ops-math: math/cos/docs/aclnnCos&aclnnInplaceCos.md"),
    Row(kNames<"Sin">, kUnary<kNumbers, kFloatsToo>, Map<Op::kSin>, "aclnn_sin.h",
        "out = sin self", "ops-math: math/sin/docs/aclnnSin&aclnnInplaceSin.md"),
    Row(kNames<"InplaceSin">, kInplace<kFloatsToo>, Map<Op::kSin>, "aclnn_sin.h",
        "selfRef = sin selfRef", "ops-math: math/sin/docs/aclnnSin&aclnnInplaceSin.md"),
    Row(kNames<"PowTensorScalar">, kScalarPow, PreparePowScalar, "aclnn_pow.h",
        "out = self^exponent", "ops-math: math/pow/docs/aclnnPowTensorScalar&aclnnInplacePowTensorScalar.md"),
    Row(kNames<"InplacePowTensorScalar">, kInplaceScalarPow, PreparePowScalar, "aclnn_pow.h",
        "self = self^exponent, in place", "ops-math: math/pow/docs/aclnnPowTensorScalar&aclnnInplacePowTensorScalar.md"),
    Row(kNames<"PowTensorTensor">, kPow, Map<Op::kPow>, "aclnn_pow_tensor_tensor.h",
        "out = self^exponent", "ops-math: math/pow/docs/aclnnPowTensorTensor&aclnnInplacePowTensorTensor.md"),
    Row(kNames<"InplacePowTensorTensor">, kInplacePow, Map<Op::kPow>, "aclnn_pow_tensor_tensor.h",
        "self = self^exponent, in place", "ops-math: math/pow/docs/aclnnPowTensorTensor&aclnnInplacePowTensorTensor.md"),
    Row(kNames<"Maximum">, kBinary<kReals, kReals>, Map<Op::kMaximum>, "aclnn_maximum.h",
        "out = the larger of self and other; NaN if either is", "ops-math: math/maximum/docs/aclnnMaximum.md"),
    Row(kNames<"Minimum">, kBinary<kReals, kReals>, Map<Op::kMinimum>, "aclnn_minimum.h",
        "out = the smaller of self and other; NaN if either is", "ops-math: math/minimum/docs/aclnnMinimum.md"),
    Row(kNames<"EqTensor">, kBinary<kEvery, kEvery>, Map<Op::kEqual>, "aclnn_eq_tensor.h",
        "out = self == other", "ops-math: math/equal/docs/aclnnEqTensor&aclnnInplaceEqTensor.md"),
    Row(kNames<"InplaceEqTensor">, kInplaceBinary<kEvery, kEvery>, Map<Op::kEqual>, "aclnn_eq_tensor.h",
        "selfRef = selfRef == other", "ops-math: math/equal/docs/aclnnEqTensor&aclnnInplaceEqTensor.md"),
    Row(kNames<"EqScalar">, kScalarBinary<kEvery, kEvery>, WithScalar<Op::kEqualScalar>, "aclnn_eq_scalar.h",
        "out = self == other", "ops-math: math/equal/docs/aclnnEqScalar&aclnnInplaceEqScalar.md"),
    Row(kNames<"InplaceEqScalar">, kInplaceScalarBinary<kEvery>, WithScalar<Op::kEqualScalar>, "aclnn_eq_scalar.h",
        "selfRef = selfRef == other", "ops-math: math/equal/docs/aclnnEqScalar&aclnnInplaceEqScalar.md"),
    Row(kNames<"NeTensor">, kBinary<kEvery, kEvery>, Map<Op::kNotEqual>, "aclnn_ne_tensor.h",
        "out = self != other", "ops-math: math/not_equal/docs/aclnnNeTensor&aclnnInplaceNeTensor.md"),
    Row(kNames<"InplaceNeTensor">, kInplaceBinary<kEvery, kEvery>, Map<Op::kNotEqual>, "aclnn_ne_tensor.h",
        "selfRef = selfRef != other", "ops-math: math/not_equal/docs/aclnnNeTensor&aclnnInplaceNeTensor.md"),
    Row(kNames<"NeScalar">, kScalarBinary<kEvery, kEvery>, WithScalar<Op::kNotEqualScalar>, "aclnn_ne_scalar.h",
        "out = self != other", "ops-math: math/not_equal/docs/aclnnNeScalar&aclnnInplaceNeScalar.md"),
    Row(kNames<"InplaceNeScalar">, kInplaceScalarBinary<kEvery>, WithScalar<Op::kNotEqualScalar>, "aclnn_ne_scalar.h",
        "selfRef = selfRef != other", "ops-math: math/not_equal/docs/aclnnNeScalar&aclnnInplaceNeScalar.md"),
    Row(kNames<"LtTensor">, kBinary<kIntegersToo, kEvery>, Map<Op::kLess>, "aclnn_lt_tensor.h",
        "out = self < other", "ops-math: math/less/docs/aclnnLtTensor&aclnnInplaceLtTensor.md"),
    Row(kNames<"InplaceLtTensor">, kInplaceBinary<kIntegersToo, kIntegersToo>, Map<Op::kLess>, "aclnn_lt_tensor.h",
        "selfRef = selfRef < other", "ops-math: math/less/docs/aclnnLtTensor&aclnnInplaceLtTensor.md"),
    Row(kNames<"LtScalar">, kScalarBinary<kIntegersToo, kEvery>, WithScalar<Op::kLessScalar>, "aclnn_lt_scalar.h",
        "out = self < other", "ops-math: math/less/docs/aclnnLtScalar&aclnnInplaceLtScalar.md"),
    Row(kNames<"InplaceLtScalar">, kInplaceScalarBinary<kIntegersToo>, WithScalar<Op::kLessScalar>, "aclnn_lt_scalar.h",
        "selfRef = selfRef < other", "ops-math: math/less/docs/aclnnLtScalar&aclnnInplaceLtScalar.md"),
    Row(kNames<"LeTensor">, kBinary<kIntegersToo, kEvery>, Map<Op::kLessEqual>, "aclnn_le_tensor.h",
        "out = self <= other", "ops-math: math/less_equal/docs/aclnnLeTensor&aclnnInplaceLeTensor.md"),
    Row(kNames<"InplaceLeTensor">, kInplaceBinary<kIntegersToo, kIntegersToo>, Map<Op::kLessEqual>, "aclnn_le_tensor.h",
        "selfRef = selfRef <= other", "ops-math: math/less_equal/docs/aclnnLeTensor&aclnnInplaceLeTensor.md"),
    Row(kNames<"LeScalar">, kScalarBinary<kIntegersToo, kEvery>, WithScalar<Op::kLessEqualScalar>, "aclnn_le_scalar.h",
        "out = self <= other", "ops-math: math/less_equal/docs/aclnnLeScalar&aclnnInplaceLeScalar.md"),
    Row(kNames<"InplaceLeScalar">, kInplaceScalarBinary<kIntegersToo>, WithScalar<Op::kLessEqualScalar>, "aclnn_le_scalar.h",
        "selfRef = selfRef <= other", "ops-math: math/less_equal/docs/aclnnLeScalar&aclnnInplaceLeScalar.md"),
    Row(kNames<"GtTensor">, kBinary<kIntegersToo, kEvery>, Map<Op::kLess, true>, "aclnn_gt_tensor.h",
        "out = self > other", "ops-math: math/greater/docs/aclnnGtTensor&aclnnInplaceGtTensor.md"),
    Row(kNames<"InplaceGtTensor">, kInplaceBinary<kIntegersToo, kIntegersToo>, Map<Op::kLess, true>, "aclnn_gt_tensor.h",
        "selfRef = selfRef > other", "ops-math: math/greater/docs/aclnnGtTensor&aclnnInplaceGtTensor.md"),
    Row(kNames<"GtScalar">, kScalarBinary<kIntegersToo, kEvery>, WithScalar<Op::kGreaterScalar>, "aclnn_gt_scalar.h",
        "out = self > other", "ops-math: math/greater/docs/aclnnGtScalar&aclnnInplaceGtScalar.md"),
    Row(kNames<"InplaceGtScalar">, kInplaceScalarBinary<kIntegersToo>, WithScalar<Op::kGreaterScalar>, "aclnn_gt_scalar.h",
        "selfRef = selfRef > other", "ops-math: math/greater/docs/aclnnGtScalar&aclnnInplaceGtScalar.md"),
    Row(kNames<"GeTensor">, kBinary<kIntegersToo, kEvery>, Map<Op::kLessEqual, true>, "aclnn_ge_tensor.h",
        "out = self >= other", "ops-math: math/greater_equal/docs/aclnnGeTensor&aclnnInplaceGeTensor.md"),
    Row(kNames<"InplaceGeTensor">, kInplaceBinary<kIntegersToo, kIntegersToo>, Map<Op::kLessEqual, true>, "aclnn_ge_tensor.h",
        "selfRef = selfRef >= other", "ops-math: math/greater_equal/docs/aclnnGeTensor&aclnnInplaceGeTensor.md"),
    Row(kNames<"GeScalar">, kScalarBinary<kIntegersToo, kEvery>, WithScalar<Op::kGreaterEqualScalar>, "aclnn_ge_scalar.h",
        "out = self >= other", "ops-math: math/greater_equal/docs/aclnnGeScalar&aclnnInplaceGeScalar.md"),
    Row(kNames<"InplaceGeScalar">, kInplaceScalarBinary<kIntegersToo>, WithScalar<Op::kGreaterEqualScalar>, "aclnn_ge_scalar.h",
        "selfRef = selfRef >= other", "ops-math: math/greater_equal/docs/aclnnGeScalar&aclnnInplaceGeScalar.md"),
    Row(kNames<"LogicalAnd">, kBinary<kNumbers, kNumbers>, Map<Op::kAnd>, "aclnn_logical_and.h",
        "out = self != 0 and other != 0", "ops-math: math/logical_and/docs/aclnnLogicalAnd&aclnnInplaceLogicalAnd.md"),
    Row(kNames<"InplaceLogicalAnd">, kInplaceBinary<kNumbers, kNumbers>, Map<Op::kAnd>, "aclnn_logical_and.h",
        "selfRef = selfRef != 0 and other != 0", "ops-math: math/logical_and/docs/aclnnLogicalAnd&aclnnInplaceLogicalAnd.md"),
    Row(kNames<"LogicalOr">, kBinary<kNumbers, kNumbers>, Map<Op::kOr>, "aclnn_logical_or.h",
        "out = self != 0 or other != 0", "ops-math: math/logical_or/docs/aclnnLogicalOr&aclnnInplaceLogicalOr.md"),
    Row(kNames<"InplaceLogicalOr">, kInplaceBinary<kNumbers, kNumbers>, Map<Op::kOr>, "aclnn_logical_or.h",
        "selfRef = selfRef != 0 or other != 0", "ops-math: math/logical_or/docs/aclnnLogicalOr&aclnnInplaceLogicalOr.md"),
    Row(kNames<"LogicalXor">, kBinary<kNumbers, kNumbers>, Map<Op::kXor>, "aclnn_logical_xor.h",
        "out = (self != 0) != (other != 0)", "ops-math: math/not_equal/docs/aclnnLogicalXor.md"),
    Row(kNames<"LogicalNot">, kUnary<kReals, kReals>, Map<Op::kEqualScalar>, "aclnn_logical_not.h",
        "out = self == 0", "ops-math: math/logical_not/docs/aclnnLogicalNot&aclnnInplaceLogicalNot.md"),
    Row(kNames<"InplaceLogicalNot">, kInplace<kReals>, Map<Op::kEqualScalar>, "aclnn_logical_not.h",
        "selfRef = selfRef == 0", "ops-math: math/logical_not/docs/aclnnLogicalNot&aclnnInplaceLogicalNot.md"),
    Row(kNames<"SWhere">, kWhere, PrepareWhere, "aclnn_s_where.h",
        "out = condition ? self : other", "ops-math: math/select/docs/aclnnSWhere.md"),
    Row(kNames<"Clamp">, kClamp, PrepareClamp, "aclnn_clamp.h",
        "out = min(max(self, clipValueMin), clipValueMax)", "ops-math: conversion/clip_by_value_v2/docs/aclnnClamp.md"),
    Row(kNames<"Cast">, kCast, PrepareCast, "aclnn_cast.h",
        "out = self, as another type", "ops-math: math/cast/docs/aclnnCast.md"),
    Row(kNames<"InplaceCopy">, kCopy, PrepareCopy, "aclnn_copy.h",
        "selfRef = src, as another type", "ops-math: conversion/view_copy/docs/aclnnInplaceCopy.md"),
    Row(kNames<"InplaceZero">, kInplace<kEvery>, Fill<0>, "aclnn_zero.h",
        "selfRef = 0", "ops-math: math/zero_op/docs/aclnnInplaceZero.md"),
    Row(kNames<"InplaceOne">, kInplace<kEvery>, Fill<1>, "aclnn_ones.h",
        "selfRef = 1", "ops-math: math/ones_like/docs/aclnnInplaceOne.md"),
    Row(kNames<"InplaceFillScalar">, kFillScalar, Fill<0>, "aclnn_fill_scalar.h",
        "selfRef = value", "ops-math: conversion/fill/docs/aclnnInplaceFillScalar.md"),
};
// clang-format on

}  // namespace anyacl::elementwise
