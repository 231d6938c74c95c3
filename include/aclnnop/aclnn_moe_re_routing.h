// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_RE_ROUTING_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_RE_ROUTING_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeReRouting: tokens that ranks sent, in the order of the experts, and which token each row
// is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tokens                      FLOAT16, INT8, BF16; [A H]; by rank, a rank's by expert; H is at
//                               most 16384
//   expertTokenNumPerRank       INT32, INT64; [N E]; how many tokens a rank sent to an expert, A in
//                               all
//   perTokenScalesOptional      FLOAT; [A]; may be null
//   expertTokenNumTypeOptional  1; 1: experts' tokens are counted
//   idxTypeOptional             0; 0: where each row comes from
//   permuteTokensOut            type of tokens; [A H]; output; by expert, an expert's by rank
//   permutePerTokenScalesOut    FLOAT; [A]; output; written beside perTokenScalesOptional alone
//   permuteTokenIdxOut          INT32; [A]; output; the token that is in each row
//   expertTokenNumOut           type of expertTokenNumPerRank; [E]; output; tokens of each expert
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_re_routing/README.md
ACLNN_API aclnnStatus aclnnMoeReRoutingGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* expertTokenNumPerRank,
    const aclTensor* perTokenScalesOptional, int64_t expertTokenNumTypeOptional,
    int64_t idxTypeOptional, const aclTensor* permuteTokensOut,
    const aclTensor* permutePerTokenScalesOut, const aclTensor* permuteTokenIdxOut,
    const aclTensor* expertTokenNumOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeReRouting(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_RE_ROUTING_H_
