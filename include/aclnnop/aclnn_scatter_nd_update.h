// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_ND_UPDATE_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_ND_UPDATE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScatterNdUpdate: varRef[indices[i..]] = updates[i..].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   varRef   FLOAT, FLOAT16, INT8, INT64, BOOL, BF16; [V..]; changed in place
//   indices  INT32, INT64; [I.. A]; A indices, at most 7, of varRef's first dimensions for each
//            slice
//   updates  type of varRef; any shape; slices: indices' shape without A, then varRef's without its
//            first A dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/scatter_nd_update/docs/aclnnScatterNdUpdate.md
ACLNN_API aclnnStatus aclnnScatterNdUpdateGetWorkspaceSize(
    aclTensor* varRef, const aclTensor* indices, const aclTensor* updates, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatterNdUpdate(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_ND_UPDATE_H_
