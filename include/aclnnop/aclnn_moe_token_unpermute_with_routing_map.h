// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenUnpermuteWithRoutingMap: unpermutedTokens = for each token the sum of probs * its
// rows of permutedTokens.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedTokens        FLOAT, FLOAT16, BF16; [R H]; at most L rows: places from R on are of rows
//                         that were cut off; paddedMode: L rows
//   sortedIndices         INT32; [L]; the row of each token and expert, -1: none; paddedMode: each
//                         row's token
//   routingMapOptional    INT8, BOOL; [N E]; may be null; needed beside probsOptional, unless
//                         paddedMode
//   probsOptional         FLOAT, FLOAT16, BF16; [N E]; may be null; of the tokens' type, or FLOAT
//                         beside BF16
//   paddedMode            each expert has L / E rows
//   restoreShapeOptional  may be null; [N, H]; needed without probsOptional
//   unpermutedTokens      type of permutedTokens; [N H]; output
//   outIndex              INT32; [L]; output; sortedIndices, with -1; paddedMode: the rows in the
//                         order of their tokens
//   permuteTokenId        INT32; [L]; output; whose row outIndex has
//   permuteProbs          type of probsOptional; [L]; output; may be null; the factor of each
//                         place; needed beside probsOptional
//   161001  a required argument, workspaceSize or executor is null
//   561103  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_unpermute_with_routing_map/docs/aclnnMoeTokenUnpermuteWithRoutingMap.md
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices,
    const aclTensor* routingMapOptional, const aclTensor* probsOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, aclTensor* unpermutedTokens, aclTensor* outIndex,
    aclTensor* permuteTokenId, aclTensor* permuteProbs, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMap(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_
