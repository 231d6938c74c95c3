// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DOT_H_
#define ANYACL_ACLNNOP_ACLNN_DOT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDot: out = sum over k of self[k] * tensor[k]; out has rank 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, BF16; [K]
//   tensor  type of self; [K]
//   out     type of self; [O*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/dot/docs/aclnnDot.md
ACLNN_API aclnnStatus aclnnDotGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DOT_H_
