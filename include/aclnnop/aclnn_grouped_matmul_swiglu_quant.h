// SPDX-License-Identifier: Apache-2.0
// aclnnGroupedMatmulSwigluQuant: rows of x times the matrix of their expert, SwiGLU, and INT8
// quantisation of every row.
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x             INT8 [M, K]
//   weight        INT8, INT4 or INT32 that packs INT4; ND or FRACTAL_NZ, one matrix per expert
//   bias          FLOAT [E, N] for INT4 weights, else null
//   offset        reserved, null
//   weightScale   scales of the columns of weight
//   xScale        FLOAT [M], scales of the rows of x
//   groupList     INT64: the row after the last one of each expert
//   output        INT8 [M, N/2]; rows beyond the last group are left alone
//   outputScale   FLOAT [M]
//   outputOffset  reserved, null
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
    const aclTensor *x, const aclTensor *weight, const aclTensor *bias, const aclTensor *offset,
    const aclTensor *weightScale, const aclTensor *xScale, const aclTensor *groupList,
    aclTensor *output, aclTensor *outputScale, aclTensor *outputOffset, uint64_t *workspaceSize,
    aclOpExecutor **executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuant(void *workspace, uint64_t workspaceSize,
                                                    aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H_
