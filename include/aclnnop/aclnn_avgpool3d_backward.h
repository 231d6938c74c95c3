// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAvgPool3dBackward: the gradient of aclnnAvgPool3d.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput       FLOAT, FLOAT16, BF16; [A* C OD OH OW]
//   self             type of gradOutput; [A* C D H W]
//   kernelSize       of each spatial dimension, or one for all
//   stride           as kernelSize, or empty: kernelSize
//   padding          as kernelSize; at most half of it
//   ceilMode         a last window may be cut off
//   countIncludePad  padding counts as elements
//   divisorOverride  instead of the count, unless 0
//   output           type of gradOutput; [A* C D H W]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: pooling/avg_pool3_d_grad/docs/aclnnAvgPool3dBackward.md
ACLNN_API aclnnStatus aclnnAvgPool3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* kernelSize,
    const aclIntArray* stride, const aclIntArray* padding, bool ceilMode, bool countIncludePad,
    int64_t divisorOverride, aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAvgPool3dBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H_
