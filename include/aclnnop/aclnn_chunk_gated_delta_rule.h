// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H_
#define ANYACL_ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnChunkGatedDeltaRule: for each token of a sequence S = e^g S, S += beta (value - S key)
// key^T, out = S query * scaleValue.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query             BF16; [T A K]
//   key               BF16; [T A K]
//   value             BF16; [T V D]
//   beta              BF16; [T V]
//   initialState      FLOAT, BF16; [B V D K]; before each sequence
//   actualSeqLengths  INT32; [B]; tokens of each sequence
//   gOptional         FLOAT; [T V]; may be null; null stands for zeros
//   scaleValue        of the query
//   out               BF16; [T V D]; output
//   finalState        type of initialState; [B V D K]; output; behind each sequence; may be
//                     initialState
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/chunk_gated_delta_rule/docs/aclnnChunkGatedDeltaRule.md
ACLNN_API aclnnStatus aclnnChunkGatedDeltaRuleGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* beta,
    const aclTensor* initialState, const aclTensor* actualSeqLengths, const aclTensor* gOptional,
    float scaleValue, const aclTensor* out, const aclTensor* finalState, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnChunkGatedDeltaRule(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H_
