// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_WEIGHT_NZ_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantMatmulWeightNz: out = (x1 @ x2 + bias) * x2Scale * x1Scale + x2Offset of integers, x2
// in panels or as it is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1           INT8, INT32, INT4; [L*]; [.., M, K]; INT32 packs eight INT4
//   x2           INT8, INT32, INT4; [R*]; ND or FRACTAL_NZ; [.., K, N]; INT4 of two dimensions,
//                contiguous, maybe transposed as a whole
//   x1Scale      FLOAT; [T*]; may be null; [M]; with groups [M], [M, 1] or [M, groups of K]
//   x2Scale      FLOAT, INT64, UINT64, BF16; [S*]; [1] or [N], with groups [groups of K, N] or
//                [groups of N, groups of K]; of 64 bits the lower half is fp32
//   yScale       FLOAT, FLOAT16, INT8, INT32, INT64, UINT64, BF16; any shape; may be null; null, or
//                without elements
//   x1Offset     FLOAT, FLOAT16, INT8, INT32, INT64, UINT64, BF16; any shape; may be null; null, or
//                without elements
//   x2Offset     FLOAT, FLOAT16; [F*]; may be null; FLOAT as offset of aclnnQuantMatmulV4; FLOAT16
//                of INT4 and groups, [groups of K, N]
//   yOffset      FLOAT, FLOAT16, INT8, INT32, INT64, UINT64, BF16; any shape; may be null; of INT8
//                by INT4, FLOAT, [N]; else null or empty
//   bias         FLOAT, FLOAT16, INT32, BF16; [B*]; may be null; [N], or [batch, 1, N] beside three
//                dimensions of out; INT32 is added before factors
//   transposeX1  x1 is [.., K, M]
//   transposeX2  x2 is [.., N, K]
//   groupSize    0, or of groups of k, columns (times 2^16) and rows (times 2^32)
//   out          FLOAT16, INT8, INT32, BF16; [O*]; output; [.., M, N]; FLOAT16 and INT8 with 64-bit
//                scales, FLOAT16 also with factors of rows
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/quant_batch_matmul_v3/docs/aclnnQuantMatmulWeightNz.md
ACLNN_API aclnnStatus aclnnQuantMatmulWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Scale, const aclTensor* x2Scale,
    const aclTensor* yScale, const aclTensor* x1Offset, const aclTensor* x2Offset,
    const aclTensor* yOffset, const aclTensor* bias, bool transposeX1, bool transposeX2,
    int64_t groupSize, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_WEIGHT_NZ_H_
