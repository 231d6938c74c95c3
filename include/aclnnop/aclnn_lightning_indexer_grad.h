// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LIGHTNING_INDEXER_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_LIGHTNING_INDEXER_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLightningIndexerGrad: the gradients of aclnnLightningIndexer's scores of the keys l that
// sparseIndices names: dWeights[n] = sum over l of max(0, query[n] . key[l]) * dy[l]; ds[n][l] =
// weights[n] * dy[l] where query[n] . key[l] > 0; dQuery = ds . key, dKey = ds' . query, added up
// for each key.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                  FLOAT16, BF16; [B S1 N1 D] or [T1 N1 D]; N1 up to 64, D = 128
//   key                    type of query; [B S2 1 D] or [T2 1 D]
//   dy                     type of query; [B S1 K] or [T1 K] or [B S1 1 K] or [T1 1 K]; the
//                          gradient of sparseValuesOut
//   sparseIndices          INT32; [B S1 K] or [T1 K] or [B S1 1 K] or [T1 1 K]; -1 ends a list
//   weights                type of query; [B S1 N1] or [T1 N1]
//   actualSeqLengthsQuery  INT32; [B]; may be null; tokens of each sequence; TND: where it ends,
//                          and required
//   actualSeqLengthsKey    INT32; [B]; may be null; tokens of each sequence; TND: where it ends,
//                          and required
//   headNum                N1, or 0
//   layout                 may be null; BSND or TND; null: BSND
//   sparseMode             0: all keys, 3: causal, the last rows aligned
//   preTokens              2^63 - 1, or as many as there are
//   nextTokens             2^63 - 1, or as many as there are
//   deterministic          results have the same bits either way
//   dQuery                 type of query; [B S1 N1 D] or [T1 N1 D]; output
//   dKey                   type of query; [B S2 1 D] or [T2 1 D]; output
//   dWeights               type of query; [B S1 N1] or [T1 N1]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/lightning_indexer_grad/docs/aclnnLightningIndexerGrad.md
ACLNN_API aclnnStatus aclnnLightningIndexerGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* dy,
    const aclTensor* sparseIndices, const aclTensor* weights,
    const aclTensor* actualSeqLengthsQuery, const aclTensor* actualSeqLengthsKey, int64_t headNum,
    char* layout, int64_t sparseMode, int64_t preTokens, int64_t nextTokens, bool deterministic,
    const aclTensor* dQuery, const aclTensor* dKey, const aclTensor* dWeights,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLightningIndexerGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LIGHTNING_INDEXER_GRAD_H_
