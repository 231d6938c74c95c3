// SPDX-License-Identifier: Apache-2.0
// Types of elements and rows of arguments that the declarations share.
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
inline constexpr DTypeSet kUint16Too = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                        ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                        ACL_UINT8, ACL_BOOL,    ACL_UINT16};
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
inline constexpr DTypeSet kZeros = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE, ACL_INT8,
                                    ACL_INT16,  ACL_INT32,     ACL_INT64,     ACL_UINT8,  ACL_BOOL,
                                    ACL_UINT16, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kMeasured = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                       ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                       ACL_UINT8, ACL_BOOL,    ACL_COMPLEX32, ACL_COMPLEX64};
inline constexpr DTypeSet kConditions = {ACL_BOOL, ACL_UINT8};

inline constexpr char kPromoted[] = "broadcast and promoted with the other input";
inline constexpr char kAlphaNote[] = "an integer where integers are computed";

constexpr ParamSpec ScalarRow(int id, const char* name, const char* note = nullptr) {
  return Value(id, name, Kind::kScalar, note);
}
constexpr ParamSpec Promoted(int id, const char* name, DTypeSet dtypes) {
  return Noted(In(id, name, dtypes), kPromoted);
}

template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kUnary[] = {In(kSelf, "self", kIn), Out(kOut, "out", kTypes)};
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kUnaryInput[] = {In(kSelf, "input", kIn), Out(kOut, "out", kTypes)};
// Of one type.
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kUnaryLike[] = {In(kSelf, "self", kTypes),
                                           Like(kSelf, Out(kOut, "out", kTypes))};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplace[] = {InOut(kSelf, "selfRef", kTypes)};
// Of which each element becomes the same.
constexpr ParamSpec Filled(ParamSpec row) {
  row.strides = Strides::kRepeating;
  return row;
}
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceFill[] = {Filled(InOut(kSelf, "selfRef", kTypes))};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceInput[] = {InOut(kSelf, "inputRef", kTypes)};
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kBinary[] = {Promoted(kSelf, "self", kIn),
                                        Promoted(kOther, "other", kIn), Out(kOut, "out", kTypes)};
// With CANN's handles, const where the operator writes.
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kUnaryConst[] = {In(kSelf, "self", kIn),
                                            ConstHandle(Out(kOut, "out", kTypes))};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceConst[] = {ConstHandle(InOut(kSelf, "selfRef", kTypes))};
// Of a scalar and a tensor, in this order.
template <const DTypeSet& kIn, const DTypeSet& kTypes>
inline constexpr ParamSpec kScalarFirst[] = {ScalarRow(kScalar, "self"), In(kSelf, "other", kIn),
                                             Out(kOut, "out", kTypes)};
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
inline constexpr ParamSpec kScalarSumFirst[] = {
    ScalarRow(kScalar, "self"), In(kSelf, "other", kNumbers),
    ScalarRow(kAlpha, "alpha", kAlphaNote), Out(kOut, "out", kNumbers)};
inline constexpr ParamSpec kInplaceScalarSum[] = {InOut(kSelf, "selfRef", kNumbers),
                                                  ScalarRow(kScalar, "other"),
                                                  ScalarRow(kAlpha, "alpha", kAlphaNote)};
inline constexpr DTypeSet kSigned = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,
                                     ACL_DOUBLE, ACL_INT32,     ACL_INT64,
                                     ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kSign[] = {In(kSelf, "self", kSigned),
                                      Like(kSelf, Out(kOut, "result", kSigned))};
inline constexpr DTypeSet kShifted = {ACL_INT8,  ACL_INT16,  ACL_INT32,  ACL_INT64,
                                      ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64};
inline constexpr DTypeSet kSingles = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kLeakyRelu[] = {
    In(kSelf, "self", kFloats), ScalarRow(kScalar, "negativeSlope"), Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kInplaceLeakyRelu[] = {InOut(kSelf, "selfRef", kFloats),
                                                  ScalarRow(kScalar, "negativeSlope")};
inline constexpr DTypeSet kPowered = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                      ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                      ACL_UINT8, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kPowers = {
    ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE, ACL_INT8,   ACL_INT16,     ACL_INT32,
    ACL_INT64, ACL_UINT8,   ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr char kExponentNote[] = "0 or more where integers are computed, not both BOOL";
inline constexpr ParamSpec kScalarPow[] = {In(kSelf, "self", kNumbers),
                                           ScalarRow(kScalar, "exponent", kExponentNote),
                                           ConstHandle(Out(kOut, "out", kPowers))};
inline constexpr ParamSpec kInplaceScalarPow[] = {ConstHandle(InOut(kSelf, "self", kPowered)),
                                                  ScalarRow(kScalar, "exponent", kExponentNote)};
inline constexpr ParamSpec kPow[] = {Promoted(kSelf, "self", kNumbers),
                                     Promoted(kOther, "exponent", kNumbers),
                                     Out(kOut, "out", kPowers)};
inline constexpr ParamSpec kInplacePow[] = {InOut(kSelf, "self", kPowered),
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
inline constexpr ParamSpec kFillScalar[] = {Filled(InOut(kSelf, "selfRef", kEvery)),
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

}  // namespace anyacl::elementwise
