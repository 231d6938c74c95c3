// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_MATMUL_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_MATMUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedMatmul: y = (x1 @ x2 + bias) + x3, times x3, or relu of it, or gelu(x1 @ x2), by
// fusedOpType.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1            FLOAT, FLOAT16, BF16; [L..]
//   x2            FLOAT, FLOAT16, BF16; [R..]
//   bias          FLOAT, FLOAT16, BF16; [N] or [1 N]; may be null; not of gelu_erf and gelu_tanh
//   x3            type of x1; [X..]; may be null; [M, N], or y's shape, or with one matrix for all
//                 of it; of add and mul alone
//   fusedOpType   161002 if null; empty, add, mul, relu, gelu_erf, gelu_tanh or 16cast32
//   cubeMathType  0 to 4; 2 not with BF16, 3 with FLOAT alone; 4: sums and products with x3 are
//                 rounded once
//   y             FLOAT, FLOAT16, BF16; [Y..]; output; of the type that x1 and x2 promote to;
//                 16cast32: FLOAT
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/fused_mat_mul/docs/aclnnFusedMatmul.md
ACLNN_API aclnnStatus aclnnFusedMatmulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x3,
    const char* fusedOpType, int8_t cubeMathType, const aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedMatmul(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_MATMUL_H_
