// SPDX-License-Identifier: Apache-2.0
// aclnnFusedInferAttentionScore: the first version of the operator, without scales of keys and
// values apart and without shared prefixes.
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_H_

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase; the arguments mean what they mean in aclnn_fused_infer_attention_score_v2.h.
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
ACLNN_API aclnnStatus aclnnFusedInferAttentionScore(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_H_
