// SPDX-License-Identifier: Apache-2.0
// aclnnFusedInferAttentionScoreV2: attention for inference, both of prompts and of single tokens,
// with masks, paged and quantised keys and values, and shared prefixes.
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V2_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor. Every
// pointer whose name ends in Optional may be null; each group of the list below is one subject.
//   query, key, value            key and value are lists of one tensor, or of one per batch entry
//   pseShift, attenMask          added to the scores; non-zero entries hide a score
//   actualSeqLengths(Kv)         valid lengths per batch entry, on the host
//   deqScale1 ... quantOffset2   scales of the INT8 computation and of an INT8 output
//   antiquantScale, -Offset      for keys and values together
//   blockTable                   INT32: paged keys and values, blockSize tokens a page
//   query-, kvPaddingSize        number of padding rows at the right end
//   key-, valueAntiquant...      scales and offsets of keys and values apart
//   key-, valueSharedPrefix      keys and values that all batch entries begin with
//   numHeads, numKeyValueHeads   0 for the second means as many as the first
//   scaleValue                   multiplies the scores
//   preTokens, nextTokens, sparseMode  which scores count
//   inputLayout                  "BSH", "BSND", "BNSD" or "BNSD_BSND"; only read
//   innerPrecise                 bit 0: fast; bit 1: correct rows that are wholly hidden
//   antiquantMode, key-, valueAntiquantMode  per channel, per token, ...
//   softmaxLseFlag               also write softmaxLse
ACLNN_API aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
    const aclTensor *query, const aclTensorList *key, const aclTensorList *value,
    const aclTensor *pseShiftOptional, const aclTensor *attenMaskOptional,
    const aclIntArray *actualSeqLengthsOptional, const aclIntArray *actualSeqLengthsKvOptional,
    const aclTensor *deqScale1Optional, const aclTensor *quantScale1Optional,
    const aclTensor *deqScale2Optional, const aclTensor *quantScale2Optional,
    const aclTensor *quantOffset2Optional, const aclTensor *antiquantScaleOptional,
    const aclTensor *antiquantOffsetOptional, const aclTensor *blockTableOptional,
    const aclTensor *queryPaddingSizeOptional, const aclTensor *kvPaddingSizeOptional,
    const aclTensor *keyAntiquantScaleOptional, const aclTensor *keyAntiquantOffsetOptional,
    const aclTensor *valueAntiquantScaleOptional, const aclTensor *valueAntiquantOffsetOptional,
    const aclTensor *keySharedPrefixOptional, const aclTensor *valueSharedPrefixOptional,
    const aclIntArray *actualSharedPrefixLenOptional, int64_t numHeads, double scaleValue,
    int64_t preTokens, int64_t nextTokens, char *inputLayout, int64_t numKeyValueHeads,
    int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t antiquantMode,
    bool softmaxLseFlag, int64_t keyAntiquantMode, int64_t valueAntiquantMode,
    const aclTensor *attentionOut, const aclTensor *softmaxLse, uint64_t *workspaceSize,
    aclOpExecutor **executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedInferAttentionScoreV2(void *workspace, uint64_t workspaceSize,
                                                      aclOpExecutor *executor,
                                                      const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V2_H_
