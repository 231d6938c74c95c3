// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulSwigluQuant: rows times the matrix of their expert, SwiGLU, quantisation.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
// INT8 weights:
//   x             INT8; [M K]
//   weight        INT8; [E N/32 K/16 16 32]; FRACTAL_NZ
//   bias          reserved: ignored
//   offset        reserved: ignored
//   weightScale   FLOAT, FLOAT16, BF16; [E N]
//   xScale        FLOAT; [M]
//   groupList     INT64; [L]
//   output        INT8; [M N/2]; output
//   outputScale   FLOAT; [M]; output
//   outputOffset  reserved: ignored
// INT4 weights:
//   x             INT8; [M K]
//   weight        INT32, INT4; [E K N] or [E N/64 K/16 16 64]; INT32: [E K N/8 | E N/64 K/16 16 8];
//                 ND or FRACTAL_NZ
//   bias          FLOAT; [E N]
//   offset        reserved: ignored
//   weightScale   INT64, UINT64; [E N] or [E G N]
//   xScale        FLOAT; [M]
//   groupList     INT64; [L]
//   output        INT8; [M N/2]; output
//   outputScale   FLOAT; [M]; output
//   outputOffset  reserved: ignored
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// gmm/grouped_matmul_swiglu_quant/docs/aclnnGroupedMatmulSwigluQuant.md
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* bias, const aclTensor* offset,
    const aclTensor* weightScale, const aclTensor* xScale, const aclTensor* groupList,
    aclTensor* output, aclTensor* outputScale, aclTensor* outputOffset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
// 561000: whatever else is wrong with the call.
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuant(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H_
