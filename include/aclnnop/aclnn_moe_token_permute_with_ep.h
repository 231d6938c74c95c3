// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_EP_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_EP_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenPermuteWithEp: the rows of tokens, one for each of a token's experts, in the order
// of the experts: those within a range, and their factors.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tokens            FLOAT, FLOAT16, BF16; [N T..]; a token has as many elements as a row
//   indices           INT32, INT64; [N] or [N K]; each token's experts
//   probsOptional     type of tokens; [N] or [N K]; may be null; without effect where rangeOptional
//                     is null
//   rangeOptional     may be null; the number of the first row that is here and of the last one
//                     plus 1; null, empty: all are
//   numOutTokens      as of aclnnMoeTokenPermute; without effect beside rangeOptional
//   paddedMode        false
//   permuteTokensOut  type of tokens; [R P..]; output; R is what rangeOptional or else numOutTokens
//                     leaves
//   sortedIndicesOut  INT32; [L]; output; [N*K]: where the row of a token and an expert went, also
//                     where it was cut off
//   permuteProbsOut   type of tokens; [R]; output; may be null; the factor of each row; needed
//                     beside probsOptional and rangeOptional, else not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_permute_with_ep/docs/aclnnMoeTokenPermuteWithEp.md
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithEpGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* indices, const aclTensor* probsOptional,
    const aclIntArray* rangeOptional, int64_t numOutTokens, bool paddedMode,
    const aclTensor* permuteTokensOut, const aclTensor* sortedIndicesOut,
    const aclTensor* permuteProbsOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenPermuteWithEp(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_WITH_EP_H_
