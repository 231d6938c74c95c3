// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulFinalizeRoutingWeightNz: rows of products of groups, times their factors, added
// up by token to the shared expert's.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                     INT8; [M K]
//   x2                     INT8; [E K N]; ND or FRACTAL_NZ
//   scale                  FLOAT; [E N]
//   bias                   reserved: ignored
//   pertokenScaleOptional  FLOAT; [M]; may be null; null, which stands for ones, beside INT8 alone
//   groupList              INT64; [E]; as groupListType says
//   sharedInput            BF16; [S N]; may be null; what the shared expert made of S tokens; with
//                          a logit only
//   logit                  FLOAT; [M]; may be null; factors of rows; null stands for ones, and
//                          there is no shared expert
//   rowIndex               INT32, INT64; [M]; the row of the result, 0 to B - 1
//   dtype                  0; 0: FLOAT
//   sharedInputWeight      the shared expert's factor
//   sharedInputOffset      0 or more; its first row of the result
//   transposeX1            false
//   transposeX2            false
//   groupListType          0 to 1; groups are told by 0: where they end, 1: their sizes
//   out                    FLOAT; [B N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingWeightNz.md
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale, const aclTensor* bias,
    const aclTensor* pertokenScaleOptional, const aclTensor* groupList,
    const aclTensor* sharedInput, const aclTensor* logit, const aclTensor* rowIndex, int64_t dtype,
    float sharedInputWeight, int64_t sharedInputOffset, bool transposeX1, bool transposeX2,
    int64_t groupListType, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNz(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_WEIGHT_NZ_H_
