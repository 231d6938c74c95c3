// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V3_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedInferAttentionScoreV3: attention of query rows over cached keys and values.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                          FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D] or [N
//                                  B Sq D] or [T N D] or [N T D]
//   key                            FLOAT16, INT8, INT32, BF16, INT4; [B S2 Hk] or [B S2 Nk D] or [B
//                                  Nk S2 D] or [T Nk D] or [Nk T D] or [blocks blockSize Hk] or
//                                  [blocks Nk blockSize D] or [blocks Nk D/16 blockSize 16] or
//                                  [blocks Nk D/32 blockSize 32]
//   value                          FLOAT16, INT8, INT32, BF16, INT4; [B S2 Hk] or [B S2 Nk D] or [B
//                                  Nk S2 D] or [T Nk D] or [Nk T D] or [blocks blockSize Hk] or
//                                  [blocks Nk blockSize D] or [blocks Nk D/16 blockSize 16] or
//                                  [blocks Nk D/32 blockSize 32]
//   pseShiftOptional               FLOAT16, BF16; [B? N Sq+ S2+]; may be null
//   attenMaskOptional              INT8, UINT8, BOOL; [Sq+ S2+] or [B? Sq+ S2+] or [B? 1 Sq+ S2+]
//                                  or [2048 2048] or [1 2048 2048] or [1 1 2048 2048] or [B? S2+]
//                                  or [B? 1 S2+] or [B? 1 1 S2+] or [B Sq Sq] or [squares]; may be
//                                  null
//   actualSeqLengthsOptional       may be null
//   actualSeqLengthsKvOptional     may be null
//   deqScale1Optional              FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale1Optional            FLOAT; any shape; may be null; 1 element
//   deqScale2Optional              FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale2Optional            FLOAT, BF16; any shape; may be null; 1 element or N*D
//   quantOffset2Optional           FLOAT, BF16; any shape; may be null; 1 element or N*D
//   antiquantScaleOptional         FLOAT, FLOAT16, BF16; [2] or [2 Hk] or [2 Nk D] or [2 Nk 1 D] or
//                                  [2 B S2]; may be null
//   antiquantOffsetOptional        FLOAT, FLOAT16, BF16; [2] or [2 Hk] or [2 Nk D] or [2 Nk 1 D] or
//                                  [2 B S2]; may be null
//   blockTableOptional             INT32; [B blocks]; may be null
//   queryPaddingSizeOptional       INT64; [1]; may be null
//   kvPaddingSizeOptional          INT64; [1]; may be null; with one row of query any shape, of
//                                  which the first element counts
//   keyAntiquantScaleOptional      FLOAT, FLOAT16, BF16; [1] or [Nk] or [Hk] or [Nk D] or [B S2] or
//                                  [Nk 1 D] or [1 Nk D] or [1 B S2] or [B Nk S2] or [1 Nk 1 D] or
//                                  [blocks blockSize] or [blocks Nk blockSize]; may be null
//   keyAntiquantOffsetOptional     FLOAT, FLOAT16, BF16; [1] or [Nk] or [Hk] or [Nk D] or [B S2] or
//                                  [Nk 1 D] or [1 Nk D] or [1 B S2] or [B Nk S2] or [1 Nk 1 D] or
//                                  [blocks blockSize] or [blocks Nk blockSize]; may be null
//   valueAntiquantScaleOptional    FLOAT, FLOAT16, BF16; [1] or [Nk] or [Hk] or [Nk D] or [B S2] or
//                                  [Nk 1 D] or [1 Nk D] or [1 B S2] or [B Nk S2] or [1 Nk 1 D] or
//                                  [blocks blockSize] or [blocks Nk blockSize]; may be null
//   valueAntiquantOffsetOptional   FLOAT, FLOAT16, BF16; [1] or [Nk] or [Hk] or [Nk D] or [B S2] or
//                                  [Nk 1 D] or [1 Nk D] or [1 B S2] or [B Nk S2] or [1 Nk 1 D] or
//                                  [blocks blockSize] or [blocks Nk blockSize]; may be null
//   keySharedPrefixOptional        FLOAT16, INT8, INT32, BF16, INT4; [1 Sp Hk] or [1 Sp Nk D] or [1
//                                  Nk Sp D]; may be null
//   valueSharedPrefixOptional      FLOAT16, INT8, INT32, BF16, INT4; [1 Sp Hk] or [1 Sp Nk D] or [1
//                                  Nk Sp D]; may be null
//   actualSharedPrefixLenOptional  may be null
//   queryRopeOptional              FLOAT16, BF16; [B Sq N*64] or [B Sq N 64] or [B N Sq 64] or [T N
//                                  64] or [N T 64]; may be null
//   keyRopeOptional                FLOAT16, BF16; [B S2 Nk*64] or [B S2 Nk 64] or [B Nk S2 64] or
//                                  [T Nk 64] or [Nk T 64] or [blocks blockSize Nk*64] or [blocks Nk
//                                  blockSize 64] or [blocks Nk 4 blockSize 16]; may be null
//   keyRopeAntiquantScaleOptional  reserved: ignored
//   numHeads                       N, the heads of query
//   scaleValue                     multiplies query times key
//   inputLayout                    may be null; BSH, BSND, BNSD, BNSD_BSND, BSH_NBSD, BSND_NBSD,
//                                  BNSD_NBSD, TND, TND_NTD or NTD_TND
//   numKeyValueHeads               Nk; 0: N
//   sparseMode                     0 to 4: which columns of a row count; 9: the mask covers the
//                                  last Sq of them
//   innerPrecise                   0 to 3; 2 and 3 correct empty rows
//   blockSize                      tokens in a block of a paged cache
//   antiquantMode                  0: per channel, 1: per token
//   keyAntiquantMode               as antiquantMode, and 2 to 5
//   valueAntiquantMode             as keyAntiquantMode
//   attentionOut                   FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D] or [N
//                                  B Sq D] or [T N D] or [N T D]; output
//   softmaxLse                     FLOAT; [B N Sq 1] or [T N 1]; output; needed if softmaxLseFlag
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScoreV3.md
ACLNN_API aclnnStatus aclnnFusedInferAttentionScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, const aclTensor* attentionOut, const aclTensor* softmaxLse,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// First phase that tells the workspace in bytes of every such call, whatever the values in its
// arrays are. Codes as above.
ACLNN_API aclnnStatus aclnnFusedInferAttentionScoreV3GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, const aclTensor* attentionOut, const aclTensor* softmaxLse,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedInferAttentionScoreV3(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V3_H_
