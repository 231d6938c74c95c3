// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_EXP_SEGSUM_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_EXP_SEGSUM_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnExpSegsumBackward: gradInput[k] = sum of gradOutput[i, j] gradSelf[i, j] for j < k <= i.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; [B.. N N]
//   gradSelf    type of gradOutput; [B.. N N]
//   gradInput   type of gradOutput; [B.. N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/exp_segsum_grad/docs/aclnnExpSegsumBackward.md
ACLNN_API aclnnStatus aclnnExpSegsumBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* gradSelf, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnExpSegsumBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_EXP_SEGSUM_BACKWARD_H_
