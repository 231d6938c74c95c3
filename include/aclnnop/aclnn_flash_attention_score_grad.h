// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFlashAttentionScoreGrad: the gradients of aclnnFlashAttentionScore.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                FLOAT, FLOAT16, BF16; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]
//   keyIn                type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv]
//   dy                   type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv]
//   pseShiftOptional     type of query; [B? N Sq? S2]; may be null
//   dropMaskOptional     UINT8; [bytes+]; may be null; a bit for each of [B, N, Sq, S2], the lowest
//                        first; 0 drops
//   paddingMaskOptional  FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused unless
//                        it is empty
//   attenMaskOptional    UINT8, BOOL; [Sq S2] or [* 2048 2048] or [* 3072 2048] or [B? 1 Sq S2] or
//                        [B N Sq S2]; may be null; 1 hides
//   softmaxMaxOptional   FLOAT; [B N Sq 8]; of the forward call
//   softmaxSumOptional   FLOAT; [B N Sq 8]; of the forward call
//   softmaxInOptional    FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional  type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv]
//   prefixOptional       may be null; sparseMode 5 and 6: [B] columns that all rows see
//   scaleValue           multiplies the sum of query times key and pse
//   keepProb             above 0, at most 1: the share of ones in dropMask
//   headNum              N, the heads of query
//   inputLayout          BSH, SBH, BSND or BNSD
//   innerPrecise         changes nothing
//   sparseMode           0 to 6: which columns of a row count
//   dqOut                type of query; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]; output
//   dkOut                type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D];
//                        output
//   dvOut                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv];
//                        output
//   dpseOut              type of query; [B? N Sq? S2]; output; may be null; of what is shared not
//                        written; empty: not wanted
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionScoreGrad.md
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionUnpaddingScoreGrad: the gradients of aclnnFlashAttentionVarLenScore.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   keyIn                   type of query; [T2 Nk D]
//   value                   type of query; [T2 Nk Dv]
//   dy                      type of query; [T N Dv]
//   pseShiftOptional        type of query; [scores] or [1 N S S] or [B N S S] or [B N 1 S]; may be
//                           null
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   softmaxMaxOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxSumOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxInOptional       FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional     type of query; [T N Dv]
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   scaleValue              multiplies the sum of query times key and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   dqOut                   type of query; [T N D]; output
//   dkOut                   type of query; [T2 Nk D]; output
//   dvOut                   type of query; [T2 Nk Dv]; output
//   dpseOut                 type of query; [scores] or [1 N S S] or [B N S S] or [B N 1 S]; output;
//                           may be null; not written
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionUnpaddingScoreGrad.md
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionScoreGradV2: the gradients of aclnnFlashAttentionScoreV2.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                FLOAT, FLOAT16, BF16; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]
//   keyIn                type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv]
//   dy                   type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv]
//   pseShiftOptional     FLOAT, FLOAT16, BF16; [B? N Sq? S2] or [B N] or [N]; may be null; of
//                        query's type; pseType 2 and 3: slopes, FLOAT
//   dropMaskOptional     UINT8; [bytes+]; may be null; a bit for each of [B, N, Sq, S2], the lowest
//                        first; 0 drops
//   paddingMaskOptional  FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused unless
//                        it is empty
//   attenMaskOptional    UINT8, BOOL; [Sq S2] or [* 2048 2048] or [* 3072 2048] or [B? 1 Sq S2] or
//                        [B N Sq S2]; may be null; 1 hides
//   softmaxMaxOptional   FLOAT; [B N Sq 8]; of the forward call
//   softmaxSumOptional   FLOAT; [B N Sq 8]; of the forward call
//   softmaxInOptional    FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional  type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv]
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
//   dqOut                type of query; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]; output
//   dkOut                type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D];
//                        output
//   dvOut                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv];
//                        output
//   dpseOut              FLOAT, FLOAT16, BF16; [B? N Sq? S2] or [B N] or [N]; output; may be null;
//                        of slopes and of what is shared not written; empty: not wanted
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionScoreGradV2.md
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* dqOut, const aclTensor* dkOut,
    const aclTensor* dvOut, const aclTensor* dpseOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGradV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionUnpaddingScoreGradV2: the gradients of aclnnFlashAttentionVarLenScoreV2.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   keyIn                   type of query; [T2 Nk D]
//   value                   type of query; [T2 Nk Dv]
//   dy                      type of query; [T N Dv]
//   pseShiftOptional        FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; may be null; of query's type; pseType 2 and 3: slopes,
//                           FLOAT
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   softmaxMaxOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxSumOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxInOptional       FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional     type of query; [T N Dv]
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
//   dqOut                   type of query; [T N D]; output
//   dkOut                   type of query; [T2 Nk D]; output
//   dvOut                   type of query; [T2 Nk Dv]; output
//   dpseOut                 FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; output; may be null; not written
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionUnpaddingScoreGradV2.md
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* dqOut, const aclTensor* dkOut,
    const aclTensor* dvOut, const aclTensor* dpseOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionUnpaddingScoreGradV3: the gradients of aclnnFlashAttentionVarLenScoreV3.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   BF16; [T N D]
//   queryRope               type of query; [T N Dr]
//   keyIn                   type of query; [T2 Nk D]
//   keyInRope               type of query; [T2 Nk Dr]
//   value                   type of query; [T2 Nk Dv]
//   dy                      type of query; [T N Dv]
//   pseShiftOptional        FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; may be null; refused unless it is empty
//   dropMaskOptional        UINT8; [bytes+]; may be null; refused unless it is empty
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; 1 hides
//   softmaxMaxOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxSumOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxInOptional       FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional     type of query; [T N Dv]
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
//   dqOut                   type of query; [T N D]; output
//   dqRopeOut               type of query; [T N Dr]; output
//   dkOut                   type of query; [T2 Nk D]; output
//   dkRopeOut               type of query; [T2 Nk Dr]; output
//   dvOut                   type of query; [T2 Nk Dv]; output
//   dpseOut                 FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; output; may be null; not written
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionUnpaddingScoreGradV3.md
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* keyIn,
    const aclTensor* keyInRope, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* dqOut, const aclTensor* dqRopeOut,
    const aclTensor* dkOut, const aclTensor* dkRopeOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV3(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionUnpaddingScoreGradV4: the gradients of aclnnFlashAttentionVarLenScoreV4.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT, FLOAT16, BF16; [T N D]
//   keyIn                   type of query; [T2 Nk D]
//   value                   type of query; [T2 Nk Dv]
//   dy                      type of query; [T N Dv]
//   pseShiftOptional        type of query; [scores] or [1 N S S] or [B N S S] or [B N 1 S]; may be
//                           null
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   softmaxMaxOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxSumOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxInOptional       FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional     type of query; [T N Dv]
//   prefixOptional          may be null; sparseMode 5 and 6: [B] columns that all rows see
//   actualSeqQLenOptional   where each sequence's rows end
//   actualSeqKvLenOptional  where each sequence's keys end
//   scaleValue              multiplies the sum of query times key and pse
//   keepProb                above 0, at most 1: the share of ones in dropMask
//   headNum                 N, the heads of query
//   inputLayout             TND
//   innerPrecise            changes nothing
//   sparseMode              0 to 8: which columns of a row count
//   dqOut                   type of query; [T N D]; output
//   dkOut                   type of query; [T2 Nk D]; output
//   dvOut                   type of query; [T2 Nk Dv]; output
//   dpseOut                 type of query; [scores] or [1 N S S] or [B N S S] or [B N 1 S]; output;
//                           may be null; not written
//   softmaxInLayout         same_as_input: [T, N, 8]; empty: [N, rows, 8] of each sequence
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionUnpaddingScoreGradV4.md
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, char* softmaxInLayout, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV4(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionScoreGradV3: the gradients of aclnnFlashAttentionScoreV3.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                FLOAT16, BF16; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]
//   keyIn                type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D]
//   value                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv]
//   dy                   type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv]
//   pseShiftOptional     FLOAT, FLOAT16, BF16; [B? N Sq? S2] or [B N] or [N]; may be null; of
//                        query's type; pseType 2 and 3: slopes, FLOAT
//   dropMaskOptional     UINT8; [bytes+]; may be null; a bit for each of [B, N, Sq, S2], the lowest
//                        first; 0 drops
//   paddingMaskOptional  FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused unless
//                        it is empty
//   attenMaskOptional    UINT8, BOOL; [Sq S2] or [* 2048 2048] or [* 3072 2048] or [B? 1 Sq S2] or
//                        [B N Sq S2]; may be null; 1 hides
//   softmaxMaxOptional   FLOAT; [B N Sq 8]; of the forward call
//   softmaxSumOptional   FLOAT; [B N Sq 8]; of the forward call
//   softmaxInOptional    FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional  type of query; [B Sq Ho] or [Sq B Ho] or [B Sq N Dv] or [B N Sq Dv]
//   sinkInOptional       FLOAT; [N]; may be null; a score of a column without value
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
//   dqOut                type of query; [B Sq H] or [Sq B H] or [B Sq N D] or [B N Sq D]; output
//   dkOut                type of query; [B S2 Hk] or [S2 B Hk] or [B S2 Nk D] or [B Nk S2 D];
//                        output
//   dvOut                type of query; [B S2 Hv] or [S2 B Hv] or [B S2 Nk Dv] or [B Nk S2 Dv];
//                        output
//   dpseOut              FLOAT, FLOAT16, BF16; [B? N Sq? S2] or [B N] or [N]; output; may be null;
//                        of slopes and of what is shared not written; empty: not wanted
//   dsinkOut             FLOAT; [N]; output; may be null; of a sink; empty without one
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionScoreGradV3.md
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGradV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclTensor* sinkInOptional, const aclIntArray* prefixOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor* dqOut,
    const aclTensor* dkOut, const aclTensor* dvOut, const aclTensor* dpseOut,
    const aclTensor* dsinkOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGradV3(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnFlashAttentionUnpaddingScoreGradV5: the gradients of aclnnFlashAttentionVarLenScoreV5.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT16, BF16; [T N D]
//   queryRope               BF16; type of query; [T N Dr]; may be null; with a rope of the other;
//                           empty: none
//   keyIn                   type of query; [T2 Nk D]
//   keyInRope               BF16; type of query; [T2 Nk Dr]; may be null; with a rope of the other;
//                           empty: none
//   value                   type of query; [T2 Nk Dv]
//   dy                      type of query; [T N Dv]
//   pseShiftOptional        FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; may be null; of query's type; pseType 2 and 3: slopes,
//                           FLOAT
//   dropMaskOptional        UINT8; [bytes+]; may be null; a bit for each of [N, Sq, S2] of each
//                           sequence, the lowest first; 0 drops
//   paddingMaskOptional     FLOAT, FLOAT16, UINT8, BOOL, BF16; any shape; may be null; refused
//                           unless it is empty
//   attenMaskOptional       UINT8, BOOL; [S S] or [2048 2048] or [3072 2048] or [1 1 S S] or [B 1 S
//                           S] or [B N S S]; may be null; 1 hides
//   softmaxMaxOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxSumOptional      FLOAT; [N T 8] or [T N 8]; of the forward call
//   softmaxInOptional       FLOAT, FLOAT16, BF16; any shape; may be null; not read
//   attentionInOptional     type of query; [T N Dv]
//   sinkInOptional          FLOAT; [N]; may be null; a score of a column without value
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
//   softmaxInLayout         may be null; same_as_input: [T, N, 8]; empty: [N, rows, 8] of each
//                           sequence
//   dqOut                   type of query; [T N D]; output
//   dqRopeOut               type of query; [T N Dr]; output; may be null; with a rope of the other;
//                           empty: none
//   dkOut                   type of query; [T2 Nk D]; output
//   dkRopeOut               type of query; [T2 Nk Dr]; output; may be null; with a rope of the
//                           other; empty: none
//   dvOut                   type of query; [T2 Nk Dv]; output
//   dpseOut                 FLOAT, FLOAT16, BF16; [1 N S S] or [scores] or [B N S S] or [B N 1 S]
//                           or [B N] or [N]; output; may be null; not written
//   dsinkOut                FLOAT; [N]; output; may be null; of a sink; empty without one
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/flash_attention_score_grad/docs/aclnnFlashAttentionUnpaddingScoreGradV5.md
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* keyIn,
    const aclTensor* keyInRope, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclTensor* sinkInOptional, const aclIntArray* prefixOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, char* softmaxInLayout,
    const aclTensor* dqOut, const aclTensor* dqRopeOut, const aclTensor* dkOut,
    const aclTensor* dkRopeOut, const aclTensor* dvOut, const aclTensor* dpseOut,
    const aclTensor* dsinkOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// First phase that tells the workspace in bytes of every such call, whatever the values in its
// arrays are. Codes as above.
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* keyIn,
    const aclTensor* keyInRope, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclTensor* sinkInOptional, const aclIntArray* prefixOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, char* softmaxInLayout,
    const aclTensor* dqOut, const aclTensor* dqRopeOut, const aclTensor* dkOut,
    const aclTensor* dkRopeOut, const aclTensor* dvOut, const aclTensor* dpseOut,
    const aclTensor* dsinkOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_GRAD_H_
