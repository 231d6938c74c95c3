// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxPool2dWithMaskBackward: the gradient of aclnnMaxPool2dWithMask; indices of 32 or 64 bits
// are taken for those of aclnnMaxPool2dWithIndices.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; [A* C OH OW]
//   self        type of gradOutput; [A* C H W]
//   indices     INT8, INT32, INT64; [A* C M B]; contiguous; a row of bits for each place in the
//               window, a bit for each window
//   kernelSize  of each spatial dimension, or one for all
//   stride      as kernelSize, or empty: kernelSize
//   padding     as kernelSize; at most half of it
//   dilation    as kernelSize
//   ceilMode    a last window may be cut off
//   gradInput   type of gradOutput; [A* C H W]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// pooling/max_pool3d_grad_with_argmax/docs/aclnnMaxPool2dWithMaskBackward.md
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnMaxPool2dWithIndicesBackward: the gradient of aclnnMaxPool2dWithIndices.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; [A* C OH OW]
//   self        type of gradOutput; [A* C H W]
//   indices     INT32, INT64; [A* C OH OW]
//   kernelSize  of each spatial dimension, or one for all
//   stride      as kernelSize, or empty: kernelSize
//   padding     as kernelSize; at most half of it
//   dilation    as kernelSize
//   ceilMode    a last window may be cut off
//   gradInput   type of gradOutput; [A* C H W]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// pooling/max_pool3d_grad_with_argmax/docs/aclnnMaxPool2dWithIndicesBackward.md
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
