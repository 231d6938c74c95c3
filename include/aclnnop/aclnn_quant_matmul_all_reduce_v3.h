// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V3_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantMatmulAllReduceV3: output = sum over the ranks of (dequantScale * pertokenScale * (x1 @
// x2 + bias) + x3).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                       INT8; [M K] or [B S K]
//   x2                       INT8; [K N]; ND or FRACTAL_NZ
//   biasOptional             INT32; [N]; may be null
//   x3Optional               type of output; [M N] or [B S N]; may be null; of this rank: added on
//                            each
//   dequantScale             FLOAT, INT64, UINT64, BF16; [C] or [1 C]; [1], [N] or [1, N]; of 64
//                            bits with FLOAT16 results, BF16 with BF16, FLOAT with FLOAT16 and
//                            factors of rows
//   pertokenScaleOptional    FLOAT; [R]; may be null; one for each row
//   commQuantScale1Optional  FLOAT16, BF16; any shape; may be null; null: communication in 8 bits
//                            is not offered
//   commQuantScale2Optional  FLOAT16, BF16; any shape; may be null; null: communication in 8 bits
//                            is not offered
//   group                    the communicator's name, 1 to 127 bytes
//   reduceOp                 "sum"
//   commTurn                 0
//   streamMode               1
//   output                   FLOAT16, BF16; [M N] or [B S N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mc2/matmul_all_reduce/docs/aclnnQuantMatmulAllReduceV3.md
ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV3GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* dequantScale,
    const aclTensor* pertokenScaleOptional, const aclTensor* commQuantScale1Optional,
    const aclTensor* commQuantScale2Optional, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV3(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V3_H_
