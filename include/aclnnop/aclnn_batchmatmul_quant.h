// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCHMATMUL_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_BATCHMATMUL_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchMatmulQuant: out = rint((x1 @ x2 + bias) * scale + offset) of the scales and offsets in
// quantParam, held within INT8.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1           FLOAT16; [L*]; [.., M, K]
//   x2           FLOAT16; [R*]; [.., K, N], with x1's leading sizes
//   quantParam   UINT64; [Q]; [1], or N rounded up to a multiple of 16; fp32 in the lower half, an
//                offset in bits 37 to 45
//   bias         FLOAT16; [N]; may be null
//   transposeX1  x1 is [.., K, M]
//   transposeX2  x2 is [.., N, K]
//   out          INT8; [O*]; output; [.., M, N]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/batch_matmul_quant/docs/aclnnBatchMatmulQuant.md
ACLNN_API aclnnStatus aclnnBatchMatmulQuantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* quantParam, const aclTensor* bias,
    bool transposeX1, bool transposeX2, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchMatmulQuant(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCHMATMUL_QUANT_H_
