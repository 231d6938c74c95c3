// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GEMM_H_
#define ANYACL_ACLNNOP_ACLNN_GEMM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGemm: out = beta * C + alpha * A @ B, A and B transposed where transA and transB say so.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   A             FLOAT, FLOAT16, BF16; [A0 A1]
//   B             FLOAT, FLOAT16, BF16; [B0 B1]
//   C             FLOAT, FLOAT16, BF16; [C*]; broadcasts to [M, N]
//   transA        0: A is [M, K], else [K, M]
//   transB        0: B is [K, N], else [N, K]
//   out           FLOAT, FLOAT16, BF16; [O0 O1]; output; [M, N]
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/gemm/docs/aclnnGemm.md
ACLNN_API aclnnStatus aclnnGemmGetWorkspaceSize(const aclTensor* A, const aclTensor* B,
                                                const aclTensor* C, float alpha, float beta,
                                                int64_t transA, int64_t transB, aclTensor* out,
                                                int8_t cubeMathType, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGemm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GEMM_H_
