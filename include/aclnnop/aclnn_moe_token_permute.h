// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenPermute: the rows of tokens, one for each of a token's experts, in the order of the
// experts.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tokens            FLOAT, FLOAT16, BF16; [N T..]; a token has as many elements as a row
//   indices           INT32, INT64; [N] or [N K]; each token's experts
//   numOutTokens      at most so many rows are written; 0: all, below 0: all but so many
//   paddedMode        false
//   permuteTokensOut  type of tokens; [R P..]; output; R is N*K or as many as numOutTokens leaves
//   sortedIndicesOut  INT32; [L]; output; [N*K]: where the row of a token and an expert went, also
//                     where it was cut off
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_token_permute/docs/aclnnMoeTokenPermute.md
ACLNN_API aclnnStatus aclnnMoeTokenPermuteGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* indices, int64_t numOutTokens, bool paddedMode,
    const aclTensor* permuteTokensOut, const aclTensor* sortedIndicesOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenPermute(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_H_
