// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_ND_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_ND_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScatterNd: out = data, and then out[indices[i, 0], indices[i, 1], ..] = updates[i].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   data     FLOAT, FLOAT16, BOOL, BF16; [S A*]
//   indices  INT32, INT64; [I* C]
//   updates  type of data; any shape
//   out      type of data; [S A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/scatter_nd/docs/aclnnScatterNd.md
ACLNN_API aclnnStatus aclnnScatterNdGetWorkspaceSize(
    const aclTensor* data, const aclTensor* indices, const aclTensor* updates, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatterNd(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_ND_H_
