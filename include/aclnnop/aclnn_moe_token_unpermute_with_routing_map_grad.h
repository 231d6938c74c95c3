// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenUnpermuteWithRoutingMapGrad: permutedTokensGradOut = for each row probs * its
// token's unpermutedTokensGrad; probsGradOut = sum of unpermutedTokensGrad * the row of
// permutedTokens.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   unpermutedTokensGrad    FLOAT, FLOAT16, BF16; [N H]
//   outIndex                INT32; [L]; rows, -1: none, but with dropAndPad
//   permuteTokenId          INT32; [L]; each row's token; read where dropAndPad is true
//   routingMapOptional      INT8, BOOL; [N E]; may be null; needed beside probsOptional
//   permutedTokensOptional  type of unpermutedTokensGrad; [L H]; may be null; needed beside
//                           probsOptional
//   probsOptional           FLOAT, FLOAT16, BF16; [N E]; may be null; of the tokens' type, or FLOAT
//                           beside BF16
//   dropAndPad              as forward
//   restoreShapeOptional    may be null; without effect
//   permutedTokensGradOut   type of unpermutedTokensGrad; [L H]; output
//   probsGradOutOptional    FLOAT, FLOAT16, BF16; [N E]; output; may be null; needed beside
//                           probsOptional
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_unpermute_with_routing_map_grad/docs/aclnnMoeTokenUnpermuteWithRoutingMapGrad.md
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
    const aclTensor* unpermutedTokensGrad, const aclTensor* outIndex,
    const aclTensor* permuteTokenId, const aclTensor* routingMapOptional,
    const aclTensor* permutedTokensOptional, const aclTensor* probsOptional, bool dropAndPad,
    const aclIntArray* restoreShapeOptional, const aclTensor* permutedTokensGradOut,
    const aclTensor* probsGradOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_
