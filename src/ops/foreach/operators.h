// SPDX-License-Identifier: Apache-2.0
// The declarations of the element-wise operators on lists of tensors.
#pragma once

#include "kernels.h"
#include "nnop/dtype_sets.h"

namespace anyacl::foreach {

using elementwise::Op;

enum : int { kX, kX2, kX3, kScalar, kScalars, kScalarTensor, kNumber, kOut };

// What becomes of the scalar.
enum class Use : uint8_t {
  kPlain,    // the operation's p
  kNegated,  // its negative
  kAtLeast,  // the lower bound of a clamp
  kAtMost,   // the upper one
  kPower,    // an exponent
  kRounding  // CANN's number of a way of rounding
};

Status PrepareEach(Op op, Use use, Operands& operands, PreparedCall* call);
Status PrepareCopies(Operands& operands, PreparedCall* call);
Status PrepareZeros(Operands& operands, PreparedCall* call);
// Of the tensors of one list.
Status PrepareFold(Op op, Operands& operands, PreparedCall* call);

template <Op kOp, Use kUse = Use::kPlain>
Status Each(Operands& operands, PreparedCall* call) {
  return PrepareEach(kOp, kUse, operands, call);
}
template <Op kOp>
Status Fold(Operands& operands, PreparedCall* call) {
  return PrepareFold(kOp, operands, call);
}

inline constexpr DTypeSet kAndInt32 = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32};
inline constexpr DTypeSet kAndInt16 = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT16};
inline constexpr DTypeSet kAndSmall = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32,
                                       ACL_INT16, ACL_INT8,    ACL_UINT8};
inline constexpr DTypeSet kSigned = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                     ACL_INT8,  ACL_INT32,   ACL_INT64};
inline constexpr DTypeSet kCopied = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,   ACL_INT8,
                                     ACL_UINT8,  ACL_INT16,   ACL_UINT16, ACL_INT32,
                                     ACL_UINT32, ACL_INT64,   ACL_DOUBLE, ACL_BOOL};
inline constexpr DTypeSet kSummed = {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8};
inline constexpr DTypeSet kZeroed = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT16, ACL_INT32};

constexpr ParamSpec ListRow(int id, const char* name, DTypeSet dtypes, Direction direction,
                            const char* note) {
  return {.name = name,
          .id = id,
          .kind = Kind::kTensorList,
          .direction = direction,
          .dtypes = dtypes,
          .note = note};
}
constexpr ParamSpec X(int id, const char* name, DTypeSet dtypes) {
  return ListRow(id, name, dtypes, Direction::kInput,
                 id == kX ? "tensors of one type" : "of the types and shapes of the first list");
}
// `handle`: CANN's prototype writes const.
constexpr ParamSpec Results(DTypeSet dtypes, bool handle) {
  ParamSpec row = ListRow(kOut, "out", dtypes, Direction::kOutput,
                          "of the types and shapes of the first list; may be one of the inputs");
  row.const_handle = handle;
  return row;
}

template <const DTypeSet& kTypes>
inline constexpr ParamSpec kUnary[] = {X(kX, "x", kTypes), Results(kTypes, true)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kWithScalar[] = {
    X(kX, "x", kTypes), Value(kScalar, "scalar", Kind::kScalar), Results(kTypes, false)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kWithScalars[] = {
    X(kX, "x", kTypes), Value(kScalars, "scalars", Kind::kScalarList, "one for each tensor"),
    Results(kTypes, true)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kPair[] = {X(kX, "x1", kTypes), X(kX2, "x2", kTypes),
                                      Results(kTypes, true)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kScaledPair[] = {X(kX, "x1", kTypes), X(kX2, "x2", kTypes),
                                            Value(kScalar, "alpha", Kind::kScalar),
                                            Results(kTypes, false)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kTriple[] = {
    X(kX, "x1", kTypes), X(kX2, "x2", kTypes), X(kX3, "x3", kTypes),
    Value(kScalar, "scalar", Kind::kScalar), Results(kTypes, false)};
constexpr ParamSpec ScalarTensor(DTypeSet dtypes) {
  return Noted(In(kScalarTensor, "scalars", dtypes, "S*"), "one number for each tensor");
}
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kTripleScalars[] = {X(kX, "x1", kTypes), X(kX2, "x2", kTypes),
                                               X(kX3, "x3", kTypes), ScalarTensor(kTypes),
                                               Results(kTypes, true)};
// Of the first versions: the scalar of all members, read when the task runs.
constexpr ParamSpec Number(const char* name, DTypeSet dtypes) {
  return Noted(In(kNumber, name, dtypes, "S*"),
               "one element: FLOAT or the type of floating-point lists, INT32 with others");
}
template <const DTypeSet& kTypes, const DTypeSet& kNumbers = kAndInt32>
inline constexpr ParamSpec kWithNumber[] = {X(kX, "x", kTypes), Number("scalar", kNumbers),
                                            Results(kTypes, true)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kPairWithNumber[] = {X(kX, "x1", kTypes), X(kX2, "x2", kTypes),
                                                Number("alpha", kAndInt32), Results(kTypes, true)};
template <const DTypeSet& kTypes, const DTypeSet& kNumbers = kAndInt32>
inline constexpr ParamSpec kTripleWithNumber[] = {X(kX, "x1", kTypes), X(kX2, "x2", kTypes),
                                                  X(kX3, "x3", kTypes), Number("scalar", kNumbers),
                                                  Results(kTypes, true)};
inline constexpr ParamSpec kRoundByNumber[] = {
    X(kX, "x", kAndInt16),
    Noted(In(kNumber, "roundMode", {ACL_INT8}, "S*"),
          "one element; 1: half to even, 2: down, 3: up, 5: towards 0, 4 and 6: the task fails"),
    Results(kAndInt16, true)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kScalarFirst[] = {Value(kScalar, "scalar", Kind::kScalar),
                                             X(kX, "x", kTypes), Results(kTypes, true)};
inline constexpr ParamSpec kLerpScalar[] = {X(kX, "x1", kFloats), X(kX2, "x2", kFloats),
                                            Value(kScalar, "weight", Kind::kScalar),
                                            Results(kFloats, true)};
inline constexpr ParamSpec kLerpList[] = {X(kX, "x1", kFloats), X(kX2, "x2", kFloats),
                                          X(kX3, "weight", kFloats), Results(kFloats, true)};
inline constexpr ParamSpec kRound[] = {
    X(kX, "x", kAndInt16),
    Value(kScalar, "roundMode", Kind::kScalar,
          "1: half to even, 2: down, 3: up, 5: towards 0; 4 and 6 are refused"),
    Results(kAndInt16, false)};
constexpr ParamSpec CopyResults() { return Noted(Results(kCopied, true), "of the shapes of x"); }
inline constexpr ParamSpec kCopy[] = {X(kX, "x", kCopied), CopyResults()};
constexpr ParamSpec Zeroed() {
  return ConstHandle(ListRow(kX, "x", kZeroed, Direction::kInOut, nullptr));
}
inline constexpr ParamSpec kZero[] = {Zeroed()};
inline constexpr DTypeSet kAdded = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64};
constexpr ParamSpec Folded(DTypeSet dtypes, const char* dims) {
  ParamSpec row =
      ListRow(kX, "tensors", dtypes, Direction::kInput, "one or more, of the type of out");
  row.dims = dims;
  return row;
}
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kFold[] = {
    Folded(kTypes, "*"), Noted(Out(kOut, "out", kTypes),
                               "of the shape that the tensors broadcast to; may be one of them")};
// Of one shape.
inline constexpr ParamSpec kAddN[] = {
    Folded(kAdded, "A*"), Noted(Out(kOut, "out", kAdded, "A*"), "may be one of the tensors")};

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
    Row(kNames<"ForeachAddScalar">, kWithNumber<kAndSmall>, Each<Op::kAddScalar>, "aclnn_foreach_add_scalar.h",
        "out = x + scalar", "ops-nn: foreach/foreach_add_scalar/docs/aclnnForeachAddScalar.md"),
    Row(kNames<"ForeachSubScalar">, kWithNumber<kAndInt32>, Each<Op::kAddScalar, Use::kNegated>, "aclnn_foreach_sub_scalar.h",
        "out = x - scalar", "ops-nn: foreach/foreach_sub_scalar/docs/aclnnForeachSubScalar.md"),
    Row(kNames<"ForeachMulScalar">, kWithNumber<kAndInt32>, Each<Op::kMulScalar>, "aclnn_foreach_mul_scalar.h",
        "out = x * scalar", "ops-nn: foreach/foreach_mul_scalar/docs/aclnnForeachMulScalar.md"),
    Row(kNames<"ForeachDivScalar">, kWithNumber<kFloats, kFloats>, Each<Op::kDivScalar>, "aclnn_foreach_div_scalar.h",
        "out = x / scalar", "ops-nn: foreach/foreach_div_scalar/docs/aclnnForeachDivScalar.md"),
    Row(kNames<"ForeachMaximumScalar">, kWithNumber<kAndInt32>, Each<Op::kClamp, Use::kAtLeast>, "aclnn_foreach_maximum_scalar.h",
        "out = the larger of x and scalar", "ops-nn: foreach/foreach_maximum_scalar/docs/aclnnForeachMaximumScalar.md"),
    Row(kNames<"ForeachMinimumScalar">, kWithNumber<kAndInt32>, Each<Op::kClamp, Use::kAtMost>, "aclnn_foreach_minimum_scalar.h",
        "out = the smaller of x and scalar", "ops-nn: foreach/foreach_minimum_scalar/docs/aclnnForeachMinimumScalar.md"),
    Row(kNames<"ForeachPowScalar">, kWithNumber<kAndInt32>, Each<Op::kPowScalar, Use::kPower>, "aclnn_foreach_pow_scalar.h",
        "out = x^scalar", "ops-nn: foreach/foreach_pow_scalar/docs/aclnnForeachPowScalar.md"),
    Row(kNames<"ForeachAddList">, kPairWithNumber<kAndSmall>, Each<Op::kAddScaled>, "aclnn_foreach_add_list.h",
        "out = x1 + alpha * x2", "ops-nn: foreach/foreach_add_list/docs/aclnnForeachAddList.md"),
    Row(kNames<"ForeachSubList">, kPairWithNumber<kAndSmall>, Each<Op::kAddScaled, Use::kNegated>, "aclnn_foreach_sub_list.h",
        "out = x1 - alpha * x2", "ops-nn: foreach/foreach_sub_list/docs/aclnnForeachSubList.md"),
    Row(kNames<"ForeachAddcmulScalar">, kTripleWithNumber<kAndInt32>, Each<Op::kAddcmul>, "aclnn_foreach_addcmul_scalar.h",
        "out = x1 + scalar * x2 * x3", "ops-nn: foreach/foreach_addcmul_scalar/docs/aclnnForeachAddcmulScalar.md"),
    Row(kNames<"ForeachAddcdivScalar">, kTripleWithNumber<kFloats, kFloats>, Each<Op::kAddcdiv>, "aclnn_foreach_addcdiv_scalar.h",
        "out = x1 + scalar * x2 / x3", "ops-nn: foreach/foreach_addcdiv_scalar/docs/aclnnForeachAddcdivScalar.md"),
    Row(kNames<"ForeachRoundOffNumber">, kRoundByNumber, Each<Op::kRound, Use::kRounding>, "aclnn_foreach_round_off_number.h",
        "out = x rounded to whole numbers", "ops-nn: foreach/foreach_round_off_number/docs/aclnnForeachRoundOffNumber.md"),
    Row(kNames<"ForeachPowScalarAndTensor">, kScalarFirst<kAndInt32>, Each<Op::kPowOfScalar>, "aclnn_foreach_pow_scalar_and_tensor.h",
        "out = scalar^x", "ops-nn: foreach/foreach_pow_scalar_and_tensor/docs/aclnnForeachPowScalarAndTensor.md"),
    Row(kNames<"ForeachAddScalarV2">, kWithScalar<kAndSmall>, Each<Op::kAddScalar>, "aclnn_foreach_add_scalar_v2.h",
        "out = x + scalar", "ops-nn: foreach/foreach_add_scalar/docs/aclnnForeachAddScalarV2.md"),
    Row(kNames<"ForeachSubScalarV2">, kWithScalar<kAndInt32>, Each<Op::kAddScalar, Use::kNegated>, "aclnn_foreach_sub_scalar_v2.h",
        "out = x - scalar", "ops-nn: foreach/foreach_sub_scalar/docs/aclnnForeachSubScalarV2.md"),
    Row(kNames<"ForeachMulScalarV2">, kWithScalar<kAndInt32>, Each<Op::kMulScalar>, "aclnn_foreach_mul_scalar_v2.h",
        "out = x * scalar", "ops-nn: foreach/foreach_mul_scalar/docs/aclnnForeachMulScalarV2.md"),
    Row(kNames<"ForeachDivScalarV2">, kWithScalar<kFloats>, Each<Op::kDivScalar>, "aclnn_foreach_div_scalar_v2.h",
        "out = x / scalar", "ops-nn: foreach/foreach_div_scalar/docs/aclnnForeachDivScalarV2.md"),
    Row(kNames<"ForeachMaximumScalarV2">, kWithScalar<kAndInt32>, Each<Op::kClamp, Use::kAtLeast>, "aclnn_foreach_maximum_scalar_v2.h",
        "out = the larger of x and scalar", "ops-nn: foreach/foreach_maximum_scalar/docs/aclnnForeachMaximumScalarV2.md"),
    Row(kNames<"ForeachMinimumScalarV2">, kWithScalar<kAndInt32>, Each<Op::kClamp, Use::kAtMost>, "aclnn_foreach_minimum_scalar_v2.h",
        "out = the smaller of x and scalar", "ops-nn: foreach/foreach_minimum_scalar/docs/aclnnForeachMinimumScalarV2.md"),
    Row(kNames<"ForeachPowScalarV2">, kWithScalar<kAndInt32>, Each<Op::kPowScalar, Use::kPower>, "aclnn_foreach_pow_scalar_v2.h",
        "out = x^scalar", "ops-nn: foreach/foreach_pow_scalar/docs/aclnnForeachPowScalarV2.md"),
    Row(kNames<"ForeachAddScalarList">, kWithScalars<kAndInt32>, Each<Op::kAddScalar>, "aclnn_foreach_add_scalar_list.h",
        "out = x + its scalar", "ops-nn: foreach/foreach_add_scalar_list/docs/aclnnForeachAddScalarList.md"),
    Row(kNames<"ForeachSubScalarList">, kWithScalars<kAndInt32>, Each<Op::kAddScalar, Use::kNegated>, "aclnn_foreach_sub_scalar_list.h",
        "out = x - its scalar", "ops-nn: foreach/foreach_sub_scalar_list/docs/aclnnForeachSubScalarList.md"),
    Row(kNames<"ForeachMulScalarList">, kWithScalars<kAndInt32>, Each<Op::kMulScalar>, "aclnn_foreach_mul_scalar_list.h",
        "out = x * its scalar", "ops-nn: foreach/foreach_mul_scalar_list/docs/aclnnForeachMulScalarList.md"),
    Row(kNames<"ForeachDivScalarList">, kWithScalars<kFloats>, Each<Op::kDivScalar>, "aclnn_foreach_div_scalar_list.h",
        "out = x / its scalar", "ops-nn: foreach/foreach_div_scalar_list/docs/aclnnForeachDivScalarList.md"),
    Row(kNames<"ForeachMaximumScalarList">, kWithScalars<kAndInt32>, Each<Op::kClamp, Use::kAtLeast>, "aclnn_foreach_maximum_scalar_list.h",
        "out = the larger of x and its scalar", "ops-nn: foreach/foreach_maximum_scalar_list/docs/aclnnForeachMaximumScalarList.md"),
    Row(kNames<"ForeachMinimumScalarList">, kWithScalars<kAndInt32>, Each<Op::kClamp, Use::kAtMost>, "aclnn_foreach_minimum_scalar_list.h",
        "out = the smaller of x and its scalar", "ops-nn: foreach/foreach_minimum_scalar_list/docs/aclnnForeachMinimumScalarList.md"),
    Row(kNames<"ForeachPowScalarList">, kWithScalars<kAndInt32>, Each<Op::kPowScalar, Use::kPower>, "aclnn_foreach_pow_scalar_list.h",
        "out = x^its scalar", "ops-nn: foreach/foreach_pow_scalar_list/docs/aclnnForeachPowScalarList.md"),
    Row(kNames<"ForeachAddListV2">, kScaledPair<kAndSmall>, Each<Op::kAddScaled>, "aclnn_foreach_add_list_v2.h",
        "out = x1 + alpha * x2", "ops-nn: foreach/foreach_add_list/docs/aclnnForeachAddListV2.md"),
    Row(kNames<"ForeachSubListV2">, kScaledPair<kAndSmall>, Each<Op::kAddScaled, Use::kNegated>, "aclnn_foreach_sub_list_v2.h",
        "out = x1 - alpha * x2", "ops-nn: foreach/foreach_sub_list/docs/aclnnForeachSubListV2.md"),
    Row(kNames<"ForeachMulList">, kPair<kAndSmall>, Each<Op::kMul>, "aclnn_foreach_mul_list.h",
        "out = x1 * x2", "ops-nn: foreach/foreach_mul_list/docs/aclnnForeachMulList.md"),
    Row(kNames<"ForeachDivList">, kPair<kFloats>, Each<Op::kDiv>, "aclnn_foreach_div_list.h",
        "out = x1 / x2", "ops-nn: foreach/foreach_div_list/docs/aclnnForeachDivList.md"),
    Row(kNames<"ForeachMaximumList">, kPair<kAndInt32>, Each<Op::kMaximum>, "aclnn_foreach_maximum_list.h",
        "out = the larger of x1 and x2", "ops-nn: foreach/foreach_maximum_list/docs/aclnnForeachMaximumList.md"),
    Row(kNames<"ForeachMinimumList">, kPair<kAndInt32>, Each<Op::kMinimum>, "aclnn_foreach_minimum_list.h",
        "out = the smaller of x1 and x2", "ops-nn: foreach/foreach_minimum_list/docs/aclnnForeachMinimumList.md"),
    Row(kNames<"ForeachPowList">, kPair<kAndInt32>, Each<Op::kPow>, "aclnn_foreach_pow_list.h",
        "out = x1^x2", "ops-nn: foreach/foreach_pow_list/docs/aclnnForeachPowList.md"),
    Row(kNames<"ForeachAddcmulScalarV2">, kTriple<kAndInt32>, Each<Op::kAddcmul>, "aclnn_foreach_addcmul_scalar_v2.h",
        "out = x1 + scalar * x2 * x3", "ops-nn: foreach/foreach_addcmul_scalar/docs/aclnnForeachAddcmulScalarV2.md"),
    Row(kNames<"ForeachAddcdivScalarV2">, kTriple<kFloats>, Each<Op::kAddcdiv>, "aclnn_foreach_addcdiv_scalar_v2.h",
        "out = x1 + scalar * x2 / x3", "ops-nn: foreach/foreach_addcdiv_scalar/docs/aclnnForeachAddcdivScalarV2.md"),
    Row(kNames<"ForeachAddcmulScalarList">, kTripleScalars<kAndInt32>, Each<Op::kAddcmul>, "aclnn_foreach_addcmul_scalar_list.h",
        "out = x1 + its scalar * x2 * x3", "ops-nn: foreach/foreach_addcmul_scalar_list/docs/aclnnForeachAddcmulScalarList.md"),
    Row(kNames<"ForeachAddcdivScalarList">, kTripleScalars<kFloats>, Each<Op::kAddcdiv>, "aclnn_foreach_addcdiv_scalar_list.h",
        "out = x1 + its scalar * x2 / x3", "ops-nn: foreach/foreach_addcdiv_scalar_list/docs/aclnnForeachAddcdivScalarList.md"),
    Row(kNames<"ForeachAddcmulList">, kTripleScalars<kAndInt32>, Each<Op::kAddcmul>, "aclnn_foreach_addcmul_list.h",
        "out = x1 + its scalar * x2 * x3", "ops-nn: foreach/foreach_addcmul_list/docs/aclnnForeachAddcmulList.md"),
    Row(kNames<"ForeachAddcdivList">, kTripleScalars<kFloats>, Each<Op::kAddcdiv>, "aclnn_foreach_addcdiv_list.h",
        "out = x1 + its scalar * x2 / x3", "ops-nn: foreach/foreach_addcdiv_list/docs/aclnnForeachAddcdivList.md"),
    Row(kNames<"ForeachLerpScalar">, kLerpScalar, Each<Op::kLerpScalar>, "aclnn_foreach_lerp_scalar.h",
        "out = x1 + weight * (x2 - x1)", "ops-nn: foreach/foreach_lerp_scalar/docs/aclnnForeachLerpScalar.md"),
    Row(kNames<"ForeachLerpList">, kLerpList, Each<Op::kLerp>, "aclnn_foreach_lerp_list.h",
        "out = x1 + weight * (x2 - x1)", "ops-nn: foreach/foreach_lerp_list/docs/aclnnForeachLerpList.md"),
    Row(kNames<"ForeachRoundOffNumberV2">, kRound, Each<Op::kRound, Use::kRounding>, "aclnn_foreach_round_off_number_v2.h",
        "out = x rounded to whole numbers", "ops-nn: foreach/foreach_round_off_number/docs/aclnnForeachRoundOffNumberV2.md"),
    Row(kNames<"ForeachCopy">, kCopy, PrepareCopies, "aclnn_foreach_copy.h",
        "out = x", "ops-nn: foreach/foreach_copy/docs/aclnnForeachCopy.md"),
    Row(kNames<"ForeachZeroInplace">, kZero, PrepareZeros, "aclnn_foreach_zero_inplace.h",
        "x = 0", "ops-nn: foreach/foreach_zero_inplace/docs/aclnnForeachZeroInplace.md"),
    Row(kNames<"Sum">, kFold<kSummed>, Fold<Op::kAdd>, "aclnn_sum.h",
        "out = the sum of the tensors", "ops-math: math/accumulate_nv2/docs/aclnnSum.md"),
    Row(kNames<"AddN">, kAddN, Fold<Op::kAdd>, "aclnn_add_n.h",
        "out = the sum of the tensors", "ops-math: math/add_n/docs/aclnnAddN.md"),
    Row(kNames<"MaxN">, kFold<kSigned>, Fold<Op::kMaximum>, "aclnn_maxn.h",
        "out = the largest of the tensors' elements; NaN if one is", "ops-math: math/maximum/docs/aclnnMaxN.md"),
    Row(kNames<"MinN">, kFold<kSigned>, Fold<Op::kMinimum>, "aclnn_minn.h",
        "out = the smallest of the tensors' elements; NaN if one is", "ops-math: math/minimum/docs/aclnnMinN.md"),
    Row(kNames<"ForeachAbs">, kUnary<kFloats>, Each<Op::kAbs>, "aclnn_foreach_abs.h",
        "out = |x|", "ops-nn: foreach/foreach_abs/docs/aclnnForeachAbs.md"),
    Row(kNames<"ForeachNeg">, kUnary<kAndSmall>, Each<Op::kNeg>, "aclnn_foreach_neg.h",
        "out = -x", "ops-nn: foreach/foreach_neg/docs/aclnnForeachNeg.md"),
    Row(kNames<"ForeachSign">, kUnary<kSigned>, Each<Op::kSign>, "aclnn_foreach_sign.h",
        "out = 1, 0 or -1 as x is above 0, 0 or below", "ops-nn: foreach/foreach_sign/docs/aclnnForeachSign.md"),
    Row(kNames<"ForeachSqrt">, kUnary<kFloats>, Each<Op::kSqrt>, "aclnn_foreach_sqrt.h",
        "out = the square root of x", "ops-nn: foreach/foreach_sqrt/docs/aclnnForeachSqrt.md"),
    Row(kNames<"ForeachReciprocal">, kUnary<kFloats>, Each<Op::kReciprocal>, "aclnn_foreach_reciprocal.h",
        "out = 1 / x", "ops-nn: foreach/foreach_reciprocal/docs/aclnnForeachReciprocal.md"),
    Row(kNames<"ForeachExp">, kUnary<kFloats>, Each<Op::kExp>, "aclnn_foreach_exp.h",
        "out = e^x", "ops-nn: foreach/foreach_exp/docs/aclnnForeachExp.md"),
    Row(kNames<"ForeachExpm1">, kUnary<kFloats>, Each<Op::kExpm1>, "aclnn_foreach_expm1.h",
        "out = e^x - 1", "ops-nn: foreach/foreach_expm1/docs/aclnnForeachExpm1.md"),
    Row(kNames<"ForeachLog">, kUnary<kFloats>, Each<Op::kLog>, "aclnn_foreach_log.h",
        "out = the natural logarithm of x", "ops-nn: foreach/foreach_log/docs/aclnnForeachLog.md"),
    Row(kNames<"ForeachLog1p">, kUnary<kFloats>, Each<Op::kLog1p>, "aclnn_foreach_log1p.h",
        "out = log(1 + x)", "ops-nn: foreach/foreach_log1p/docs/aclnnForeachLog1p.md"),
    Row(kNames<"ForeachLog2">, kUnary<kFloats>, Each<Op::kLog2>, "aclnn_foreach_log2.h",
        "out = the logarithm of x to base 2", "ops-nn: foreach/foreach_log2/docs/aclnnForeachLog2.md"),
    Row(kNames<"ForeachLog10">, kUnary<kFloats>, Each<Op::kLog10>, "aclnn_foreach_log10.h",
        "out = the logarithm of x to base 10", "ops-nn: foreach/foreach_log10/docs/aclnnForeachLog10.md"),
    Row(kNames<"ForeachSigmoid">, kUnary<kFloats>, Each<Op::kSigmoid>, "aclnn_foreach_sigmoid.h",
        "out = 1 / (1 + e^-x)", "ops-nn: foreach/foreach_sigmoid/docs/aclnnForeachSigmoid.md"),
    Row(kNames<"ForeachTanh">, kUnary<kFloats>, Each<Op::kTanh>, "aclnn_foreach_tanh.h",
        "out = tanh x", "ops-nn: foreach/foreach_tanh/docs/aclnnForeachTanh.md"),
    Row(kNames<"ForeachSin">, kUnary<kFloats>, Each<Op::kSin>, "aclnn_foreach_sin.h",
        "out = sin x", "ops-nn: foreach/foreach_sin/docs/aclnnForeachSin.md"),
    Row(kNames<"ForeachCos">, kUnary<kFloats>, Each<Op::kCos>, "aclnn_foreach_cos.h",
        "out = cos x", "ops-nn: foreach/foreach_cos/docs/aclnnForeachCos.md"),
    Row(kNames<"ForeachTan">, kUnary<kFloats>, Each<Op::kTan>, "aclnn_foreach_tan.h",
        "out = tan x", "ops-nn: foreach/foreach_tan/docs/aclnnForeachTan.md"),
    Row(kNames<"ForeachAsin">, kUnary<kFloats>, Each<Op::kAsin>, "aclnn_foreach_asin.h",
        "out = arc sin x", "ops-nn: foreach/foreach_asin/docs/aclnnForeachAsin.md"),
    Row(kNames<"ForeachAcos">, kUnary<kFloats>, Each<Op::kAcos>, "aclnn_foreach_acos.h",
        "out = arc cos x", "ops-nn: foreach/foreach_acos/docs/aclnnForeachAcos.md"),
    Row(kNames<"ForeachAtan">, kUnary<kFloats>, Each<Op::kAtan>, "aclnn_foreach_atan.h",
        "out = arc tan x", "ops-nn: foreach/foreach_atan/docs/aclnnForeachAtan.md"),
    Row(kNames<"ForeachSinh">, kUnary<kFloats>, Each<Op::kSinh>, "aclnn_foreach_sinh.h",
        "out = sinh x", "ops-nn: foreach/foreach_sinh/docs/aclnnForeachSinh.md"),
    Row(kNames<"ForeachCosh">, kUnary<kFloats>, Each<Op::kCosh>, "aclnn_foreach_cosh.h",
        "out = cosh x", "ops-nn: foreach/foreach_cosh/docs/aclnnForeachCosh.md"),
    Row(kNames<"ForeachErf">, kUnary<kFloats>, Each<Op::kErf>, "aclnn_foreach_erf.h",
        "out = erf x", "ops-nn: foreach/foreach_erf/docs/aclnnForeachErf.md"),
    Row(kNames<"ForeachErfc">, kUnary<kFloats>, Each<Op::kErfc>, "aclnn_foreach_erfc.h",
        "out = 1 - erf x", "ops-nn: foreach/foreach_erfc/docs/aclnnForeachErfc.md"),
};
// clang-format on

}  // namespace anyacl::foreach
