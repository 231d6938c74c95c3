// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaSelectedAttentionGrad: the gradients of aclnnNsaSelectedAttention.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT16, BF16; [T1 headNum D]
//   key                     type of query; [T2 N2 D]
//   value                   type of query; [T2 N2 Dv]; Dv at most D
//   attentionOut            type of query; [T1 headNum Dv]; of the forward call
//   attentionOutGrad        type of query; [T1 headNum Dv]
//   softmaxMax              FLOAT; [T1 headNum 8]; of the forward call
//   softmaxSum              FLOAT; [T1 headNum 8]; of the forward call
//   topkIndices             INT32; [T1 N2 selectedBlockCount]
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   attenMaskOptional       UINT8, BOOL; any shape; may be null; two dimensions, not read
//   scaleValue              of the products of queries and keys
//   selectedBlockSize       16 to 128; keys of a block, a multiple of 16
//   selectedBlockCount      1 to 128; blocks of a row
//   headNum                 1 or more
//   inputLayout             may be null; TND
//   sparseMode              0 to 2; 0: all keys, without a mask; 2: causal, with a mask and
//                           without; not 1
//   dqOut                   type of query; [T1 headNum D]; output
//   dkOut                   type of query; [T2 N2 D]; output
//   dvOut                   type of query; [T2 N2 Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/nsa_selected_attention_grad/docs/aclnnNsaSelectedAttentionGrad.md
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attentionOut, const aclTensor* attentionOutGrad, const aclTensor* softmaxMax,
    const aclTensor* softmaxSum, const aclTensor* topkIndices,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclTensor* attenMaskOptional, double scaleValue, int64_t selectedBlockSize,
    int64_t selectedBlockCount, int64_t headNum, char* inputLayout, int64_t sparseMode,
    const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_GRAD_H_
