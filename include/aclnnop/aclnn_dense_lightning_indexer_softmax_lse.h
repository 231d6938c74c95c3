// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_
#define ANYACL_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDenseLightningIndexerSoftmaxLse: of the indexer's scores of the keys that a token sees, sum
// over n of weight[n] * max(0, queryIndex[n] . keyIndex[j]): the largest, and the sum of exp(score
// - largest).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   queryIndex                     FLOAT16, BF16; [B S1 M 128] or [T1 M 128]; M up to 64
//   keyIndex                       type of queryIndex; [B S2 1 128] or [T2 1 128]
//   weight                         FLOAT, FLOAT16, BF16; [B S1 M] or [T1 M]; of queryIndex's type,
//                                  or FLOAT
//   actualSeqLengthsQueryOptional  may be null; tokens of each sequence; TND: where it ends, and
//                                  required
//   actualSeqLengthsKeyOptional    may be null; tokens of each sequence; TND: where it ends, and
//                                  required
//   layoutOptional                 may be null; BSND or TND; null: BSND
//   sparseMode                     3: causal, the last rows aligned
//   preTokens                      2^63 - 1, or as many as there are
//   nextTokens                     2^63 - 1, or as many as there are
//   softmaxMaxOut                  FLOAT; [B 1 S1] or [1 T1]; output; 0 where no key is seen
//   softmaxSumOut                  FLOAT; [B 1 S1] or [1 T1]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/dense_lightning_indexer_softmax_lse/docs/aclnnDenseLightningIndexerSoftmaxLse.md
ACLNN_API aclnnStatus aclnnDenseLightningIndexerSoftmaxLseGetWorkspaceSize(
    const aclTensor* queryIndex, const aclTensor* keyIndex, const aclTensor* weight,
    const aclIntArray* actualSeqLengthsQueryOptional,
    const aclIntArray* actualSeqLengthsKeyOptional, char* layoutOptional, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDenseLightningIndexerSoftmaxLse(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_
