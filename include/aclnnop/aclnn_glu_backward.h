// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GLU_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_GLU_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGluBackward: out = gradOut s and gradOut s (1 - s) a, s = 1 / (1 + e^-b), a and b being the
// halves of self along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut  FLOAT, FLOAT16, DOUBLE, BF16; [Y*]; self's shape with half the size in dim
//   self     type of gradOut; [X*]
//   dim      counts from the end if negative
//   out      type of gradOut; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/glu_grad/docs/aclnnGluBackward.md
ACLNN_API aclnnStatus aclnnGluBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* self, int64_t dim, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGluBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GLU_BACKWARD_H_
