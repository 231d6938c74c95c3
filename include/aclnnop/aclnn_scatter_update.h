// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_UPDATE_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_UPDATE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceScatterUpdate: data[i] from indices[i] along axis on = updates[i].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   data     FLOAT, FLOAT16, INT8, INT32, UINT8, BF16; [D..]; changed in place; rank 2 to 8
//   indices  INT32, INT64; [| N] or [N 2]; where each slice begins along axis; rank 2: its place in
//            dimension 0, and that
//   updates  type of data; [U..]; N slices: data's shape but for dimension 0 and axis, where it is
//            at most as long
//   axis     not 0; counts from the end if negative
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/scatter/docs/aclnnInplaceScatterUpdate.md
ACLNN_API aclnnStatus aclnnInplaceScatterUpdateGetWorkspaceSize(
    aclTensor* data, const aclTensor* indices, const aclTensor* updates, int64_t axis,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceScatterUpdate(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_UPDATE_H_
