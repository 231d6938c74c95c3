// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V3_H_
#define ANYACL_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnWeightQuantBatchMatmulV3: y = x @ ((weight + antiquantOffset) * antiquantScale) + bias, and
// of INT8 this times quantScale + quantOffset.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                        FLOAT16, BF16; [M K]
//   weight                   INT8, INT32, INT4; [K N]; INT32: [K N/8]; ND or FRACTAL_NZ; INT32
//                            packs eight INT4; INT4 may be transposed as a whole
//   antiquantScale           type of x; [S*]; [1], [1, 1], [N] or [1, N]; [groups of K, N] with an
//                            antiquantGroupSize
//   antiquantOffsetOptional  type of x; [S*]; may be null; null stands for zeros
//   quantScaleOptional       INT64, UINT64; [Q*]; may be null; of INT8 results: [1], [1, 1], [N] or
//                            [1, N]; fp32 in the lower half, an offset in bits 37 to 45
//   quantOffsetOptional      FLOAT; [Q*]; may be null; replaces the offset in quantScaleOptional
//   biasOptional             FLOAT, FLOAT16, BF16; [B*]; may be null; [N] or [1, N]
//   antiquantGroupSize       0, or a multiple of 32 below K
//   innerPrecise             0 to 1; without effect
//   y                        FLOAT16, INT8, BF16; [M N]; output; of x's type; INT8 with
//                            quantScaleOptional
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// matmul/weight_quant_batch_matmul_v2/docs/aclnnWeightQuantBatchMatmulV3.md
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffsetOptional, const aclTensor* quantScaleOptional,
    const aclTensor* quantOffsetOptional, const aclTensor* biasOptional, int32_t antiquantGroupSize,
    int32_t innerPrecise, const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulV3(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V3_H_
