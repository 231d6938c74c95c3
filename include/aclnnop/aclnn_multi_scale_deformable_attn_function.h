// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTN_FUNCTION_H_
#define ANYACL_ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTN_FUNCTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMultiScaleDeformableAttnFunction: output[b, q, m] = sum over levels l and points p of
// attnWeight[b, q, m, l, p] * value of head m at location[b, q, m, l, p] of level l.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   value            FLOAT, FLOAT16, BF16; [B S M D]
//   spatialShape     INT32, INT64; [L 2]; height and width of each level
//   levelStartIndex  INT32, INT64; [L+]; the first key of each level; what follows is not looked at
//   location         type of value; [B Q M L P 2]; x and y as parts of width and height
//   attnWeight       type of value; [B Q M L P]
//   output           type of value; [B Q E]; output; E = M * D
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// vfusion/multi_scale_deformable_attn_function/docs/aclnnMultiScaleDeformableAttnFunction.md
ACLNN_API aclnnStatus aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
    const aclTensor* value, const aclTensor* spatialShape, const aclTensor* levelStartIndex,
    const aclTensor* location, const aclTensor* attnWeight, aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMultiScaleDeformableAttnFunction(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTN_FUNCTION_H_
