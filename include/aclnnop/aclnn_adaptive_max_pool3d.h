// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_H_
#define ANYACL_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAdaptiveMaxPool3d: the largest elements of windows of nearly equal sizes, and where they
// are.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, BF16; [A* C D H W]
//   outputSize  spatial sizes of the result
//   outputOut   type of self; [A* C OD OH OW]; output
//   indicesOut  INT32, INT64; [A* C OD OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: pooling/adaptive_max_pool3d/docs/aclnnAdaptiveMaxPool3d.md
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool3dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, aclTensor* outputOut,
    aclTensor* indicesOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool3d(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_H_
