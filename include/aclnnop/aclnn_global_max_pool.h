// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GLOBAL_MAX_POOL_H_
#define ANYACL_ACLNNOP_ACLNN_GLOBAL_MAX_POOL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGlobalMaxPool: out = largest of each channel of each image; NaN if one is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self  FLOAT, FLOAT16, DOUBLE; [N C H W..]
//   out   type of self; [R*]; output; [N, C, 1, 1, ..], of self's format
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_max/docs/aclnnGlobalMaxPool.md
ACLNN_API aclnnStatus aclnnGlobalMaxPoolGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGlobalMaxPool(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GLOBAL_MAX_POOL_H_
