// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulFinalizeRouting: rows of products of groups, times their factors, added up by
// token to the shared expert's.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                      INT8; [M K]
//   w                      INT32, INT4; [E K N]; INT32: [E K N/8]; ND or FRACTAL_NZ; INT32 packs
//                          eight INT4
//   scaleOptional          INT64; [E 1 N]; the lower half is fp32
//   biasOptional           FLOAT; [E N]; 8 times the sums of weight * scale over K
//   pertokenScaleOptional  FLOAT; [M]; may be null; null, which stands for ones, beside INT8 alone
//   groupListOptional      INT64; [E]; as groupListType says
//   sharedInputOptional    BF16; [S N]; may be null; what the shared expert made of S tokens; with
//                          a logit only
//   logitOptional          FLOAT; [M]; may be null; factors of rows; null stands for ones, and
//                          there is no shared expert
//   rowIndexOptional       INT64; [M]; the row of the result, 0 to B - 1
//   dtype                  0; 0: FLOAT
//   sharedInputWeight      the shared expert's factor
//   sharedInputOffset      0 or more; its first row of the result
//   transposeX             false
//   transposeW             false
//   groupListType          0 to 1; groups are told by 0: where they end, 1: their sizes
//   y                      FLOAT; [B N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRouting.md
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingGetWorkspaceSize(
    const aclTensor* x, const aclTensor* w, const aclTensor* scaleOptional,
    const aclTensor* biasOptional, const aclTensor* pertokenScaleOptional,
    const aclTensor* groupListOptional, const aclTensor* sharedInputOptional,
    const aclTensor* logitOptional, const aclTensor* rowIndexOptional, int64_t dtype,
    float sharedInputWeight, int64_t sharedInputOffset, bool transposeX, bool transposeW,
    int64_t groupListType, aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRouting(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_H_
