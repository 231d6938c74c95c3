// SPDX-License-Identifier: Apache-2.0
// Rounding, division with remainder, bits, bounds and questions: the declarations.
#pragma once

#include "ops/elementwise/rows.h"

namespace anyacl::elementwise {

inline constexpr DTypeSet kRounded = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE,
                                      ACL_INT8,  ACL_INT16,   ACL_INT32,  ACL_INT64,
                                      ACL_UINT8, ACL_UINT16,  ACL_UINT32, ACL_UINT64};
inline constexpr DTypeSet kDecimals = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,
                                       ACL_DOUBLE, ACL_INT32,   ACL_INT64};
// Of what is computed in one of kDecimals.
inline constexpr DTypeSet kRemainders = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                         ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                         ACL_UINT8, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kCounted = {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kFractions = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8,
                                        ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kBits = {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kBitsOfUint16Too = {ACL_INT8,  ACL_INT16, ACL_INT32, ACL_INT64,
                                              ACL_UINT8, ACL_BOOL,  ACL_UINT16};
inline constexpr DTypeSet kAllBits = {ACL_INT8, ACL_INT16,  ACL_INT32,  ACL_INT64, ACL_UINT8,
                                      ACL_BOOL, ACL_UINT16, ACL_UINT32, ACL_UINT64};
inline constexpr ParamSpec kInplaceBits[] = {ConstHandle(InOut(kSelf, "self", kBitsOfUint16Too)),
                                             Promoted(kOther, "other", kBitsOfUint16Too)};
inline constexpr ParamSpec kShiftLeft[] = {Promoted(kSelf, "self", kShifted),
                                           Promoted(kOther, "shiftBits", kShifted),
                                           Out(kOut, "out", kShifted)};
inline constexpr ParamSpec kShiftLeftByScalar[] = {In(kSelf, "self", kShifted),
                                                   ScalarRow(kScalar, "shiftBits", "an integer"),
                                                   Out(kOut, "out", kShifted)};
inline constexpr ParamSpec kShiftRight[] = {Promoted(kSelf, "input", kShifted),
                                            Promoted(kOther, "shiftBits", kShifted),
                                            Out(kOut, "out", kShifted)};
inline constexpr DTypeSet kDivided = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT64};
inline constexpr DTypeSet kClamped = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kTruths = {ACL_BOOL};
inline constexpr DTypeSet kTested = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                     ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL,
                                     ACL_UINT16, ACL_UINT32,  ACL_UINT64};
inline constexpr DTypeSet kFilled = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8,
                                     ACL_INT32, ACL_INT64,   ACL_BOOL};

inline constexpr ParamSpec kFrac[] = {In(kSelf, "input", kFractions),
                                      Like(kSelf, Out(kOut, "out", kFractions))};
inline constexpr ParamSpec kDecimalsRow =
    Value(kMode, "decimals", Kind::kInt64, "below 0: to multiples of a power of 10");
inline constexpr ParamSpec kRoundDecimals[] = {In(kSelf, "self", kDecimals), kDecimalsRow,
                                               Like(kSelf, Out(kOut, "out", kDecimals))};
inline constexpr ParamSpec kInplaceRoundDecimals[] = {InOut(kSelf, "selfRef", kDecimals),
                                                      kDecimalsRow};
inline constexpr ParamSpec kModeRow = {.name = "mode",
                                       .id = kMode,
                                       .kind = Kind::kInt32,
                                       .min = 0,
                                       .max = 2,
                                       .note = "0: not rounded, 1: towards 0, 2: down"};
inline constexpr ParamSpec kDivMod[] = {Promoted(kSelf, "self", kNumbers),
                                        Promoted(kOther, "other", kNumbers), kModeRow,
                                        Out(kOut, "out", kNumbers)};
inline constexpr ParamSpec kInplaceDivMod[] = {InOut(kSelf, "selfRef", kNumbers),
                                               Promoted(kOther, "other", kNumbers), kModeRow};
inline constexpr ParamSpec kDivModScalar[] = {
    In(kSelf, "self", kNumbers), ScalarRow(kScalar, "other"), kModeRow, Out(kOut, "out", kNumbers)};
inline constexpr ParamSpec kInplaceDivModScalar[] = {InOut(kSelf, "selfRef", kNumbers),
                                                     ScalarRow(kScalar, "other"), kModeRow};
template <const DTypeSet& kTypes, bool kConst>
inline constexpr ParamSpec kAddc[] = {
    Promoted(kSelf, "self", kTypes), Promoted(kOther, "tensor1", kTypes),
    Promoted(kThird, "tensor2", kTypes), ScalarRow(kP, "value"),
    kConst ? ConstHandle(Out(kOut, "out", kTypes)) : Out(kOut, "out", kTypes)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceAddc[] = {
    ConstHandle(InOut(kSelf, "selfRef", kTypes)), Promoted(kOther, "tensor1", kTypes),
    Promoted(kThird, "tensor2", kTypes), ScalarRow(kP, "value")};
constexpr ParamSpec LerpInput(int id, const char* name) {
  return Like(kSelf, In(id, name, kSingles));
}
inline constexpr ParamSpec kLerp[] = {In(kSelf, "self", kSingles), LerpInput(kOther, "end"),
                                      LerpInput(kThird, "weight"),
                                      Like(kSelf, Out(kOut, "out", kSingles))};
inline constexpr ParamSpec kInplaceLerp[] = {InOut(kSelf, "selfRef", kSingles),
                                             LerpInput(kOther, "end"), LerpInput(kThird, "weight")};
inline constexpr ParamSpec kLerps[] = {In(kSelf, "self", kSingles), LerpInput(kOther, "end"),
                                       ScalarRow(kP, "weight"), Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kInplaceLerps[] = {InOut(kSelf, "selfRef", kSingles),
                                              LerpInput(kOther, "end"), ScalarRow(kP, "weight")};
inline constexpr ParamSpec kClampMin[] = {
    In(kSelf, "self", kClamped), ScalarRow(kMin, "clipValueMin"), Out(kOut, "out", kClamped)};
inline constexpr ParamSpec kClampMax[] = {
    In(kSelf, "self", kClamped), ScalarRow(kMax, "clipValueMax"), Out(kOut, "out", kClamped)};
inline constexpr ParamSpec kInplaceClampMax[] = {ConstHandle(InOut(kSelf, "selfRef", kClamped)),
                                                 ScalarRow(kMax, "clipValueMax")};
inline constexpr ParamSpec kHardtanh[] = {
    In(kSelf, "self", kClamped), ScalarRow(kMin, "clipValueMin", "at most clipValueMax"),
    ScalarRow(kMax, "clipValueMax"), Like(kSelf, Out(kOut, "out", kClamped))};
inline constexpr ParamSpec kInplaceHardtanh[] = {
    InOut(kSelf, "selfRef", kClamped), ScalarRow(kMin, "clipValueMin", "at most clipValueMax"),
    ScalarRow(kMax, "clipValueMax")};
inline constexpr char kMinName[] = "clipValueMin", kMaxName[] = "max";
template <const char* kName>
inline constexpr ParamSpec kClampBy[] = {Promoted(kSelf, "self", kReals),
                                         Promoted(kOther, kName, kReals), Out(kOut, "out", kReals)};
template <const char* kName>
inline constexpr ParamSpec kInplaceClampBy[] = {InOut(kSelf, "selfRef", kReals),
                                                Promoted(kOther, kName, kReals)};
inline constexpr ParamSpec kClampTensor[] = {
    Promoted(kSelf, "self", kReals), Optional(Promoted(kOther, "clipValueMin", kReals)),
    Optional(Promoted(kThird, "clipValueMax", kReals)), Out(kOut, "out", kReals)};
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kUnaryX[] = {In(kSelf, "x", kIn), ConstHandle(Out(kOut, "out", kTypes))};
inline constexpr ParamSpec kIsClose[] = {
    Promoted(kSelf, "self", kReals),    Promoted(kOther, "other", kReals),
    Value(kP, "rtol", Kind::kDouble),   Value(kQ, "atol", Kind::kDouble),
    Value(kR, "equalNan", Kind::kBool), Out(kOut, "out", kTruths)};
inline constexpr ParamSpec kEqual[] = {Promoted(kSelf, "self", kTested),
                                       Promoted(kOther, "other", kTested),
                                       Out(kOut, "out", kTruths, "1")};
inline constexpr ParamSpec kMaskedFillScalar[] = {
    InOut(kSelf, "selfRef", kFilled), In(kCondition, "mask", kTruths), ScalarRow(kScalar, "value")};
inline constexpr DTypeSet kReplaced = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8, ACL_INT16,
                                       ACL_INT32, ACL_INT64,   ACL_UINT8, ACL_BOOL};
inline constexpr ParamSpec kNanRow = Value(kP, "nan", Kind::kFloat),
                           kPosinfRow = Value(kQ, "posinf", Kind::kFloat),
                           kNeginfRow = Value(kR, "neginf", Kind::kFloat);
inline constexpr ParamSpec kNanToNum[] = {In(kSelf, "self", kReplaced), kNanRow, kPosinfRow,
                                          kNeginfRow, Like(kSelf, Out(kOut, "out", kReplaced))};
inline constexpr ParamSpec kInplaceNanToNum[] = {InOut(kSelf, "selfRef", kReplaced), kNanRow,
                                                 kPosinfRow, kNeginfRow};

// clang-format off
inline constexpr OpSpec kRoundingOperators[] = {
    Row(kNames<"Floor">, kUnaryLike<kRounded>, Map<Op::kFloor>, "aclnn_floor.h",
        "out = the largest whole number up to self", "ops-math: math/floor/docs/aclnnFloor&aclnnInplaceFloor.md"),
    Row(kNames<"InplaceFloor">, kInplace<kRounded>, Map<Op::kFloor>, "aclnn_floor.h",
        "selfRef = the largest whole number up to selfRef", "ops-math: math/floor/docs/aclnnFloor&aclnnInplaceFloor.md"),
    Row(kNames<"Ceil">, kUnaryLike<kFloats>, Map<Op::kCeil>, "aclnn_ceil.h",
        "out = the smallest whole number from self on", "ops-math: math/ceil/docs/aclnnCeil&aclnnInplaceCeil.md"),
    Row(kNames<"InplaceCeil">, kInplace<kFloats>, Map<Op::kCeil>, "aclnn_ceil.h",
        "selfRef = the smallest whole number from selfRef on", "ops-math: math/ceil/docs/aclnnCeil&aclnnInplaceCeil.md"),
    Row(kNames<"Round">, kUnaryLike<kDecimals>, Map<Op::kRound>, "aclnn_round.h",
        "out = the whole number next to self, halves to even", "ops-math: math/round/docs/aclnnRound&aclnnInplaceRound.md"),
    Row(kNames<"InplaceRound">, kInplaceConst<kDecimals>, Map<Op::kRound>, "aclnn_round.h",
        "selfRef = the whole number next to selfRef, halves to even", "ops-math: math/round/docs/aclnnRound&aclnnInplaceRound.md"),
    Row(kNames<"Trunc">, kUnaryLike<kSingles>, Map<Op::kTrunc>, "aclnn_trunc.h",
        "out = self without its fraction", "ops-math: math/trunc/docs/aclnnTrunc&aclnnInplaceTrunc.md"),
    Row(kNames<"InplaceTrunc">, kInplace<kSingles>, Map<Op::kTrunc>, "aclnn_trunc.h",
        "selfRef = selfRef without its fraction", "ops-math: math/trunc/docs/aclnnTrunc&aclnnInplaceTrunc.md"),
    Row(kNames<"Frac">, kFrac, Map<Op::kFrac>, "aclnn_frac.h",
        "out = the fraction of input, with its sign", "ops-math: math/sub/docs/aclnnFrac&aclnnInplaceFrac.md"),
    Row(kNames<"InplaceFrac">, kInplaceInput<kFractions>, Map<Op::kFrac>, "aclnn_frac.h",
        "inputRef = the fraction of inputRef, with its sign", "ops-math: math/sub/docs/aclnnFrac&aclnnInplaceFrac.md"),
    Row(kNames<"RoundDecimals">, kRoundDecimals, PrepareRoundDecimals, "aclnn_round.h",
        "out = self rounded to decimals digits behind the point, halves to even", "ops-math: math/round/docs/aclnnRoundDecimals&aclnnInplaceRoundDecimals.md"),
    Row(kNames<"InplaceRoundDecimals">, kInplaceRoundDecimals, PrepareRoundDecimals, "aclnn_round.h",
        "selfRef = selfRef rounded to decimals digits behind the point, halves to even", "ops-math: math/round/docs/aclnnRoundDecimals&aclnnInplaceRoundDecimals.md"),
    Row(kNames<"FloorDivide">, kBinary<kReals, kNumbers>, Map<Op::kFloorDivide>, "aclnn_floor_divide.h",
        "out = floor(self / other)", "ops-math: math/floor_div/docs/aclnnFloorDivide&aclnnInplaceFloorDivide.md"),
    Row(kNames<"InplaceFloorDivide">, kInplaceBinary<kReals, kReals>, Map<Op::kFloorDivide>, "aclnn_floor_divide.h",
        "selfRef = floor(selfRef / other)", "ops-math: math/floor_div/docs/aclnnFloorDivide&aclnnInplaceFloorDivide.md"),
    Row(kNames<"FloorDivides">, kScalarBinary<kReals, kNumbers>, WithScalar<Op::kFloorDivideScalar>, "aclnn_floor_divide.h",
        "out = floor(self / other)", "ops-math: math/floor_div/docs/aclnnFloorDivides&aclnnInplaceFloorDivides.md"),
    Row(kNames<"InplaceFloorDivides">, kInplaceScalarBinary<kReals>, WithScalar<Op::kFloorDivideScalar>, "aclnn_floor_divide.h",
        "selfRef = floor(selfRef / other)", "ops-math: math/floor_div/docs/aclnnFloorDivides&aclnnInplaceFloorDivides.md"),
    Row(kNames<"DivMod">, kDivMod, PrepareDivMod, "aclnn_div.h",
        "out = self / other, rounded as mode says: not, to 0 or down", "ops-math: math/div/docs/aclnnDivMod&aclnnInplaceDivMod.md"),
    Row(kNames<"InplaceDivMod">, kInplaceDivMod, PrepareDivMod, "aclnn_div.h",
        "selfRef = selfRef / other, rounded as mode says: not, to 0 or down", "ops-math: math/div/docs/aclnnDivMod&aclnnInplaceDivMod.md"),
    Row(kNames<"DivMods">, kDivModScalar, PrepareDivMod, "aclnn_div.h",
        "out = self / other, rounded as mode says: not, to 0 or down", "ops-math: math/div/docs/aclnnDivMods&aclnnInplaceDivMods.md"),
    Row(kNames<"InplaceDivMods">, kInplaceDivModScalar, PrepareDivMod, "aclnn_div.h",
        "selfRef = selfRef / other, rounded as mode says: not, to 0 or down", "ops-math: math/div/docs/aclnnDivMods&aclnnInplaceDivMods.md"),
    Row(kNames<"RemainderTensorTensor">, kBinary<kReals, kRemainders>, Map<Op::kRemainder>, "aclnn_remainder.h",
        "out = self - floor(self / other) other", "ops-math: math/floor_mod/docs/aclnnRemainderTensorTensor&aclnnInplaceRemainderTensorTensor.md"),
    Row(kNames<"InplaceRemainderTensorTensor">, kInplaceBinary<kDecimals, kReals>, Map<Op::kRemainder>, "aclnn_remainder.h",
        "selfRef = selfRef - floor(selfRef / other) other", "ops-math: math/floor_mod/docs/aclnnRemainderTensorTensor&aclnnInplaceRemainderTensorTensor.md"),
    Row(kNames<"RemainderTensorScalar">, kScalarBinary<kReals, kRemainders>, WithScalar<Op::kRemainderScalar>, "aclnn_remainder.h",
        "out = self - floor(self / other) other", "ops-math: math/floor_mod/docs/aclnnRemainderTensorScalar&aclnnInplaceRemainderTensorScalar.md"),
    Row(kNames<"InplaceRemainderTensorScalar">, kInplaceScalarBinary<kDecimals>, WithScalar<Op::kRemainderScalar>, "aclnn_remainder.h",
        "selfRef = selfRef - floor(selfRef / other) other", "ops-math: math/floor_mod/docs/aclnnRemainderTensorScalar&aclnnInplaceRemainderTensorScalar.md"),
    Row(kNames<"RemainderScalarTensor">, kScalarFirst<kReals, kDecimals>, WithScalar<Op::kRemainderOfScalar>, "aclnn_remainder.h",
        "out = self - floor(self / other) other", "ops-math: math/floor_mod/docs/aclnnRemainderScalarTensor.md"),
    Row(kNames<"FmodTensor">, kBinary<kReals, kReals>, Map<Op::kFmod>, "aclnn_fmod_tensor.h",
        "out = self - trunc(self / other) other", "ops-math: math/mod/docs/aclnnFmodTensor&aclnnInplaceFmodTensor.md"),
    Row(kNames<"InplaceFmodTensor">, kInplaceBinary<kReals, kReals>, Map<Op::kFmod>, "aclnn_fmod_tensor.h",
        "selfRef = selfRef - trunc(selfRef / other) other", "ops-math: math/mod/docs/aclnnFmodTensor&aclnnInplaceFmodTensor.md"),
    Row(kNames<"FmodScalar">, kScalarBinary<kReals, kReals>, WithScalar<Op::kFmodScalar>, "aclnn_fmod_scalar.h",
        "out = self - trunc(self / other) other", "ops-math: math/mod/docs/aclnnFmodScalar&aclnnInplaceFmodScalar.md"),
    Row(kNames<"InplaceFmodScalar">, kInplaceScalarBinary<kReals>, WithScalar<Op::kFmodScalar>, "aclnn_fmod_scalar.h",
        "selfRef = selfRef - trunc(selfRef / other) other", "ops-math: math/mod/docs/aclnnFmodScalar&aclnnInplaceFmodScalar.md"),
    Row(kNames<"Gcd">, kBinary<kCounted, kCounted>, Map<Op::kGcd>, "aclnn_gcd.h",
        "out = the largest number that divides self and other", "ops-math: math/gcd/docs/aclnnGcd.md"),
    Row(kNames<"BitwiseAndTensor">, kBinary<kBitsOfUint16Too, kEvery>, Map<Op::kBitAnd>, "aclnn_bitwise_and_tensor.h",
        "out = self and other, bit by bit", "ops-math: math/bitwise_and/docs/aclnnBitwiseAndTensor.md"),
    Row(kNames<"InplaceBitwiseAndTensor">, kInplaceBinary<kBitsOfUint16Too, kBitsOfUint16Too>, Map<Op::kBitAnd>, "aclnn_bitwise_and_tensor.h",
        "selfRef = selfRef and other, bit by bit", "ops-math: math/bitwise_and/docs/aclnnInplaceBitwiseAndTensor.md"),
    Row(kNames<"BitwiseAndTensorOut">, kBinary<kBitsOfUint16Too, kAllBits>, Map<Op::kBitAnd>, "aclnn_bitwiseand.h",
        "out = self and other, bit by bit", "ops-math: math/bitwise_and/docs/aclnnBitwiseAndTensorOut&aclnnInplaceBitwiseAndTensorOut.md"),
    Row(kNames<"InplaceBitwiseAndTensorOut">, kInplaceBits, Map<Op::kBitAnd>, "aclnn_bitwiseand.h",
        "self = self and other, bit by bit, in place", "ops-math: math/bitwise_and/docs/aclnnBitwiseAndTensorOut&aclnnInplaceBitwiseAndTensorOut.md"),
    Row(kNames<"BitwiseAndScalar">, kScalarBinary<kBitsOfUint16Too, kEvery>, WithScalar<Op::kBitAndScalar>, "aclnn_bitwise_and_scalar.h",
        "out = self and other, bit by bit", "ops-math: math/bitwise_and/docs/aclnnBitwiseAndScalar.md"),
    Row(kNames<"InplaceBitwiseAndScalar">, kInplaceScalarBinary<kBitsOfUint16Too>, WithScalar<Op::kBitAndScalar>, "aclnn_bitwise_and_scalar.h",
        "selfRef = selfRef and other, bit by bit", "ops-math: math/bitwise_and/docs/aclnnInplaceBitwiseAndScalar.md"),
    Row(kNames<"BitwiseOrTensor">, kBinary<kAllBits, kEvery>, Map<Op::kBitOr>, "aclnn_bitwise_or_tensor.h",
        "out = self or other, bit by bit", "ops-math: math/bitwise_or/docs/aclnnBitwiseOrTensor&aclnnInplaceBitwiseOrTensor.md"),
    Row(kNames<"InplaceBitwiseOrTensor">, kInplaceBinary<kAllBits, kAllBits>, Map<Op::kBitOr>, "aclnn_bitwise_or_tensor.h",
        "selfRef = selfRef or other, bit by bit", "ops-math: math/bitwise_or/docs/aclnnBitwiseOrTensor&aclnnInplaceBitwiseOrTensor.md"),
    Row(kNames<"BitwiseOrScalar">, kScalarBinary<kBitsOfUint16Too, kEvery>, WithScalar<Op::kBitOrScalar>, "aclnn_bitwise_or_scalar.h",
        "out = self or other, bit by bit", "ops-math: math/bitwise_or/docs/aclnnBitwiseOrScalar&aclnnInplaceBitwiseOrScalar.md"),
    Row(kNames<"InplaceBitwiseOrScalar">, kInplaceScalarBinary<kBitsOfUint16Too>, WithScalar<Op::kBitOrScalar>, "aclnn_bitwise_or_scalar.h",
        "selfRef = selfRef or other, bit by bit", "ops-math: math/bitwise_or/docs/aclnnBitwiseOrScalar&aclnnInplaceBitwiseOrScalar.md"),
    Row(kNames<"BitwiseXorTensor">, kBinary<kBits, kEvery>, Map<Op::kBitXor>, "aclnn_bitwise_xor_tensor.h",
        "out = self xor other, bit by bit", "ops-math: math/bitwise_xor/docs/aclnnBitwiseXorTensor&aclnnInplaceBitwiseXorTensor.md"),
    Row(kNames<"InplaceBitwiseXorTensor">, kInplaceBinary<kBits, kBits>, Map<Op::kBitXor>, "aclnn_bitwise_xor_tensor.h",
        "selfRef = selfRef xor other, bit by bit", "ops-math: math/bitwise_xor/docs/aclnnBitwiseXorTensor&aclnnInplaceBitwiseXorTensor.md"),
    Row(kNames<"BitwiseXorScalar">, kScalarBinary<kBits, kEvery>, WithScalar<Op::kBitXorScalar>, "aclnn_bitwise_xor_scalar.h",
        "out = self xor other, bit by bit", "ops-math: math/bitwise_xor/docs/aclnnBitwiseXorScalar&aclnnInplaceBitwiseXorScalar.md"),
    Row(kNames<"InplaceBitwiseXorScalar">, kInplaceScalarBinary<kBits>, WithScalar<Op::kBitXorScalar>, "aclnn_bitwise_xor_scalar.h",
        "selfRef = selfRef xor other, bit by bit", "ops-math: math/bitwise_xor/docs/aclnnBitwiseXorScalar&aclnnInplaceBitwiseXorScalar.md"),
    Row(kNames<"LeftShift">, kShiftLeft, Shift<ShiftKind::kLeft>, "aclnn_left_shift.h",
        "out = self 2^shiftBits modulo 2^bits; 0 where shiftBits is negative, or no less than the type has bits", "ops-math: math/left_shift/docs/aclnnLeftShift.md"),
    Row(kNames<"LeftShifts">, kShiftLeftByScalar, PrepareShiftByScalar, "aclnn_left_shift.h",
        "out = self 2^shiftBits modulo 2^bits; 0 where shiftBits is negative, or no less than the type has bits", "ops-math: math/left_shift/docs/aclnnLeftShifts.md"),
    Row(kNames<"RightShift">, kShiftRight, Shift<ShiftKind::kRightFromZero>, "aclnn_right_shift.h",
        "out = input / 2^shiftBits, down to an integer; negative shiftBits are 0", "ops-math: math/right_shift/docs/aclnnRightShift.md"),
    Row(kNames<"BitwiseNot">, kUnaryLike<kBits>, Map<Op::kBitNot>, "aclnn_bitwise_not.h",
        "out = not self, bit by bit; of BOOL, whether it is false", "ops-math: math/bitwise_not/docs/aclnnBitwiseNot.md"),
    Row(kNames<"Addcmul">, kAddc<kReals, false>, WithParameters<Op::kAddcmul>, "aclnn_addcmul.h",
        "out = self + value tensor1 tensor2", "ops-math: math/addcmul/docs/aclnnAddcmul&aclnnInplaceAddcmul.md"),
    Row(kNames<"InplaceAddcmul">, kInplaceAddc<kReals>, WithParameters<Op::kAddcmul>, "aclnn_addcmul.h",
        "selfRef = selfRef + value tensor1 tensor2", "ops-math: math/addcmul/docs/aclnnAddcmul&aclnnInplaceAddcmul.md"),
    Row(kNames<"Addcdiv">, kAddc<kDivided, true>, WithParameters<Op::kAddcdiv>, "aclnn_addcdiv.h",
        "out = self + value tensor1 / tensor2", "ops-math: math/addcdiv/docs/aclnnAddcdiv&aclnnInplaceAddcdiv.md"),
    Row(kNames<"InplaceAddcdiv">, kInplaceAddc<kDivided>, WithParameters<Op::kAddcdiv>, "aclnn_addcdiv.h",
        "selfRef = selfRef + value tensor1 / tensor2", "ops-math: math/addcdiv/docs/aclnnAddcdiv&aclnnInplaceAddcdiv.md"),
    Row(kNames<"Lerp">, kLerp, WithParameters<Op::kLerp>, "aclnn_lerp_tensor.h",
        "out = self + weight (end - self)", "ops-math: math/lerp/docs/aclnnLerp&aclnnInplaceLerp.md"),
    Row(kNames<"InplaceLerp">, kInplaceLerp, WithParameters<Op::kLerp>, "aclnn_lerp_tensor.h",
        "selfRef = selfRef + weight (end - selfRef)", "ops-math: math/lerp/docs/aclnnLerp&aclnnInplaceLerp.md"),
    Row(kNames<"Lerps">, kLerps, WithParameters<Op::kLerpScalar>, "aclnn_lerp_scalar.h",
        "out = self + weight (end - self)", "ops-math: math/lerp/docs/aclnnLerps&aclnnInplaceLerps.md"),
    Row(kNames<"InplaceLerps">, kInplaceLerps, WithParameters<Op::kLerpScalar>, "aclnn_lerp_scalar.h",
        "selfRef = selfRef + weight (end - selfRef)", "ops-math: math/lerp/docs/aclnnLerps&aclnnInplaceLerps.md"),
    Row(kNames<"ClampMin">, kClampMin, PrepareClamp, "aclnn_clamp.h",
        "out = max(self, clipValueMin)", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMin.md"),
    Row(kNames<"ClampMax">, kClampMax, PrepareClamp, "aclnn_clamp.h",
        "out = min(self, clipValueMax)", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMax&aclnnInplaceClampMax.md"),
    Row(kNames<"InplaceClampMax">, kInplaceClampMax, PrepareClamp, "aclnn_clamp.h",
        "selfRef = min(selfRef, clipValueMax)", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMax&aclnnInplaceClampMax.md"),
    Row(kNames<"Hardtanh">, kHardtanh, PrepareHardtanh, "aclnn_hardtanh.h",
        "out = min(max(self, clipValueMin), clipValueMax)", "ops-math: conversion/clip_by_value_v2/docs/aclnnHardtanh&aclnnInplaceHardtanh.md"),
    Row(kNames<"InplaceHardtanh">, kInplaceHardtanh, PrepareHardtanh, "aclnn_hardtanh.h",
        "selfRef = min(max(selfRef, clipValueMin), clipValueMax)", "ops-math: conversion/clip_by_value_v2/docs/aclnnHardtanh&aclnnInplaceHardtanh.md"),
    Row(kNames<"ClampMinTensor">, kClampBy<kMinName>, Map<Op::kMaximum>, "aclnn_clamp.h",
        "out = max(self, clipValueMin); NaN if either is", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMinTensor&aclnnInplaceClampMinTensor.md"),
    Row(kNames<"InplaceClampMinTensor">, kInplaceClampBy<kMinName>, Map<Op::kMaximum>, "aclnn_clamp.h",
        "selfRef = max(selfRef, clipValueMin); NaN if either is", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMinTensor&aclnnInplaceClampMinTensor.md"),
    Row(kNames<"ClampMaxTensor">, kClampBy<kMaxName>, Map<Op::kMinimum>, "aclnn_clamp.h",
        "out = min(self, max); NaN if either is", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMaxTensor&aclnnInplaceClampMaxTensor.md"),
    Row(kNames<"InplaceClampMaxTensor">, kInplaceClampBy<kMaxName>, Map<Op::kMinimum>, "aclnn_clamp.h",
        "selfRef = min(selfRef, max); NaN if either is", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampMaxTensor&aclnnInplaceClampMaxTensor.md"),
    Row(kNames<"ClampTensor">, kClampTensor, PrepareClampTensor, "aclnn_clamp.h",
        "out = min(max(self, clipValueMin), clipValueMax), one of which may be null; NaN if any is", "ops-math: conversion/clip_by_value_v2/docs/aclnnClampTensor.md"),
    Row(kNames<"Rsub">, kSum, Sum<-1, true>, "aclnn_rsub.h",
        "out = other - alpha * self", "ops-math: math/sub/docs/aclnnRsub.md"),
    Row(kNames<"Rsubs">, kScalarSum, Reverse<-1>, "aclnn_rsub.h",
        "out = other - alpha * self", "ops-math: math/sub/docs/aclnnRsubs.md"),
    Row(kNames<"IsNegInf">, kUnary<kReals, kTruths>, Map<Op::kIsNegInf>, "aclnn_isneginf.h",
        "out = whether self == -infinity", "ops-math: math/is_neg_inf/docs/aclnnIsNegInf.md"),
    Row(kNames<"IsPosInf">, kUnary<kReals, kTruths>, Map<Op::kIsPosInf>, "aclnn_isposinf.h",
        "out = whether self == infinity", "ops-math: math/is_pos_inf/docs/aclnnIsPosInf.md"),
    Row(kNames<"IsInf">, kUnaryX<kReals, kTruths>, Map<Op::kIsInf>, "aclnn_is_inf.h",
        "out = whether self is an infinity", "ops-math: math/is_inf/docs/aclnnIsInf.md"),
    Row(kNames<"IsFinite">, kUnary<kReals, kTruths>, Map<Op::kIsFinite>, "aclnn_isfinite.h",
        "out = whether self is neither infinite nor NaN", "ops-math: math/is_finite/docs/aclnnIsFinite.md"),
    Row(kNames<"Signbit">, kUnary<kIntegersToo, kIntegersToo>, Map<Op::kSignbit>, "aclnn_signbit.h",
        "out = whether self is below 0, or -0", "ops-math: math/signbit/docs/aclnnSignbit.md"),
    Row(kNames<"IsClose">, kIsClose, WithParameters<Op::kIsClose>, "aclnn_isclose.h",
        "out = self == other or |self - other| <= atol + rtol |other|, or equalNan and both are NaN", "ops-math: math/is_close/docs/aclnnIsClose.md"),
    Row(kNames<"Equal">, kEqual, PrepareEqual, "aclnn_equal.h",
        "out = whether self and other have one shape and equal elements", "ops-math: math/tensor_equal/docs/aclnnEqual.md"),
    Row(kNames<"InplaceMaskedFillScalar">, kMaskedFillScalar, PrepareMaskedFill, "aclnn_masked_fill_scalar.h",
        "selfRef = mask ? value : selfRef", "ops-math: conversion/masked_fill/docs/aclnnInplaceMaskedFillScalar.md"),
    Row(kNames<"NanToNum">, kNanToNum, WithParameters<Op::kNanToNum>, "aclnn_nan_to_num.h",
        "out = self, or nan, posinf or neginf where self is NaN or infinite", "ops-math: math/nan_to_num/docs/aclnnNanToNum&aclnnInplaceNanToNum.md"),
    Row(kNames<"InplaceNanToNum">, kInplaceNanToNum, WithParameters<Op::kNanToNum>, "aclnn_nan_to_num.h",
        "selfRef = selfRef, or nan, posinf or neginf where it is NaN or infinite", "ops-math: math/nan_to_num/docs/aclnnNanToNum&aclnnInplaceNanToNum.md"),
};
// clang-format on

}  // namespace anyacl::elementwise
