// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GRID_SAMPLER2D_H_
#define ANYACL_ACLNNOP_ACLNN_GRID_SAMPLER2D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGridSampler2D: out[n, c, i, j] = input[n, c] at the position grid[n, i, j] = (x, y).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input              FLOAT, FLOAT16, DOUBLE, BF16; [N C H W]
//   grid               type of input; [N OH OW 2]
//   interpolationMode  0 to 2; 0 bilinear, 1 nearest, 2 bicubic
//   paddingMode        0 to 2; outside: 0 zeros, 1 the border, 2 reflected
//   alignCorners       -1 and 1 are centres, not edges
//   out                type of input; [N C OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/grid_sample/docs/aclnnGridSampler2D.md
ACLNN_API aclnnStatus aclnnGridSampler2DGetWorkspaceSize(
    const aclTensor* input, const aclTensor* grid, int64_t interpolationMode, int64_t paddingMode,
    bool alignCorners, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGridSampler2D(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GRID_SAMPLER2D_H_
