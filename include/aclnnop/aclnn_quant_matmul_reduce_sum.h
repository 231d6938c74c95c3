// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_REDUCE_SUM_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_REDUCE_SUM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantMatmulReduceSumWeightNz: out = the sum over b of (x1[b] @ x2[b]) * x1Scale[b] *
// x2Scale.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1           INT8; [B M K]
//   x2           INT8; [B K N]; ND or FRACTAL_NZ
//   x1Scale      FLOAT; [B M]
//   x2Scale      BF16; [N]
//   yScale       FLOAT, FLOAT16, INT32, UINT64, BF16; any shape; may be null; null
//   x1Offset     FLOAT, FLOAT16, INT32, UINT64, BF16; any shape; may be null; null
//   x2Offset     FLOAT, FLOAT16, INT32, UINT64, BF16; any shape; may be null; null
//   yOffset      FLOAT, FLOAT16, INT32, UINT64, BF16; any shape; may be null; null
//   bias         FLOAT, FLOAT16, INT32, UINT64, BF16; any shape; may be null; null
//   transposeX1  false
//   transposeX2  false
//   groupSize    -1 to 0; without effect
//   dims         [0]
//   keepDims     false
//   out          BF16; [M N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/quant_matmul_reduce_sum/docs/aclnnQuantMatmulReduceSumWeightNz.md
ACLNN_API aclnnStatus aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Scale, const aclTensor* x2Scale,
    const aclTensor* yScale, const aclTensor* x1Offset, const aclTensor* x2Offset,
    const aclTensor* yOffset, const aclTensor* bias, bool transposeX1, bool transposeX2,
    int64_t groupSize, const aclIntArray* dims, bool keepDims, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantMatmulReduceSumWeightNz(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_REDUCE_SUM_H_
