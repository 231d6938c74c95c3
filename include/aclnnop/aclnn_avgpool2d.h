// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_AVGPOOL2D_H_
#define ANYACL_ACLNNOP_ACLNN_AVGPOOL2D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAvgPool2d: the means of windows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self             FLOAT, FLOAT16, BF16; [A* C H W]
//   kernelSize       of each spatial dimension, or one for all
//   strides          as kernelSize, or empty: kernelSize
//   paddings         as kernelSize; at most half of it
//   ceilMode         a last window may be cut off
//   countIncludePad  padding counts as elements
//   divisorOverride  instead of the count, unless 0
//   cubeMathType     0 to 3; the precision that a device may give up; sums are fp32 here whatever
//                    it says
//   out              type of self; [A* C OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: pooling/avg_pool3_d/docs/aclnnAvgPool2d.md
ACLNN_API aclnnStatus aclnnAvgPool2dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* strides,
    const aclIntArray* paddings, bool ceilMode, bool countIncludePad, int64_t divisorOverride,
    int8_t cubeMathType, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAvgPool2d(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_AVGPOOL2D_H_
