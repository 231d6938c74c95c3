// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantMatmul: out = (x1 @ x2 + bias) * deqScale of integers.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1        INT8; [L*]; [M, K] or [B, M, K]
//   x2        INT8; [R*]; [K, N] or [B, K, N], as x1
//   bias      INT32; [N]; may be null
//   deqScale  of which the highest 19 bits count
//   out       FLOAT16; [O*]; output; [.., M, N]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/quant_matmul/docs/aclnnQuantMatmul.md
ACLNN_API aclnnStatus aclnnQuantMatmulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, float deqScale, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantMatmul(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnQuantMatmulV2: out = (x1 @ x2 + bias) * deqScale of integers.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1        INT8; [L*]; [M, K] or [B, M, K]
//   x2        INT8; [R*]; [K, N] or [B, K, N]
//   bias      INT32; [N]; may be null
//   deqScale  UINT64; [S]; N rounded up to a multiple of 16; the lower half is fp32
//   adjX1     x1 is [.., K, M]
//   adjX2     x2 is [.., N, K]
//   out       FLOAT16; [O*]; output; [.., M, N]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/quant_matmul/docs/aclnnQuantMatmulV2.md
ACLNN_API aclnnStatus aclnnQuantMatmulV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* deqScale,
    bool adjX1, bool adjX2, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantMatmulV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_H_
