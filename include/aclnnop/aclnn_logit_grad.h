// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LOGIT_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_LOGIT_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLogitGrad: out = dy / (x (1 - x)), and 0 (NaN if eps < 0) where Logit holds x.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x    FLOAT, FLOAT16, BF16; any shape
//   dy   FLOAT, FLOAT16, BF16; any shape
//   eps  below 0: no bounds
//   out  FLOAT, FLOAT16, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: loss/logit_grad/docs/aclnnLogitGrad.md
ACLNN_API aclnnStatus aclnnLogitGradGetWorkspaceSize(
    const aclTensor* x, const aclTensor* dy, double eps, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLogitGrad(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LOGIT_GRAD_H_
