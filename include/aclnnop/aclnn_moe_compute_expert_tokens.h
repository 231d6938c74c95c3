// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_COMPUTE_EXPERT_TOKENS_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_COMPUTE_EXPERT_TOKENS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeComputeExpertTokens: out[i] = how many of sortedExperts are i at most: where expert i's
// rows end.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   sortedExperts  INT32; [S]; in order
//   numExperts     1 to 2048
//   out            INT32; [numExperts]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_compute_expert_tokens/docs/aclnnMoeComputeExpertTokens.md
ACLNN_API aclnnStatus aclnnMoeComputeExpertTokensGetWorkspaceSize(
    const aclTensor* sortedExperts, int64_t numExperts, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeComputeExpertTokens(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_COMPUTE_EXPERT_TOKENS_H_
