// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that make values (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::generators {

enum : int {
  kOut,
  kStart,
  kEnd,
  kStep,
  kRows,
  kColumns,
  kFrom,
  kTo,
  kMean,
  kDeviation,
  kSeed,
  kOffset,
  kSeedTensor,
  kOffsetTensor
};

Status PrepareArange(Operands& operands, PreparedCall* call);
Status PrepareEye(Operands& operands, PreparedCall* call);
Status PrepareUniform(Operands& operands, PreparedCall* call);
Status PrepareNormal(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kReals = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kUniformTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                           ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};

// A tensor that is written over; CANN's prototype writes const.
constexpr ParamSpec Filled(DTypeSet dtypes) {
  ParamSpec row = InOut(kOut, "selfRef", dtypes);
  row.const_handle = true;
  return row;
}
constexpr ParamSpec SeedTensor(DTypeSet dtypes) {
  return In(kSeedTensor, "seedTensor", dtypes, "1");
}
constexpr ParamSpec OffsetTensor(DTypeSet dtypes) {
  return In(kOffsetTensor, "offsetTensor", dtypes, "1");
}
inline constexpr ParamSpec kSeedRow = Value(kSeed, "seed", Kind::kInt64);
inline constexpr ParamSpec kOffsetRow =
    Value(kOffset, "offset", Kind::kInt64, "chooses another sequence of the seed");
inline constexpr ParamSpec kAddedOffsetRow =
    Value(kOffset, "offset", Kind::kInt64, "is added to offsetTensor's element");

inline constexpr ParamSpec kArangeParams[] = {
    Value(kStart, "start", Kind::kScalar), Value(kEnd, "end", Kind::kScalar),
    Value(kStep, "step", Kind::kScalar, "not 0"),
    Out(kOut, "out", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64}, "L")};
inline constexpr ParamSpec kEyeParams[] = {
    {.name = "n", .id = kRows, .kind = Kind::kInt64, .min = 0, .names_size = true},
    {.name = "m", .id = kColumns, .kind = Kind::kInt64, .min = 0, .names_size = true},
    Out(kOut, "out",
        {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8,
         ACL_BOOL},
        "n m")};
inline constexpr ParamSpec kUniformFrom =
    Value(kFrom, "from", Kind::kDouble, "a number of the type's range, not above to");
inline constexpr ParamSpec kUniformTo =
    Value(kTo, "to", Kind::kDouble, "of the type's range; to - from too, in floating point");
inline constexpr ParamSpec kUniformParams[] = {
    Filled(kUniformTypes), kUniformFrom, kUniformTo, Value(kSeed, "seed", Kind::kUint64),
    Value(kOffset, "offset", Kind::kUint64, "chooses another sequence of the seed")};
inline constexpr ParamSpec kUniformTensorParams[] = {
    Filled(kUniformTypes),
    kUniformFrom,
    kUniformTo,
    SeedTensor({ACL_UINT64, ACL_INT64}),
    OffsetTensor({ACL_UINT64, ACL_INT64}),
    Value(kOffset, "offset", Kind::kUint64, "is added to offsetTensor's element")};
inline constexpr ParamSpec kNormalMean = Value(kMean, "mean", Kind::kFloat);
inline constexpr ParamSpec kNormalDeviation = Value(kDeviation, "std", Kind::kFloat, "0 or more");
inline constexpr ParamSpec kNormalParams[] = {Filled(kReals), kNormalMean, kNormalDeviation,
                                              kSeedRow, kOffsetRow};
inline constexpr ParamSpec kNormalTensorParams[] = {Filled(kReals),
                                                    kNormalMean,
                                                    kNormalDeviation,
                                                    SeedTensor({ACL_INT64}),
                                                    OffsetTensor({ACL_INT64}),
                                                    kAddedOffsetRow};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Arange">,
     .params = kArangeParams,
     .prepare = PrepareArange,
     .header = "aclnn_arange.h",
     .summary = "out[i] = start + i * step, from start to before end",
     .document = "ops-math: math/range/docs/aclnnArange.md"},
    {.op = kNames<"Eye">,
     .params = kEyeParams,
     .prepare = PrepareEye,
     .header = "aclnn_eye.h",
     .summary = "out[i, j] = 1 where i = j, else 0",
     .document = "ops-math: math/eye/docs/aclnnEye.md"},
    {.op = kNames<"InplaceUniform">,
     .params = kUniformParams,
     .prepare = PrepareUniform,
     .header = "aclnn_uniform.h",
     .summary = "selfRef becomes numbers distributed evenly over [from, to)",
     .document = "ops-math: random/dsa_random_uniform/docs/aclnnInplaceUniform.md"},
    {.op = kNames<"InplaceUniformTensor">,
     .params = kUniformTensorParams,
     .prepare = PrepareUniform,
     .header = "aclnn_uniform.h",
     .summary = "selfRef becomes numbers distributed evenly over [from, to)",
     .document = "ops-math: random/dsa_random_uniform/docs/aclnnInplaceUniformTensor.md"},
    {.op = kNames<"InplaceNormal">,
     .params = kNormalParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal.h",
     .summary = "selfRef becomes numbers of a normal distribution",
     .document = "ops-math: random/dsa_random_normal/docs/aclnnInplaceNormal.md"},
    {.op = kNames<"InplaceNormalTensor">,
     .params = kNormalTensorParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal.h",
     .summary = "selfRef becomes numbers of a normal distribution",
     .document = "ops-math: random/dsa_random_normal/docs/aclnnInplaceNormalTensor.md"},
};

}  // namespace anyacl::generators
