// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_INPLACE_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_INPLACE_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceMatmulAllReduceAddRmsNorm: aclnnMatmulAllReduceAddRmsNorm with y in residual.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1          FLOAT16, BF16; [M K] or [B S K]
//   x2          type of x1; [K N]; ND or FRACTAL_NZ
//   bias        type of x1; [N]; may be null; of this rank: added on each
//   residual    type of x1; [B S N]; changed in place; becomes y
//   gamma       type of residual; [N]
//   epsilon     between 0 and 1, added to the mean square
//   group       the communicator's name, 1 to 127 bytes
//   reduceOp    "sum"
//   commTurn    0
//   streamMode  1
//   normOut     type of residual; [B S N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/inplace_matmul_all_reduce_add_rms_norm/docs/aclnnInplaceMatmulAllReduceAddRmsNorm.md
ACLNN_API aclnnStatus aclnnInplaceMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* residual,
    const aclTensor* gamma, double epsilon, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* normOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceMatmulAllReduceAddRmsNorm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_INPLACE_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_
