// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAllGatherMatmulV2: gatherOut = x1 of all ranks, one behind the other; output = gatherOut @
// x2, of integers times x1Scale of all ranks and x2Scale.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1           FLOAT16, INT8, BF16, INT4; [M K]
//   x2           type of x1; [K N]
//   bias         FLOAT, FLOAT16, BF16; any shape; may be null; null or without elements
//   x1Scale      FLOAT; [R] or [R 1]; may be null; of integers, one for each of this rank's rows
//   x2Scale      FLOAT, INT64; [C] or [1 C]; may be null; of integers, one for each column; INT64
//                with FLOAT16 results
//   quantScale   FLOAT; any shape; may be null; null or without elements
//   blockSize    0
//   group        the communicator's name, 1 to 127 bytes
//   gatherIndex  0
//   commTurn     0
//   streamMode   1
//   groupSize    0
//   commMode     "aiv"; has no effect
//   output       FLOAT16, BF16; [G N]; output; G: M times the ranks
//   gatherOut    type of x1; [G K]; output; may be null; null or without elements: not written
//   amaxOut      FLOAT; any shape; output; may be null; null or without elements
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mc2/all_gather_matmul_v2/docs/aclnnAllGatherMatmulV2.md
ACLNN_API aclnnStatus aclnnAllGatherMatmulV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x1Scale,
    const aclTensor* x2Scale, const aclTensor* quantScale, int64_t blockSize, const char* group,
    int64_t gatherIndex, int64_t commTurn, int64_t streamMode, int64_t groupSize,
    const char* commMode, aclTensor* output, aclTensor* gatherOut, aclTensor* amaxOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAllGatherMatmulV2(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H_
