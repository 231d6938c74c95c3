// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_V2_H_
#define ANYACL_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSparseFlashAttentionV2: aclnnSparseFlashAttention with sinks.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                          FLOAT16, BF16; [B S1 N1 D] or [T1 N1 D]; N1 up to 128, D = 512
//   key                            type of query; [blocks blockSize 1 D] or [B S2 1 D] or [T2 1 D]
//   value                          type of query; [blocks blockSize 1 D] or [B S2 1 D] or [T2 1 D]
//   sparseIndices                  INT32; [B S1 1 K] or [T1 1 K]; blocks of sparseBlockSize keys;
//                                  -1 ends a list
//   blockTableOptional             INT32; [B columns]; may be null; PA_BSND: the blocks of each
//                                  sequence; null otherwise
//   actualSeqLengthsQueryOptional  INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   actualSeqLengthsKvOptional     INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   queryRopeOptional              type of query; [B S1 N1 64] or [T1 N1 64]
//   keyRopeOptional                type of query; [blocks blockSize 1 64] or [B S2 1 64] or [T2 1
//                                  64]
//   sinksOptional                  FLOAT; [N1]; may be null; of each head the score of a key that
//                                  has no value
//   scaleValue                     of the products of queries and keys
//   sparseBlockSizeOptional        a power of two up to 128
//   layoutQueryOptional            may be null; BSND or TND; null: BSND
//   layoutKvOptional               may be null; PA_BSND, or as the query's; null: BSND
//   sparseMode                     0: all keys, 3: causal, the last rows aligned
//   preTokens                      2^63 - 1
//   nextTokens                     2^63 - 1
//   attentionMode                  2: latent attention
//   returnSoftmaxLse               not with PA_BSND
//   attentionOutOut                type of query; [B S1 N1 D] or [T1 N1 D]; output
//   softmaxMaxOut                  FLOAT; [B 1 S1 N1] or [1 T1 N1] or [*]; output; may be null; the
//                                  largest score; written if returnSoftmaxLse is true
//   softmaxSumOut                  FLOAT; [B 1 S1 N1] or [1 T1 N1] or [*]; output; may be null; the
//                                  sum of exp(score - largest); written if returnSoftmaxLse is true
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/sparse_flash_attention/docs/aclnnSparseFlashAttentionV2.md
ACLNN_API aclnnStatus aclnnSparseFlashAttentionV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* blockTableOptional,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKvOptional,
    const aclTensor* queryRopeOptional, const aclTensor* keyRopeOptional,
    const aclTensor* sinksOptional, double scaleValue, int64_t sparseBlockSizeOptional,
    char* layoutQueryOptional, char* layoutKvOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, int64_t attentionMode, bool returnSoftmaxLse,
    const aclTensor* attentionOutOut, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSparseFlashAttentionV2(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_V2_H_
