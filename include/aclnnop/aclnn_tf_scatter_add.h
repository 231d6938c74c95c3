// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TF_SCATTER_ADD_H_
#define ANYACL_ACLNNOP_ACLNN_TF_SCATTER_ADD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTfScatterAdd: varRef[indices[i]] += updates[i], or varRef[indices[i, 0], indices[i, 1], ..]
// += updates[i].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   varRef   FLOAT, FLOAT16, INT8, INT32, UINT8, BF16; [S A*]; changed in place
//   indices  INT32, INT64; [C I*]
//   updates  type of varRef; [D U*]; the shape of indices, then that of varRef without the first
//            dimension; or of indices without the last one, then of varRef without as many as that
//            has
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/tf_scatter_add/docs/aclnnTfScatterAdd.md
ACLNN_API aclnnStatus aclnnTfScatterAddGetWorkspaceSize(
    aclTensor* varRef, const aclTensor* indices, const aclTensor* updates, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTfScatterAdd(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TF_SCATTER_ADD_H_
