// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_MATMUL_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_MATMUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchMatMul: out[b] = self[b] @ mat2[b]; a single matrix serves all b.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [B? M K]
//   mat2          FLOAT, FLOAT16, BF16; [B? K N]; ND or FRACTAL_NZ
//   out           FLOAT, FLOAT16, BF16; [B M N]; output
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBatchMatMul.md
ACLNN_API aclnnStatus aclnnBatchMatMulGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mat2, aclTensor* out, int8_t cubeMathType,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchMatMul(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnBatchMatMulWeightNz: out[b] = self[b] @ mat2[b], in panels or as it is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT16, BF16; [B? M K]
//   mat2          type of self; [B? K N]; ND or FRACTAL_NZ
//   out           FLOAT, FLOAT16, BF16; [B M N]; output; of self's type, or FLOAT
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBatchMatMulWeightNz.md
ACLNN_API aclnnStatus aclnnBatchMatMulWeightNzGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mat2, aclTensor* out, int8_t cubeMathType,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchMatMulWeightNz(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_MATMUL_H_
