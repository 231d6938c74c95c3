// SPDX-License-Identifier: Apache-2.0
// The declaration of the operator that joins attention over parts of the keys (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::attention_update {

enum : int { kLse, kLocalOut, kUpdateType, kOut, kLseOut };

Status Prepare(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kResults = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

inline constexpr ParamSpec kParams[] = {
    {.name = "lse",
     .id = kLse,
     .kind = Kind::kTensorList,
     .dtypes = {ACL_FLOAT},
     .dims = "R",
     .note = "1 to 128 parts: the logarithm of a row's sum of exponentials; infinite: no keys"},
    {.name = "localOut",
     .id = kLocalOut,
     .kind = Kind::kTensorList,
     .dtypes = kResults,
     .dims = "R D",
     .note = "as many parts, all of one type; D a multiple of 8, at most 512"},
    {.name = "updateType",
     .id = kUpdateType,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 1,
     .note = "1: lseOut is written, too"},
    Like(kLocalOut, Out(kOut, "out", kResults, "R D")),
    Noted(Out(kLseOut, "lseOut", {ACL_FLOAT}, "R", Need::kOptional),
          "given if updateType is 1, and only then"),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"AttentionUpdate">,
     .params = kParams,
     .prepare = Prepare,
     .header = "aclnn_attention_update.h",
     .summary = "lseOut = ln(sum over i of exp(lse[i])), out = sum over i of localOut[i] * "
                "exp(lse[i] - lseOut)",
     .document = "ops-transformer: attention/attention_update/docs/aclnnAttentionUpdate.md"},
};

}  // namespace anyacl::attention_update
