// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeTokenUnpermute: out = for each token the sum of probs * its rows of permutedTokens.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permutedTokens        FLOAT, FLOAT16, BF16; [R H]; at most L rows: places from R on are of rows
//                         that were cut off
//   sortedIndices         INT32; [L]; the row of each token and expert
//   probsOptional         FLOAT, FLOAT16, BF16; [N K]; may be null; null: a token has one expert,
//                         with a factor of 1
//   paddedMode            false
//   restoreShapeOptional  may be null; without effect
//   out                   type of permutedTokens; [N H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_token_unpermute/docs/aclnnMoeTokenUnpermute.md
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices, const aclTensor* probsOptional,
    bool paddedMode, const aclIntArray* restoreShapeOptional, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeTokenUnpermute(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_H_
