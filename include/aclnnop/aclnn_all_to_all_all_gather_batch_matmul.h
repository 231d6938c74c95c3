// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ALL_TO_ALL_ALL_GATHER_BATCH_MATMUL_H_
#define ANYACL_ACLNNOP_ACLNN_ALL_TO_ALL_ALL_GATHER_BATCH_MATMUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAlltoAllAllGatherBatchMatMul: y2 = x of all ranks of groupEp for this rank's experts, shared
// by those of groupTp; y1 = activation of (y2 @ weight + bias) by expert.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x              FLOAT16, BF16; [X Y Z]; [E, C, H / tp], or [E, C / tp, H] with xShardType 1
//   weight         type of x; [E K N]; [E / ep, H, M / tp]
//   biasOptional   FLOAT, FLOAT16; [E N] or [E 1 N]; may be null; FLOAT16, with BF16 FLOAT
//   groupEp        the communicator's name, 1 to 127 bytes
//   groupTp        another communicator's name, 1 to 127 bytes
//   epWorldSize    1 to 4096; ranks of the communicator
//   tpWorldSize    1 to 4096; ranks of groupTp
//   xShardType     0 to 1; what the ranks of groupTp share: 0: H, 1: C
//   actType        0 to 4; 0: none, 1: GELU by tanh, 2: SiLU, 3: ReLU, 4: FastGELU
//   y1Out          type of x; [E R N]; output; R: ep times C
//   y2OutOptional  type of x; [E R K]; output; may be null; the left of the product
//   y3OutOptional  type of x; [E R N]; output; may be null; y1Out without the activation, if there
//                  is one
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/allto_all_all_gather_batch_mat_mul/docs/aclnnAlltoAllAllGatherBatchMatMul.md
ACLNN_API aclnnStatus aclnnAlltoAllAllGatherBatchMatMulGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* biasOptional, const char* groupEp,
    const char* groupTp, int64_t epWorldSize, int64_t tpWorldSize, int64_t xShardType,
    int64_t actType, aclTensor* y1Out, aclTensor* y2OutOptional, aclTensor* y3OutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAlltoAllAllGatherBatchMatMul(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ALL_TO_ALL_ALL_GATHER_BATCH_MATMUL_H_
