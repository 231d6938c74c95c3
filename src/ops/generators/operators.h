// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that write values and read no tensor (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::generators {

enum : int { kOut, kStart, kEnd, kStep, kRows, kColumns };

Status PrepareArange(Operands& operands, PreparedCall* call);
Status PrepareEye(Operands& operands, PreparedCall* call);

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
};

}  // namespace anyacl::generators
