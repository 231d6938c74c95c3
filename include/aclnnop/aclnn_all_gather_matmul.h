// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H_
#define ANYACL_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAllGatherMatmul: gatherOut = x1 of all ranks, one behind the other; output = gatherOut @ x2
// + bias.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1           FLOAT16, BF16; [M K]
//   x2           type of x1; [K N]; ND or FRACTAL_NZ
//   bias         type of x1; [N]; may be null
//   group        the communicator's name, 1 to 127 bytes
//   gatherIndex  0
//   commTurn     0
//   streamMode   1
//   output       type of x1; [G N]; output; G: M times the ranks
//   gatherOut    type of x1; [G K]; output; may be null; null or without elements: not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mc2/all_gather_matmul/docs/aclnnAllGatherMatmul.md
ACLNN_API aclnnStatus aclnnAllGatherMatmulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const char* group,
    int64_t gatherIndex, int64_t commTurn, int64_t streamMode, const aclTensor* output,
    const aclTensor* gatherOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAllGatherMatmul(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H_
