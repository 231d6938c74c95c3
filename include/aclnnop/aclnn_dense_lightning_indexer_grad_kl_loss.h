// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_GRAD_KL_LOSS_H_
#define ANYACL_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_GRAD_KL_LOSS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDenseLightningIndexerGradKLLoss: loss = sum over tokens of sum over keys of p * log(p /
// softmax(I)), and its gradients: I are the indexer's scores of all keys that a token sees, p the
// mean of the attention that the heads of query pay to them.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                  FLOAT16, BF16; [B S1 N1 D] or [T1 N1 D]; N1 up to 128, D = 128
//   key                    type of query; [B S2 N1 D] or [T2 N1 D]
//   queryIndex             type of query; [B S1 M 128] or [T1 M 128]; M up to 64
//   keyIndex               type of query; [B S2 1 128] or [T2 1 128]
//   weights                FLOAT, FLOAT16, BF16; [B S1 M] or [T1 M]; of query's type, or FLOAT
//   softmaxMax             FLOAT; [B N1 S1 1] or [N1 T1 1]; of the attention of query
//   softmaxSum             FLOAT; [B N1 S1 1] or [N1 T1 1]
//   softmaxMaxIndex        FLOAT; [B 1 S1] or [1 T1]; of the indexer's scores:
//                          aclnnDenseLightningIndexerSoftmaxLse
//   softmaxSumIndex        FLOAT; [B 1 S1] or [1 T1]
//   queryRope              type of query; [B S1 N1 64] or [T1 N1 64]; may be null
//   keyRope                type of query; [B S2 N1 64] or [T2 N1 64]; may be null
//   actualSeqLengthsQuery  may be null; tokens of each sequence; TND: where it ends, and required
//   actualSeqLengthsKey    may be null; tokens of each sequence; TND: where it ends, and required
//   scaleValue             of the products of queries and keys
//   layout                 may be null; BSND or TND; null: BSND
//   sparseMode             3: causal, the last rows aligned
//   preTokens              2^63 - 1, or as many as there are
//   nextTokens             2^63 - 1, or as many as there are
//   dQueryIndex            type of query; [B S1 M 128] or [T1 M 128]; output
//   dKeyIndex              type of query; [B S2 1 128] or [T2 1 128]; output
//   dWeights               type of weights; [B S1 M] or [T1 M]; output
//   loss                   FLOAT; [1]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/dense_lightning_indexer_grad_kl_loss/docs/aclnnDenseLightningIndexerGradKLLoss.md
ACLNN_API aclnnStatus aclnnDenseLightningIndexerGradKLLossGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* queryIndex,
    const aclTensor* keyIndex, const aclTensor* weights, const aclTensor* softmaxMax,
    const aclTensor* softmaxSum, const aclTensor* softmaxMaxIndex, const aclTensor* softmaxSumIndex,
    const aclTensor* queryRope, const aclTensor* keyRope, const aclIntArray* actualSeqLengthsQuery,
    const aclIntArray* actualSeqLengthsKey, double scaleValue, char* layout, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* dQueryIndex, const aclTensor* dKeyIndex,
    const aclTensor* dWeights, const aclTensor* loss, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDenseLightningIndexerGradKLLoss(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_GRAD_KL_LOSS_H_
