// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H_
#define ANYACL_ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDeformableConv2d: aclnnConvolution of samples of x: each tap of each position is moved by
// (x, y) of offset and multiplied by a factor.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                  FLOAT, FLOAT16, BF16; [N C H W]
//   weight             type of x; [O I K L]
//   offset             type of x; [N T Y X]; x, then y, then factors, of each deformable group and
//                      tap
//   biasOptional       type of x; [O]; may be null
//   kernelSize         [K, L]
//   stride             1, 1, and of rows and columns
//   padding            above, below, left, right
//   dilation           1, 1, and of rows and columns
//   groups             1 to 65535
//   deformableGroups   1 to 65535
//   modulated          true
//   out                type of x; [N O Y X]; output
//   deformOutOptional  type of x; [N C V U]; output; may be null; the samples; V = Y * K, U = X * L
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/deformable_conv2d/docs/aclnnDeformableConv2d.md
ACLNN_API aclnnStatus aclnnDeformableConv2dGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* offset,
    const aclTensor* biasOptional, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, int64_t groups,
    int64_t deformableGroups, bool modulated, aclTensor* out, aclTensor* deformOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDeformableConv2d(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H_
