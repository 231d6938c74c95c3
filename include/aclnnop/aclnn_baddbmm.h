// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BADDBMM_H_
#define ANYACL_ACLNNOP_ACLNN_BADDBMM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBaddbmm: out[b] = beta * self[b] + alpha * (batch1[b] @ batch2[b]).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [~BMN*]
//   batch1        FLOAT, FLOAT16, BF16; [B? M K]
//   batch2        FLOAT, FLOAT16, BF16; [B? K N]; ND or FRACTAL_NZ
//   beta          a real number or an integer
//   alpha         a real number or an integer
//   out           FLOAT, FLOAT16, BF16; [B M N]; output
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBaddbmm&aclnnInplaceBaddbmm.md
ACLNN_API aclnnStatus aclnnBaddbmmGetWorkspaceSize(
    const aclTensor* self, const aclTensor* batch1, const aclTensor* batch2, const aclScalar* beta,
    const aclScalar* alpha, aclTensor* out, int8_t cubeMathType, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBaddbmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

// aclnnInplaceBaddbmm: selfRef[b] = beta * selfRef[b] + alpha * (batch1[b] @ batch2[b]).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef       FLOAT, FLOAT16, BF16; [B M N]; changed in place
//   batch1        FLOAT, FLOAT16, BF16; [B M K]
//   batch2        FLOAT, FLOAT16, BF16; [B K N]; ND or FRACTAL_NZ
//   beta          a real number or an integer
//   alpha         a real number or an integer
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBaddbmm&aclnnInplaceBaddbmm.md
ACLNN_API aclnnStatus aclnnInplaceBaddbmmGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* batch1, const aclTensor* batch2, const aclScalar* beta,
    const aclScalar* alpha, int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceBaddbmm(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BADDBMM_H_
