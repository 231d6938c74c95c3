// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_PROMPT_FLASH_ATTENTION_V3_H_
#define ANYACL_ACLNNOP_ACLNN_PROMPT_FLASH_ATTENTION_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnPromptFlashAttentionV3: attention of the rows of prompts: FusedInferAttentionScore for more
// than one row.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query               FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D]
//   key                 FLOAT16, INT8, BF16; [B S2 Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value               FLOAT16, INT8, BF16; [B S2 Hk] or [B S2 Nk D] or [B Nk S2 D]
//   pseShift            FLOAT16, BF16; [B? N Sq+ S2+]; may be null
//   attenMask           INT8, UINT8, BOOL; [Sq+ S2+] or [B? Sq+ S2+] or [B? 1 Sq+ S2+] or [2048
//                       2048] or [1 2048 2048] or [1 1 2048 2048]; may be null
//   actualSeqLengths    may be null
//   actualSeqLengthsKv  may be null
//   deqScale1           FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale1         FLOAT; any shape; may be null; 1 element
//   deqScale2           FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale2         FLOAT, BF16; any shape; may be null; 1 element or N*D
//   quantOffset2        FLOAT, BF16; any shape; may be null; 1 element or N*D
//   numHeads            N, the heads of query
//   scaleValue          multiplies query times key
//   inputLayout         may be null; BSH, BSND, BNSD or BNSD_BSND
//   numKeyValueHeads    Nk; 0: N
//   sparseMode          0 to 4: which columns of a row count
//   innerPrecise        0 to 3; 2 and 3 correct empty rows
//   attentionOut        FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/prompt_flash_attention/docs/aclnnPromptFlashAttentionV3.md
ACLNN_API aclnnStatus aclnnPromptFlashAttentionV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* pseShift,
    const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclIntArray* actualSeqLengthsKv, const aclTensor* deqScale1, const aclTensor* quantScale1,
    const aclTensor* deqScale2, const aclTensor* quantScale2, const aclTensor* quantOffset2,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise,
    const aclTensor* attentionOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnPromptFlashAttentionV3(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_PROMPT_FLASH_ATTENTION_V3_H_
