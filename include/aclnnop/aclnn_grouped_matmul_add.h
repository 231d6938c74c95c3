// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulAdd: yRef[g] = x[k of g].T @ weight[k of g] + yRef[g] of groups g of k.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                FLOAT16, BF16; [K M]
//   weight           type of x; [K N]
//   groupList        INT64; [G]; where each group of K ends
//   yRef             FLOAT; [R N] or [G M N]; changed in place; R is G * M
//   transposeX       true
//   transposeWeight  false
//   groupType        2; 2: groups are parts of K
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: gmm/grouped_matmul_add/docs/aclnnGroupedMatmulAdd.md
ACLNN_API aclnnStatus aclnnGroupedMatmulAddGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* groupList, aclTensor* yRef,
    bool transposeX, bool transposeWeight, int64_t groupType, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatmulAdd(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_H_
