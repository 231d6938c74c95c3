// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenPermuteWithRoutingMap: the rows of tokens, one for each expert that the map has for
// a token, in the order of the experts, or so many for each expert.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tokens                   FLOAT, FLOAT16, BF16; [N H]
//   routingMap               INT8, BOOL; [N E]; whether a token goes to an expert; fewer than
//                            16777215 of both
//   probsOptional            FLOAT, FLOAT16, BF16; [N E]; may be null; of the tokens' type, or
//                            FLOAT beside BF16
//   numOutTokens             0 or more; at most N*E
//   dropAndPad               each expert has numOutTokens / E rows
//   permuteTokensOut         type of tokens; [R H]; output; R is numOutTokens / N * N, dropAndPad:
//                            numOutTokens / E * E, each quotient rounded down
//   permuteProbsOutOptional  type of probsOptional; [R]; output; may be null; needed beside
//                            probsOptional, and only there
//   sortedIndicesOut         INT32; [R]; output; where a token's rows went, -1 where it has less;
//                            dropAndPad: which token a row is
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_permute_with_routing_map/docs/aclnnMoeTokenPermuteWithRoutingMap.md
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithRoutingMapGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* routingMap, const aclTensor* probsOptional,
    int64_t numOutTokens, bool dropAndPad, aclTensor* permuteTokensOut,
    aclTensor* permuteProbsOutOptional, aclTensor* sortedIndicesOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithRoutingMap(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_
