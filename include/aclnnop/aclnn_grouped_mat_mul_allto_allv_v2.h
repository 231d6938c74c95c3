// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALLTO_ALLV_V2_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALLTO_ALLV_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatMulAlltoAllvV2: y = rows of gmmX @ gmmWeight by expert, sent to the ranks they
// belong to; mmY = mmX @ mmWeight.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gmmX                      FLOAT16, BF16; [T H]
//   gmmWeight                 type of gmmX; [E X Y]; [E, H, N], or [E, N, H] if transposed
//   sendCountsTensorOptional  reserved: ignored; not used
//   recvCountsTensorOptional  reserved: ignored; not used
//   mmXOptional               type of gmmX; [M K]; may be null
//   mmWeightOptional          type of gmmX; [U V]; may be null; with mmXOptional: [K, W], or [W, K]
//                             if transposed
//   group                     the communicator's name, 1 to 127 bytes
//   commMode                  "ai_cpu"; has no effect
//   epWorldSize               1 to 4096; ranks of the communicator
//   sendCounts                rows to each rank and expert, by rank
//   recvCounts                rows from each rank and expert, by rank
//   y                         type of gmmX; [A N]; output
//   mmYOptional               type of gmmX; [M W]; output; may be null; mmX @ mmWeight, where they
//                             are given
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/grouped_mat_mul_allto_allv/docs/aclnnGroupedMatMulAlltoAllvV2.md
ACLNN_API aclnnStatus aclnnGroupedMatMulAlltoAllvV2GetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const char* group, const char* commMode, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, aclTensor* y, aclTensor* mmYOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatMulAlltoAllvV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALLTO_ALLV_V2_H_
