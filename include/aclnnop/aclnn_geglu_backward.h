// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GEGLU_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_GEGLU_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeGluBackward: gradInput = gradOutput gelu and gradOutput a gelu'(b), a and b being the
// halves of self along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput   type of self; [Y*]; self's shape with half the size in dim
//   self         FLOAT, FLOAT16, BF16; [X*]
//   gelu         type of self; [Y*]; the activated half
//   dim          counts from the end if negative
//   approximate  0 to 1; 1: by tanh
//   gradInput    type of self; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/ge_glu_grad_v2/docs/aclnnGeGluBackward.md
ACLNN_API aclnnStatus aclnnGeGluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* gelu, int64_t dim,
    int64_t approximate, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGeGluBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnGeGluV3Backward: of the halves a and b of gradInput, a the activated one: a = gradOutput b
// gelu'(a), b = gradOutput gelu.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput    type of self; [Y*]; self's shape with half the size in dim
//   self          FLOAT, FLOAT16, BF16; [X*]
//   gelu          type of self; [Y*]; the activated half
//   dim           counts from the end if negative
//   approximate   0 to 1; 1: by tanh
//   activateLeft  whose half is activated
//   gradInput     type of self; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/ge_glu_grad_v2/docs/aclnnGeGluV3Backward.md
ACLNN_API aclnnStatus aclnnGeGluV3BackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* gelu, int64_t dim,
    int64_t approximate, bool activateLeft, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGeGluV3Backward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GEGLU_BACKWARD_H_
