// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_MATMUL_REDUCE_SCATTER_ALL_TO_ALL_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_MATMUL_REDUCE_SCATTER_ALL_TO_ALL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchMatMulReduceScatterAlltoAll: out = the way back: x @ weight by expert, this rank's
// share of the sum over groupTp, + bias, sent to the ranks of groupEp.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x             FLOAT16, BF16; [E R K]; R: ep times C
//   weight        type of x; [E K N]; N: H
//   biasOptional  FLOAT, FLOAT16; [E B] or [E 1 B]; may be null; FLOAT16, with BF16 FLOAT
//   groupEp       the communicator's name, 1 to 127 bytes
//   groupTp       another communicator's name, 1 to 127 bytes
//   epWorldSize   1 to 4096; ranks of the communicator
//   tpWorldSize   1 to 4096; ranks of groupTp
//   yShardType    0 to 1; what the ranks of groupTp share: 0: H, 1: C
//   out           type of x; [X Y Z]; output; [E, C, H / tp], or [E, C / tp, H] with yShardType 1
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/batch_mat_mul_reduce_scatter_allto_all/docs/aclnnBatchMatMulReduceScatterAlltoAll.md
ACLNN_API aclnnStatus aclnnBatchMatMulReduceScatterAlltoAllGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* biasOptional, const char* groupEp,
    const char* groupTp, int64_t epWorldSize, int64_t tpWorldSize, int64_t yShardType,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchMatMulReduceScatterAlltoAll(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_MATMUL_REDUCE_SCATTER_ALL_TO_ALL_H_
