// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that put slices where indices say (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::slice_update {

enum : int { kTarget, kIndices, kUpdates, kAxis };

Status PrepareNdUpdate(Operands& operands, PreparedCall* call);
Status PrepareScatterUpdate(Operands& operands, PreparedCall* call);

constexpr ParamSpec LikeTarget(ParamSpec row) {
  row.same_dtype_as = kTarget;
  return row;
}

inline constexpr DTypeSet kIndexTypes = {ACL_INT32, ACL_INT64};
inline constexpr DTypeSet kNdTypes = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT,
                                      ACL_INT64,   ACL_BOOL, ACL_INT8};
inline constexpr DTypeSet kScatterTypes = {ACL_INT8,  ACL_UINT8, ACL_FLOAT16,
                                           ACL_FLOAT, ACL_INT32, ACL_BF16};

inline constexpr ParamSpec kNdUpdateParams[] = {
    InOut(kTarget, "varRef", kNdTypes, "V.."),
    Noted(In(kIndices, "indices", kIndexTypes, "I.. A"),
          "A indices, at most 7, of varRef's first dimensions for each slice"),
    Noted(LikeTarget(In(kUpdates, "updates", kNdTypes)),
          "slices: indices' shape without A, then varRef's without its first A dimensions"),
};
inline constexpr ParamSpec kScatterUpdateParams[] = {
    Noted(InOut(kTarget, "data", kScatterTypes, "D.."), "rank 2 to 8"),
    Noted(In(kIndices, "indices", kIndexTypes, "| N | N 2"),
          "where each slice begins along axis; rank 2: its place in dimension 0, and that"),
    Noted(LikeTarget(In(kUpdates, "updates", kScatterTypes, "U..")),
          "N slices: data's shape but for dimension 0 and axis, where it is at most as long"),
    Value(kAxis, "axis", Kind::kInt64, "not 0; counts from the end if negative"),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ScatterNdUpdate">,
     .params = kNdUpdateParams,
     .prepare = PrepareNdUpdate,
     .header = "aclnn_scatter_nd_update.h",
     .summary = "varRef[indices[i..]] = updates[i..]",
     .document = "ops-nn: index/scatter_nd_update/docs/aclnnScatterNdUpdate.md"},
    {.op = kNames<"InplaceScatterUpdate">,
     .params = kScatterUpdateParams,
     .prepare = PrepareScatterUpdate,
     .header = "aclnn_scatter_update.h",
     .summary = "data[i] from indices[i] along axis on = updates[i]",
     .document = "ops-nn: index/scatter/docs/aclnnInplaceScatterUpdate.md"},
};

}  // namespace anyacl::slice_update
