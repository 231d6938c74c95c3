// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_LINEAR_CROSS_ENTROPY_LOSS_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_LINEAR_CROSS_ENTROPY_LOSS_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedLinearCrossEntropyLossGrad: g = grad * (softmax - (1 - targetMask at maskedTarget, else
// 0)), inputGradOut = g @ weight, weightGradOut = g^T @ input.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   grad                  FLOAT; [N]
//   input                 FLOAT16, BF16; [N H]
//   weight                type of input; [V H]; V is 128 or more
//   targetMask            UINT8, BOOL; [T]; N / 8 or more, as FusedLinearOnlineMaxSum's; or N of
//                         BOOL
//   maskedTarget          INT32, INT64; [N]; 0 to V - 1 where the mask is 0
//   labelSmoothing        0
//   logitsMaxOptional     FLOAT; [N]; may be null; of all ranks; needed without softmaxOptional, as
//                         the next one
//   sumExpLogitsOptional  FLOAT; [N]; may be null
//   softmaxOptional       FLOAT; [N V]; may be null; null: made from the products,
//                         logitsMaxOptional and sumExpLogitsOptional
//   inputGradOut          type of input; [N H]; output
//   weightGradOut         type of input; [V H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// matmul/fused_linear_cross_entropy_loss_grad/docs/aclnnFusedLinearCrossEntropyLossGrad.md
ACLNN_API aclnnStatus aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* input, const aclTensor* weight,
    const aclTensor* targetMask, const aclTensor* maskedTarget, float labelSmoothing,
    const aclTensor* logitsMaxOptional, const aclTensor* sumExpLogitsOptional,
    const aclTensor* softmaxOptional, aclTensor* inputGradOut, aclTensor* weightGradOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedLinearCrossEntropyLossGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_LINEAR_CROSS_ENTROPY_LOSS_GRAD_H_
