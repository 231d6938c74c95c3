// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenUnpermuteGrad: permutedTokensGradOut = for each row probs * its token's
// unpermutedTokensGrad; probsGradOut = sum of unpermutedTokensGrad * the row of permutedTokens.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedTokensOptional  FLOAT, FLOAT16, BF16; [R H]; may be null; needed beside probsOptional
//   unpermutedTokensGrad    type of permutedTokensOptional; [N H]
//   sortedIndices           INT32; [L]; the row of each token and expert
//   probsOptional           FLOAT, FLOAT16, BF16; [N K]; may be null; null: a token has one expert,
//                           with a factor of 1
//   paddedMode              false
//   restoreShapeOptional    may be null; without effect
//   permutedTokensGradOut   type of unpermutedTokensGrad; [R H]; output; at most L rows: places
//                           from R on are of rows that were cut off
//   probsGradOut            FLOAT, FLOAT16, BF16; any shape; output; may be null; [N, K]; needed
//                           beside probsOptional, else any shape and not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_token_unpermute_grad/docs/aclnnMoeTokenUnpermuteGrad.md
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
    const aclTensor* permutedTokensOptional, const aclTensor* unpermutedTokensGrad,
    const aclTensor* sortedIndices, const aclTensor* probsOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, aclTensor* permutedTokensGradOut,
    aclTensor* probsGradOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteGrad(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_GRAD_H_
