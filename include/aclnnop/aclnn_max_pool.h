// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MAX_POOL_H_
#define ANYACL_ACLNNOP_ACLNN_MAX_POOL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxPool: the largest element of each window.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self         FLOAT, FLOAT16, BF16; [A* C H W]
//   kernelShape  of both spatial dimensions, or one for both
//   strides      as kernelShape, or empty: 1
//   autoPad      0
//   pads         [top, left, bottom, right], as kernelShape, or empty: 0; top + bottom and left +
//                right are at most the window
//   dilations    up to 4 times 1
//   ceilMode     not 0: a last window may be cut off
//   out          type of self; [A* C OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: pooling/max_pool_v3/docs/aclnnMaxPool.md
ACLNN_API aclnnStatus aclnnMaxPoolGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelShape, const aclIntArray* strides,
    int64_t autoPad, const aclIntArray* pads, const aclIntArray* dilations, int64_t ceilMode,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxPool(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MAX_POOL_H_
