// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenUnpermuteWithEp: out = for each token the sum of probs * its rows of permutedTokens,
// as far as they are within the range.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedTokens        FLOAT, FLOAT16, BF16; [R H]; as many as rangeOptional has, or more;
//                         without it at most L, the others were cut off
//   sortedIndices         INT32; [L]; the row of each token and expert
//   probsOptional         FLOAT, FLOAT16, BF16; [N K]; may be null; null: factors are 1
//   numTopk               experts of a token, K; without rangeOptional they are K or 1
//   rangeOptional         may be null; the number of the first row that is here and of the last one
//                         plus 1; null, empty: all are
//   paddedMode            false
//   restoreShapeOptional  may be null; without effect
//   out                   type of permutedTokens; [N H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_token_unpermute_with_ep/docs/aclnnMoeTokenUnpermuteWithEp.md
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices, const aclTensor* probsOptional,
    int64_t numTopk, const aclIntArray* rangeOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithEp(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_
