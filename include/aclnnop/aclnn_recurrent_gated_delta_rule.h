// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
#define ANYACL_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRecurrentGatedDeltaRule: for each token S = e^g S diag(e^gk), S += beta (value - S key)
// key^T, out = S query * scaleValue.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query              BF16; [T A K]
//   key                BF16; [T A K]
//   value              BF16; [T V D]
//   beta               BF16; [T V]
//   stateRef           FLOAT, BF16; [S V D K]; changed in place; the state before a sequence, and
//                      behind each of its tokens
//   actualSeqLengths   INT32; [B]; tokens of each sequence
//   ssmStateIndices    INT32; [T]; where the state behind a token lies
//   g                  FLOAT; [T V]; may be null; null stands for zeros
//   gk                 FLOAT; [T V K]; may be null; null stands for zeros
//   numAcceptedTokens  INT32; [B]; may be null; a sequence begins with the state of so many of its
//                      tokens; null stands for ones
//   scaleValue         of the query
//   out                BF16; [T V D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/recurrent_gated_delta_rule/docs/aclnnRecurrentGatedDeltaRule.md
ACLNN_API aclnnStatus aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* beta,
    aclTensor* stateRef, const aclTensor* actualSeqLengths, const aclTensor* ssmStateIndices,
    const aclTensor* g, const aclTensor* gk, const aclTensor* numAcceptedTokens, float scaleValue,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRecurrentGatedDeltaRule(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
