// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_EP_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_EP_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenPermuteWithEpGrad: tokenGradOut = for each token the sum of its rows of
// permutedTokensOutputGrad, as far as they are within the range; probsGradOut =
// permutedProbsOutputGrad of the place's row, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedTokensOutputGrad         FLOAT, FLOAT16, BF16; [R H]; as many as rangeOptional has, or
//                                    more; without it at most L, the others were cut off
//   sortedIndices                    INT32; [L]; the row of each token and expert
//   permutedProbsOutputGradOptional  type of permutedTokensOutputGrad; [S]; may be null; as many as
//                                    rangeOptional has, or more; without effect where that is null
//   numTopk                          1 to 512; experts of a token
//   rangeOptional                    may be null; the number of the first row that is here and of
//                                    the last one plus 1; null, empty: all are
//   paddedMode                       false
//   tokenGradOut                     type of permutedTokensOutputGrad; [N H]; output; N * numTopk
//                                    is L
//   probsGradOut                     type of permutedTokensOutputGrad; [N numTopk]; output; may be
//                                    null; needed beside permutedProbsOutputGradOptional and
//                                    rangeOptional, else not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_permute_with_ep_grad/docs/aclnnMoeTokenPermuteWithEpGrad.md
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithEpGradGetWorkspaceSize(
    const aclTensor* permutedTokensOutputGrad, const aclTensor* sortedIndices,
    const aclTensor* permutedProbsOutputGradOptional, int64_t numTopk,
    const aclIntArray* rangeOptional, bool paddedMode, const aclTensor* tokenGradOut,
    const aclTensor* probsGradOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithEpGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_EP_GRAD_H_
