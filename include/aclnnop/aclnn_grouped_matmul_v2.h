// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_V2_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulV2: y[i] = x[i] @ weight[i] + bias[i] of groups i, with quantised weights or
// results.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                        FLOAT, FLOAT16, INT8, BF16; any shape; one tensor for all groups, or
//                            one for each
//   weight                   FLOAT, FLOAT16, INT8, BF16; any shape; ND or FRACTAL_NZ; [groups, K,
//                            N], or [K, N] for each; groups of K: [K, N]
//   biasOptional             FLOAT, FLOAT16, INT32, BF16; any shape; may be null; as weight:
//                            [groups, N], or [N] for each
//   scaleOptional            INT64, UINT64; any shape; may be null; as weight: [groups, N], or [N]
//                            for each
//   offsetOptional           FLOAT; any shape; may be null; null
//   antiquantScaleOptional   FLOAT16, BF16; any shape; may be null; as weight: [groups, N], or [N]
//                            for each
//   antiquantOffsetOptional  FLOAT16, BF16; any shape; may be null; as weight: [groups, N], or [N]
//                            for each
//   groupListOptional        may be null; where each group ends; null where the tensors' sizes say
//                            it
//   splitItem                0 to 3; 0 and 1: the result has a tensor for each group, 2 and 3: one
//   groupType                -1 to 2; -1: every tensor is a group, 0: groups are rows, 2: parts of
//                            K
//   y                        FLOAT, FLOAT16, INT8, BF16; any shape; output; as splitItem says
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulV2.md
ACLNN_API aclnnStatus aclnnGroupedMatmulV2GetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* biasOptional,
    const aclTensorList* scaleOptional, const aclTensorList* offsetOptional,
    const aclTensorList* antiquantScaleOptional, const aclTensorList* antiquantOffsetOptional,
    const aclIntArray* groupListOptional, int64_t splitItem, int64_t groupType,
    const aclTensorList* y, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatmulV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_V2_H_
