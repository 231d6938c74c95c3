// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenPermuteWithRoutingMapGrad: tokenGradOut = for each token the sum of its rows of
// permutedTokensOutputGrad; probsGradOut = permutedProbsOutputGrad where the row's token and expert
// are.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedTokensOutputGrad         FLOAT, FLOAT16, BF16; [R H]
//   permutedProbsOutputGradOptional  FLOAT, FLOAT16, BF16; [R]; may be null; of the tokens' type,
//                                    or FLOAT beside BF16
//   sortedIndices                    INT32; [R]; where a token's rows are, -1: none; dropAndPad:
//                                    which token a row is
//   routingMapOptional               INT8, BOOL; [tokensNum numExperts]; may be null; needed beside
//                                    permutedProbsOutputGradOptional
//   numExperts                       1 or more
//   tokensNum                        1 or more
//   dropAndPad                       as forward
//   tokenGradOut                     type of permutedTokensOutputGrad; [tokensNum H]; output
//   probsGradOutOptional             type of permutedProbsOutputGradOptional; [tokensNum
//                                    numExperts]; output; may be null; written beside
//                                    permutedProbsOutputGradOptional
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_permute_with_routing_map_grad/docs/aclnnMoeTokenPermuteWithRoutingMapGrad.md
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithRoutingMapGradGetWorkspaceSize(
    const aclTensor* permutedTokensOutputGrad, const aclTensor* permutedProbsOutputGradOptional,
    const aclTensor* sortedIndices, const aclTensor* routingMapOptional, int64_t numExperts,
    int64_t tokensNum, bool dropAndPad, aclTensor* tokenGradOut, aclTensor* probsGradOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithRoutingMapGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_
