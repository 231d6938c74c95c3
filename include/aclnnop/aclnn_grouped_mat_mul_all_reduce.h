// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatMulAllReduce: y[i] = sum over the ranks of (x[i] @ weight[i] + bias[i]) of groups
// i.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                  FLOAT16, BF16; any shape; contiguous; [M, K], with splitItem 0 [.., M, K] of
//                      up to 6 dimensions; up to 64 tensors
//   weight             FLOAT16, BF16; any shape; [K, N] of each group
//   bias               FLOAT, FLOAT16; any shape; contiguous; may be null; [N] of each group, FLOAT
//                      beside BF16; of this rank: added on each
//   groupListOptional  may be null; the row of x where each group ends, with splitItem 1 and 3, and
//                      only then
//   splitItem          0 to 3; 1 and 3: x is one tensor, 2 and 3: y is; else there is one of each
//                      group
//   group              the communicator's name, 1 to 127 bytes
//   reduceOp           "sum"
//   commTurn           0
//   streamMode         1
//   y                  FLOAT16, BF16; any shape; contiguous; output; [M, N], or as x
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/grouped_mat_mul_all_reduce/docs/aclnnGroupedMatMulAllReduce.md
ACLNN_API aclnnStatus aclnnGroupedMatMulAllReduceGetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* bias,
    const aclIntArray* groupListOptional, int64_t splitItem, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensorList* y,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatMulAllReduce(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H_
