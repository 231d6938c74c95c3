// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupNormBackward: the gradients of group normalisation.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut       FLOAT, FLOAT16, BF16; N*C*HxW
//   input         type of gradOut; [X*]
//   mean          FLOAT, FLOAT16, BF16; N*group; of the type of gradOut, or FLOAT
//   rstd          type of mean; N*group
//   gamma         type of mean; [G*]; may be null; null stands for ones
//   group         divides C
//   outputMask    161002 if null; 3 values: which of the gradients are wanted; the others are not
//                 looked at
//   gradInput     type of gradOut; [X*]; output; needed if outputMask[0]
//   gradGammaOut  type of mean; [G*]; output; needed if outputMask[1]
//   gradBetaOut   type of mean; [G*]; output; needed if outputMask[2]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/group_norm_grad/docs/aclnnGroupNormBackward.md
ACLNN_API aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean, const aclTensor* rstd,
    const aclTensor* gamma, int64_t N, int64_t C, int64_t HxW, int64_t group,
    const aclBoolArray* outputMask, aclTensor* gradInput, aclTensor* gradGammaOut,
    aclTensor* gradBetaOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_
