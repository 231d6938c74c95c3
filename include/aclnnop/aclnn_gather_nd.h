// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GATHER_ND_H_
#define ANYACL_ACLNNOP_ACLNN_GATHER_ND_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGatherNd: out[i] = self[indices[i, 0], indices[i, 1], ..].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self                  FLOAT, FLOAT16, INT8, INT32, UINT8, INT64, BOOL, BF16; [S A*]
//   indices               INT32, INT64; [I* C]
//   negativeIndexSupport  negative indices count from the end, else they are out of range
//   out                   type of self; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/gather_nd/docs/aclnnGatherNd.md
ACLNN_API aclnnStatus aclnnGatherNdGetWorkspaceSize(
    const aclTensor* self, const aclTensor* indices, bool negativeIndexSupport, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGatherNd(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GATHER_ND_H_
