// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_H_
#define ANYACL_ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFlashAttentionScore: dropout(softmax((query * key^T + realShift) * scaleValue, attenMask)) *
// value.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                FLOAT, FLOAT16, BF16; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]
//   key                  type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv]
//   realShiftOptional    type of query; [B? N Sq? S2]; may be null
//   dropMaskOptional     UINT8; [bytes+]; may be null; a bit for each of [B, N, Sq, S2], the lowest
//                        first; 0 drops
//   paddingMaskOptional  FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused unless
//                        it is empty
//   attenMaskOptional    UINT8, BOOL; [Sq S2] or [* 2048 2048] or [* 3072 2048] or [B? 1 Sq S2] or
//                        [B N Sq S2]; may be null; 1 hides
//   prefixOptional       may be null; sparseMode 5 and 6: [B] columns that all rows see
//   scaleValue           multiplies the sum of query times key and pse
//   keepProb             above 0, at most 1: the share of ones in dropMask
//   headNum              N, the heads of query
//   inputLayout          BSH, SBH, BSND or BNSD
//   innerPrecise         changes nothing
//   sparseMode           0 to 6: which columns of a row count
//   softmaxMaxOut        FLOAT; [B N Sq 8]; output; the largest score of a row, eight times
//   softmaxSumOut        FLOAT; [B N Sq 8]; output; the sum of exp(score - largest), eight times
//   softmaxOutOut        FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut      type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv];
//                        output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionScore.md
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* softmaxOutOut, const aclTensor* attentionOutOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionScore(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionVarLenScore: aclnnFlashAttentionScore of sequences of any lengths, layout TND.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   key                     type of query; [T2 Nk D]
//   value                   type of query; [T2 Nk Dv]
//   realShiftOptional       type of query; [scores] or [1 N S S] or [B N S S] or [B N 1 S]; may be
//                           null
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   scaleValue              multiplies the sum of query times key and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   softmaxMaxOut           FLOAT; [N T 8] or [T N 8]; output; the largest score of a row, eight
//                           times
//   softmaxSumOut           FLOAT; [N T 8] or [T N 8]; output; the sum of exp(score - largest),
//                           eight times
//   softmaxOutOut           FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut         type of query; [T N Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionVarLenScore.md
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* softmaxOutOut, const aclTensor* attentionOutOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScore(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionScoreV2: aclnnFlashAttentionScore, or dropout(softmax(query * key^T *
// scaleValue + pse, attenMask)) * value with a pse that is given or made of slopes.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                FLOAT, FLOAT16, BF16; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]
//   key                  type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv]
//   realShiftOptional    FLOAT, FLOAT16, BF16; [B? N Sq? S2] or [B N] or [N]; may be null; of
//                        query's type; pseType 2 and 3: slopes, FLOAT
//   dropMaskOptional     UINT8; [bytes+]; may be null; a bit for each of [B, N, Sq, S2], the lowest
//                        first; 0 drops
//   paddingMaskOptional  FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused unless
//                        it is empty
//   attenMaskOptional    UINT8, BOOL; [Sq S2] or [* 2048 2048] or [* 3072 2048] or [B? 1 Sq S2] or
//                        [B N Sq S2]; may be null; 1 hides
//   prefixOptional       may be null; sparseMode 5 and 6: [B] columns that all rows see
//   qStartIdxOptional    may be null; pseType 2 and 3: the place of the first row
//   kvStartIdxOptional   may be null; pseType 2 and 3: the place of the first column
//   scaleValue           multiplies query times key; pseType 1: and pse
//   keepProb             above 0, at most 1: the share of ones in dropMask
//   headNum              N, the heads of query
//   inputLayout          BSH, SBH, BSND or BNSD
//   innerPrecise         changes nothing
//   sparseMode           0 to 6: which columns of a row count
//   pseType              0: pse is added to the scaled scores, 1: before they are scaled; of slopes
//                        is made 2: -slope * distance, 3: -slope * sqrt(distance), which is added
//                        to scaled scores
//   softmaxMaxOut        FLOAT; [B N Sq 8]; output; the largest score of a row, eight times
//   softmaxSumOut        FLOAT; [B N Sq 8]; output; the sum of exp(score - largest), eight times
//   softmaxOutOut        FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut      type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv];
//                        output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionScoreV2.md
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionVarLenScoreV2: aclnnFlashAttentionScoreV2 of sequences of any lengths, layout
// TND.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   key                     type of query; [T2 Nk D]
//   value                   type of query; [T2 Nk Dv]
//   realShiftOptional       FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; may be null; of query's type; pseType 2 and 3: slopes,
//                           FLOAT
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   qStartIdxOptional       may be null; pseType 2 and 3: the place of the first row
//   kvStartIdxOptional      may be null; pseType 2 and 3: the place of the first column
//   scaleValue              multiplies query times key; pseType 1: and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   pseType                 0: pse is added to the scaled scores, 1: before they are scaled; of
//                           slopes is made 2: -slope * distance, 3: -slope * sqrt(distance), which
//                           is added to scaled scores
//   softmaxMaxOut           FLOAT; [N T 8] or [T N 8]; output; the largest score of a row, eight
//                           times
//   softmaxSumOut           FLOAT; [N T 8] or [T N 8]; output; the sum of exp(score - largest),
//                           eight times
//   softmaxOutOut           FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut         type of query; [T N Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionVarLenScoreV2.md
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionVarLenScoreV3: aclnnFlashAttentionVarLenScoreV2 with ropes in tensors of their
// own.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   queryRope               type of query; [T N Dr]
//   key                     type of query; [T2 Nk D]
//   keyRope                 type of query; [T2 Nk Dr]
//   value                   type of query; [T2 Nk Dv]
//   realShiftOptional       FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; may be null; refused unless it is empty
//   dropMaskOptional        UINT8; [bytes+]; may be null; refused unless it is empty
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; 1 hides
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   qStartIdxOptional       may be null; pseType 2 and 3: the place of the first row
//   kvStartIdxOptional      may be null; pseType 2 and 3: the place of the first column
//   scaleValue              multiplies query times key; pseType 1: and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   pseType                 0 or 1, which are the same without pse
//   softmaxMaxOut           FLOAT; [N T 8] or [T N 8]; output; the largest score of a row, eight
//                           times
//   softmaxSumOut           FLOAT; [N T 8] or [T N 8]; output; the sum of exp(score - largest),
//                           eight times
//   softmaxOutOut           FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut         type of query; [T N Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionVarLenScoreV3.md
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* key,
    const aclTensor* keyRope, const aclTensor* value, const aclTensor* realShiftOptional,
    const aclTensor* dropMaskOptional, const aclTensor* paddingMaskOptional,
    const aclTensor* attenMaskOptional, const aclIntArray* prefixOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV3(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionVarLenScoreV4: aclnnFlashAttentionVarLenScore with a layout of the statistics.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   key                     type of query; [T2 Nk D]
//   value                   type of query; [T2 Nk Dv]
//   realShiftOptional       type of query; [scores] or [1 N S S] or [B N S S] or [B N 1 S]; may be
//                           null
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   scaleValue              multiplies the sum of query times key and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   softmaxOutLayout        same_as_input: [T, N, 8]; empty: [N, rows, 8] of each sequence
//   softmaxMaxOut           FLOAT; [N T 8] or [T N 8]; output; the largest score of a row, eight
//                           times
//   softmaxSumOut           FLOAT; [N T 8] or [T N 8]; output; the sum of exp(score - largest),
//                           eight times
//   softmaxOutOut           FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut         type of query; [T N Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionVarLenScoreV4.md
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, char* softmaxOutLayout, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV4(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionScoreV3: aclnnFlashAttentionScoreV2 with a sink.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                FLOAT, FLOAT16, BF16; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]
//   key                  type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv]
//   realShiftOptional    FLOAT, FLOAT16, BF16; [B? N Sq? S2] or [B N] or [N]; may be null; of
//                        query's type; pseType 2 and 3: slopes, FLOAT
//   dropMaskOptional     UINT8; [bytes+]; may be null; a bit for each of [B, N, Sq, S2], the lowest
//                        first; 0 drops
//   paddingMaskOptional  FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused unless
//                        it is empty
//   attenMaskOptional    UINT8, BOOL; [Sq S2] or [* 2048 2048] or [* 3072 2048] or [B? 1 Sq S2] or
//                        [B N Sq S2]; may be null; 1 hides
//   sinkOptional         FLOAT; [N]; may be null; a score of a column without value
//   prefixOptional       may be null; sparseMode 5 and 6: [B] columns that all rows see
//   qStartIdxOptional    may be null; pseType 2 and 3: the place of the first row
//   kvStartIdxOptional   may be null; pseType 2 and 3: the place of the first column
//   scaleValue           multiplies query times key; pseType 1: and pse
//   keepProb             above 0, at most 1: the share of ones in dropMask
//   headNum              N, the heads of query
//   inputLayout          BSH, SBH, BSND or BNSD
//   innerPrecise         changes nothing
//   sparseMode           0 to 6: which columns of a row count
//   pseType              0: pse is added to the scaled scores, 1: before they are scaled; of slopes
//                        is made 2: -slope * distance, 3: -slope * sqrt(distance), which is added
//                        to scaled scores
//   softmaxMaxOut        FLOAT; [B N Sq 8]; output; the largest score of a row, eight times
//   softmaxSumOut        FLOAT; [B N Sq 8]; output; the sum of exp(score - largest), eight times
//   softmaxOutOut        FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut      type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv];
//                        output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionScoreV3.md
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* sinkOptional, const aclIntArray* prefixOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV3(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionVarLenScoreV5: aclnnFlashAttentionVarLenScoreV3 with a sink and a layout of
// the statistics.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   queryRope               BF16; type of query; [T N Dr]; may be null; with a rope of the other;
//                           empty: none
//   key                     type of query; [T2 Nk D]
//   keyRope                 BF16; type of query; [T2 Nk Dr]; may be null; with a rope of the other;
//                           empty: none
//   value                   type of query; [T2 Nk Dv]
//   realShiftOptional       FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; may be null; of query's type; pseType 2 and 3: slopes,
//                           FLOAT
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   sinkOptional            FLOAT; [N]; may be null; a score of a column without value
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   qStartIdxOptional       may be null; pseType 2 and 3: the place of the first row
//   kvStartIdxOptional      may be null; pseType 2 and 3: the place of the first column
//   scaleValue              multiplies query times key; pseType 1: and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   pseType                 0: pse is added to the scaled scores, 1: before they are scaled; of
//                           slopes is made 2: -slope * distance, 3: -slope * sqrt(distance), which
//                           is added to scaled scores
//   softmaxOutLayout        may be null; same_as_input: [T, N, 8]; empty: [N, rows, 8] of each
//                           sequence
//   softmaxMaxOut           FLOAT; [N T 8] or [T N 8]; output; the largest score of a row, eight
//                           times
//   softmaxSumOut           FLOAT; [N T 8] or [T N 8]; output; the sum of exp(score - largest),
//                           eight times
//   softmaxOutOut           FLOAT, FLOAT16, BF16; any shape; output; may be null; not written
//   attentionOutOut         type of query; [T N Dv]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score/docs/aclnnFlashAttentionVarLenScoreV5.md
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* key,
    const aclTensor* keyRope, const aclTensor* value, const aclTensor* realShiftOptional,
    const aclTensor* dropMaskOptional, const aclTensor* paddingMaskOptional,
    const aclTensor* attenMaskOptional, const aclTensor* sinkOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, char* softmaxOutLayout, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// First phase that tells the workspace in bytes of every such call, whatever the values in its
// arrays are. Codes as above.
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* key,
    const aclTensor* keyRope, const aclTensor* value, const aclTensor* realShiftOptional,
    const aclTensor* dropMaskOptional, const aclTensor* paddingMaskOptional,
    const aclTensor* attenMaskOptional, const aclTensor* sinkOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, char* softmaxOutLayout, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_H_
