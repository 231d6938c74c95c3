// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TRANSPOSE_BATCH_MAT_MUL_H_
#define ANYACL_ACLNNOP_ACLNN_TRANSPOSE_BATCH_MAT_MUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTransposeBatchMatMul: out[:, b] = x1[b] @ x2[b] of x1 and x2 with their dimensions in
// another order.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                FLOAT, FLOAT16, BF16; [X0 X1 X2]
//   x2                FLOAT, FLOAT16, BF16; [Y0 Y1 Y2]
//   bias              FLOAT, FLOAT16, BF16; any shape; may be null; reserved: refused if given
//   scale             INT64, UINT64; [S]; may be null; of INT8 results, which are not offered:
//                     refused if given
//   permX1            [0, 1, 2] or [1, 0, 2]: x1 becomes [B, M, K]
//   permX2            [0, 1, 2] or [0, 2, 1]: x2 becomes [B, K, N]
//   permY             [1, 0, 2]
//   cubeMathType      0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                     matrix registers
//   batchSplitFactor  1 or more; f, a divisor of B
//   out               FLOAT, FLOAT16, BF16; [O0 O1 O2]; output; [M, B, N], or [f, M, B * N / f] of
//                     f > 1
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/transpose_batch_mat_mul/docs/aclnnTransposeBatchMatMul.md
ACLNN_API aclnnStatus aclnnTransposeBatchMatMulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* scale,
    const aclIntArray* permX1, const aclIntArray* permX2, const aclIntArray* permY,
    int8_t cubeMathType, int32_t batchSplitFactor, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTransposeBatchMatMul(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRANSPOSE_BATCH_MAT_MUL_H_
