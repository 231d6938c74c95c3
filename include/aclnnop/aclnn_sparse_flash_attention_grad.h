// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSparseFlashAttentionGrad: the gradients of aclnnSparseFlashAttention, from its results: p =
// exp(score - softmaxMax) / softmaxSum, ds = p * (dOut . value - dOut . out) * scaleValue; dQuery =
// ds . key, dKey = ds' . query, dValue = p' . dOut, added up for each key.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                          FLOAT16, BF16; [B S1 N1 D] or [T1 N1 D]; N1 up to 128, D = 512
//   key                            type of query; [B S2 1 D] or [T2 1 D]
//   value                          type of query; [B S2 1 D] or [T2 1 D]; may be null; null: key,
//                                  and dValueOut is null, too
//   sparseIndices                  INT32; [B S1 1 K] or [T1 1 K]; blocks of sparseBlockSize keys;
//                                  -1 ends a list
//   dOut                           type of query; [B S1 N1 D] or [T1 N1 D]
//   out                            type of query; [B S1 N1 D] or [T1 N1 D]
//   softmaxMax                     FLOAT; [B 1 S1 N1] or [1 T1 N1]
//   softmaxSum                     FLOAT; [B 1 S1 N1] or [1 T1 N1]
//   actualSeqLengthsQueryOptional  INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   actualSeqLengthskvOptional     INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   queryRopeOptional              type of query; [B S1 N1 64] or [T1 N1 64]; may be null
//   keyRopeOptional                type of query; [B S2 1 64] or [T2 1 64]; may be null
//   scaleValue                     of the products of queries and keys
//   sparseBlockSize                a power of two up to 128
//   layoutOptional                 may be null; BSND or TND; null: BSND
//   sparseMode                     0: all keys, 3: causal, the last rows aligned
//   preTokens                      2^63 - 1, or as many as there are
//   nextTokens                     2^63 - 1, or as many as there are
//   deterministic                  results have the same bits either way
//   dQueryOut                      type of query; [B S1 N1 D] or [T1 N1 D]; output
//   dKeyOut                        type of query; [B S2 1 D] or [T2 1 D]; output; without value
//                                  that of value, too
//   dValueOut                      type of query; [B S2 1 D] or [T2 1 D]; output; may be null
//   dQueryRopeOutOptional          type of query; [B S1 N1 64] or [T1 N1 64] or [*]; output; may be
//                                  null; needed, as the next, where ropes are given
//   dKeyRopeOutOptional            type of query; [B S2 1 64] or [T2 1 64] or [*]; output; may be
//                                  null
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/sparse_flash_attention_grad/docs/aclnnSparseFlashAttentionGrad.md
ACLNN_API aclnnStatus aclnnSparseFlashAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* dOut, const aclTensor* out,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthskvOptional,
    const aclTensor* queryRopeOptional, const aclTensor* keyRopeOptional, double scaleValue,
    int64_t sparseBlockSize, char* layoutOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, bool deterministic, const aclTensor* dQueryOut, const aclTensor* dKeyOut,
    const aclTensor* dValueOut, const aclTensor* dQueryRopeOutOptional,
    const aclTensor* dKeyRopeOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSparseFlashAttentionGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SPARSE_FLASH_ATTENTION_GRAD_H_
