// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaSelectedAttention: attention of each row to the blocks of keys that topkIndices names for
// it.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT16, BF16; [T1 headNum D]
//   key                     type of query; [T2 N2 D]
//   value                   type of query; [T2 N2 Dv]; Dv at most D
//   topkIndices             INT32; [T1 N2 selectedBlockCount]
//   attenMaskOptional       UINT8, BOOL; any shape; may be null; two dimensions; not read: a row
//                           sees keys up to its place; null: all keys
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   scaleValue              of the products of queries and keys
//   headNum                 1 or more
//   inputLayout             may be null; TND
//   sparseMode              0 to 2; 0: all keys, without a mask; 2: causal if there is one; not 1
//   selectedBlockSize       16 to 128; keys of a block, a multiple of 16
//   selectedBlockCount      1 to 128; blocks of a row
//   softmaxMaxOut           FLOAT; [T1 headNum 8]; output; the largest score of a row, eight times
//   softmaxSumOut           FLOAT; [T1 headNum 8]; output; the sum of exp(score - largest), eight
//                           times
//   attentionOut            type of query; [T1 headNum Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/nsa_selected_attention/docs/aclnnNsaSelectedAttention.md
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* topkIndices, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    double scaleValue, int64_t headNum, char* inputLayout, int64_t sparseMode,
    int64_t selectedBlockSize, int64_t selectedBlockCount, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* attentionOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaSelectedAttention(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_H_
