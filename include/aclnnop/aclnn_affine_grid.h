// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_AFFINE_GRID_H_
#define ANYACL_ACLNNOP_ACLNN_AFFINE_GRID_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAffineGrid: out[n, i, j] = theta[n] times the position (x, y, 1) of element (i, j).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   theta         FLOAT, FLOAT16, BF16; [N K L]
//   size          of the images: [N, C, H, W] or [N, C, D, H, W]
//   alignCorners  -1 and 1 are centres, not edges
//   out           type of theta; [N P..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/affine_grid/docs/aclnnAffineGrid.md
ACLNN_API aclnnStatus aclnnAffineGridGetWorkspaceSize(
    const aclTensor* theta, const aclIntArray* size, bool alignCorners, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAffineGrid(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_AFFINE_GRID_H_
