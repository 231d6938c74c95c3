// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTENTION_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTENTION_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMultiScaleDeformableAttentionGrad: the gradients of aclnnMultiScaleDeformableAttnFunction by
// value, location and attnWeight.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   value            FLOAT, FLOAT16, BF16; [B S M D]
//   spatialShape     INT32, INT64; [L 2]; height and width of each level
//   levelStartIndex  INT32, INT64; [L]; the first key of each level
//   location         FLOAT, FLOAT16, BF16; [B Q M L P 2]; x and y as parts of width and height
//   attnWeight       FLOAT, FLOAT16, BF16; [B Q M L P]
//   gradOutput       FLOAT, FLOAT16, BF16; [B Q E]; E = M * D
//   gradValue        FLOAT, FLOAT16, BF16; [B S M D]; output
//   gradLocation     FLOAT, FLOAT16, BF16; [B Q M L P 2]; output
//   gradAttnWeight   FLOAT, FLOAT16, BF16; [B Q M L P]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// vfusion/multi_scale_deformable_attention_grad/docs/aclnnMultiScaleDeformableAttentionGrad.md
ACLNN_API aclnnStatus aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
    const aclTensor* value, const aclTensor* spatialShape, const aclTensor* levelStartIndex,
    const aclTensor* location, const aclTensor* attnWeight, const aclTensor* gradOutput,
    aclTensor* gradValue, aclTensor* gradLocation, aclTensor* gradAttnWeight,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMultiScaleDeformableAttentionGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTENTION_GRAD_H_
