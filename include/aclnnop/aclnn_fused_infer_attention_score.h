// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedInferAttentionScore: attention of query rows over cached keys and values.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query               FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D]
//   key                 FLOAT16, INT8, BF16; [B S2 Hk] or [B S2 Nk D] or [B Nk S2 D] or [blocks
//                       blockSize Hk] or [blocks Nk blockSize D]
//   value               FLOAT16, INT8, BF16; [B S2 Hk] or [B S2 Nk D] or [B Nk S2 D] or [blocks
//                       blockSize Hk] or [blocks Nk blockSize D]
//   pseShift            FLOAT16, BF16; [B? N Sq+ S2+]; may be null
//   attenMask           INT8, UINT8, BOOL; [Sq+ S2+] or [B? Sq+ S2+] or [B? 1 Sq+ S2+] or [2048
//                       2048] or [1 2048 2048] or [1 1 2048 2048] or [B? S2+] or [B? 1 S2+] or [B?
//                       1 1 S2+]; may be null
//   actualSeqLengths    may be null
//   actualSeqLengthsKv  may be null
//   deqScale1           FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale1         FLOAT; any shape; may be null; 1 element
//   deqScale2           FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale2         FLOAT, BF16; any shape; may be null; 1 element or N*D
//   quantOffset2        FLOAT, BF16; any shape; may be null; 1 element or N*D
//   antiquantScale      FLOAT, FLOAT16, BF16; [2] or [2 Hk] or [2 Nk D] or [2 Nk 1 D] or [2 B S2];
//                       may be null
//   antiquantOffset     FLOAT, FLOAT16, BF16; [2] or [2 Hk] or [2 Nk D] or [2 Nk 1 D] or [2 B S2];
//                       may be null
//   blockTable          INT32; [B blocks]; may be null
//   queryPaddingSize    INT64; [1]; may be null
//   kvPaddingSize       INT64; [1]; may be null; with one row of query any shape, of which the
//                       first element counts
//   numHeads            N, the heads of query
//   scaleValue          multiplies query times key
//   inputLayout         may be null; BSH, BSND, BNSD or BNSD_BSND
//   numKeyValueHeads    Nk; 0: N
//   sparseMode          0 to 4: which columns of a row count
//   innerPrecise        0 to 3; 2 and 3 correct empty rows
//   blockSize           tokens in a block of a paged cache
//   antiquantMode       0: per channel, 1: per token
//   attentionOut        FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D]; output
//   softmaxLse          FLOAT; [B N Sq 1]; output; needed if softmaxLseFlag
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScore.md
ACLNN_API aclnnStatus aclnnFusedInferAttentionScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclIntArray* actualSeqLengthsKv, const aclTensor* deqScale1, const aclTensor* quantScale1,
    const aclTensor* deqScale2, const aclTensor* quantScale2, const aclTensor* quantOffset2,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* blockTable,
    const aclTensor* queryPaddingSize, const aclTensor* kvPaddingSize, int64_t numHeads,
    double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, const aclTensor* attentionOut,
    const aclTensor* softmaxLse, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedInferAttentionScore(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_H_
