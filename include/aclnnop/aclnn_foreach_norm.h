// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FOREACH_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_FOREACH_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnForeachNorm: out = (sum of |x|^scalar)^(1 / scalar), of each tensor.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x       FLOAT, FLOAT16, BF16; any shape; tensors of one type
//   scalar  any number, infinite too
//   out     FLOAT, FLOAT16, BF16; any shape; output; one number for each tensor, of its type
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: foreach/foreach_norm/docs/aclnnForeachNorm.md
ACLNN_API aclnnStatus aclnnForeachNormGetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnForeachNorm(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FOREACH_NORM_H_
