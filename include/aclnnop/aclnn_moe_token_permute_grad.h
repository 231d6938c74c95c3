// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenPermuteGrad: out = for each token the sum of its rows of permutedOutputGrad.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedOutputGrad  FLOAT, FLOAT16, BF16; [R H]; at most L rows: places from R on are of rows
//                       that were cut off
//   sortedIndices       INT32; [L]; the row of each token and expert
//   numTopk             1 to 512; experts of a token
//   paddedMode          false
//   out                 type of permutedOutputGrad; [N H]; output; N * numTopk is L
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_token_permute_grad/docs/aclnnMoeTokenPermuteGrad.md
ACLNN_API aclnnStatus aclnnMoeTokenPermuteGradGetWorkspaceSize(
    const aclTensor* permutedOutputGrad, const aclTensor* sortedIndices, int64_t numTopk,
    bool paddedMode, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenPermuteGrad(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_GRAD_H_
