// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenUnpermuteWithEpGrad: permutedTokensGradOut = for each row within the range probs *
// its token's unpermutedTokensGrad; probsGradOut = sum of unpermutedTokensGrad * the row of
// permutedTokens.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   unpermutedTokensGrad    FLOAT, FLOAT16, BF16; [N H]
//   sortedIndices           INT32; [L]; the row of each token and expert
//   permutedTokensOptional  type of unpermutedTokensGrad; [R H]; may be null; needed beside
//                           probsOptional
//   probsOptional           FLOAT, FLOAT16, BF16; [N K]; may be null; null: factors are 1
//   paddedMode              false
//   restoreShapeOptional    may be null; without effect
//   rangeOptional           may be null; the number of the first row that is here and of the last
//                           one plus 1; null, empty: all are
//   topkNum                 experts of a token where probsOptional is null
//   permutedTokensGradOut   type of unpermutedTokensGrad; [R H]; output; as many as rangeOptional
//                           has, or more; without it at most L, the others were cut off
//   probsGradOut            type of probsOptional; [N K]; output; may be null; needed beside
//                           probsOptional, else not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_unpermute_with_ep_grad/docs/aclnnMoeTokenUnpermuteWithEpGrad.md
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithEpGradGetWorkspaceSize(
    const aclTensor* unpermutedTokensGrad, const aclTensor* sortedIndices,
    const aclTensor* permutedTokensOptional, const aclTensor* probsOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, const aclIntArray* rangeOptional, int64_t topkNum,
    const aclTensor* permutedTokensGradOut, const aclTensor* probsGradOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithEpGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_GRAD_H_
