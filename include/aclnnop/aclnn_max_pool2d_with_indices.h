// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H_
#define ANYACL_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxPool2dWithMask: the largest element of each window, and where it is, as bits.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, BF16; [A* C H W]
//   kernelSize  of each spatial dimension, or one for all
//   stride      as kernelSize, or empty: kernelSize
//   padding     as kernelSize; at most half of it
//   dilation    as kernelSize
//   ceilMode    a last window may be cut off
//   out         type of self; [A* C OH OW]; output
//   indices     INT8; [A* C M B]; contiguous; output; a row of bits for each place in the window, a
//               bit for each window
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: pooling/max_pool3d_with_argmax_v2/docs/aclnnMaxPool2dWithMask.md
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceilMode, aclTensor* out,
    aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxPool2dWithMask(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

// aclnnMaxPool2dWithIndices: the largest element of each window, and where it is: h * W + w.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, BF16; [A* C H W]
//   kernelSize  of each spatial dimension, or one for all
//   stride      as kernelSize, or empty: kernelSize
//   padding     as kernelSize; at most half of it
//   dilation    as kernelSize
//   ceilMode    a last window may be cut off
//   out         type of self; [A* C OH OW]; output
//   indices     INT32, INT64; [A* C OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: pooling/max_pool3d_with_argmax_v2/docs/aclnnMaxPool2dWithIndices.md
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceilMode, aclTensor* out,
    aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndices(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H_
