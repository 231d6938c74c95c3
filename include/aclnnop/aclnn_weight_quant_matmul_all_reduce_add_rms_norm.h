// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnWeightQuantMatmulAllReduceAddRmsNorm: y = residual + sum over the ranks of (x1 @ ((x2 +
// antiquantOffset) * antiquantScale) + bias); normOut = y * gamma / sqrt(mean of y^2 + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                  FLOAT16, BF16; [M K] or [B S K]
//   x2                  INT8, INT4; [K N]; ND or FRACTAL_NZ
//   bias                type of x1; [N]; may be null; of this rank: added on each
//   antiquantScale      type of x1; [F*]; [1], [N], [1, N], or [groups of k, N]
//   antiquantOffset     type of x1; [F*]; may be null; shaped as antiquantScale
//   residual            type of x1; [B S N]
//   gamma               type of residual; [N]
//   epsilon             between 0 and 1, added to the mean square
//   group               the communicator's name, 1 to 127 bytes
//   reduceOp            "sum"
//   commTurn            0
//   streamMode          1
//   antiquantGroupSize  0 to 2147483647; 0, or a multiple of 32 below K
//   y                   type of residual; [B S N]; output
//   normOut             type of residual; [B S N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/matmul_all_reduce_add_rms_norm/docs/aclnnWeightQuantMatmulAllReduceAddRmsNorm.md
ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* residual,
    const aclTensor* gamma, double epsilon, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, int64_t antiquantGroupSize, const aclTensor* y,
    const aclTensor* normOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceAddRmsNorm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_ADD_RMS_NORM_H_
