// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GRID_SAMPLER3D_H_
#define ANYACL_ACLNNOP_ACLNN_GRID_SAMPLER3D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGridSampler3D: out[n, c, k, i, j] = input[n, c] at the position grid[n, k, i, j] = (x, y,
// z).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input              FLOAT, FLOAT16, DOUBLE, BF16; [N C D H W]
//   grid               type of input; [N OD OH OW 3]
//   interpolationMode  0 to 1; 0 trilinear, 1 nearest
//   paddingMode        0 to 2; outside: 0 zeros, 1 the border, 2 reflected
//   alignCorners       -1 and 1 are centres, not edges
//   out                type of input; [N C OD OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/grid_sample/docs/aclnnGridSampler3D.md
ACLNN_API aclnnStatus aclnnGridSampler3DGetWorkspaceSize(
    const aclTensor* input, const aclTensor* grid, int64_t interpolationMode, int64_t paddingMode,
    bool alignCorners, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGridSampler3D(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GRID_SAMPLER3D_H_
