// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_KV_QUANT_SPARSE_FLASH_ATTENTION_H_
#define ANYACL_ACLNNOP_ACLNN_KV_QUANT_SPARSE_FLASH_ATTENTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnKvQuantSparseFlashAttention: as aclnnSparseFlashAttention, with keys whose first 512 numbers
// are INT8 times a factor for each 128, and are the values, too.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                          FLOAT16, BF16; [B S1 N1 D] or [T1 N1 D]; N1 a power of two up to
//                                  128, D = 576: 512, and the rope
//   key                            INT8; [blocks blockSize 1 D] or [B S2 1 D] or [T2 1 D]; D = 656
//                                  bytes: 512 numbers, 64 of query's type, 4 FLOAT factors of 128
//                                  numbers each
//   value                          INT8; [blocks blockSize 1 D] or [B S2 1 D] or [T2 1 D]; not
//                                  read: values are the numbers of key
//   sparseIndices                  INT32; [B S1 1 K] or [T1 1 K]; blocks of sparseBlockSize keys;
//                                  -1 ends a list
//   keyDequantScaleOptional        reserved: ignored
//   valueDequantScaleOptional      reserved: ignored
//   blockTableOptional             INT32; [B columns]; may be null; PA_BSND: the blocks of each
//                                  sequence; null otherwise
//   actualSeqLengthsQueryOptional  INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   actualSeqLengthsKvOptional     INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   scaleValue                     of the products of queries and keys
//   keyQuantMode                   2: factors of tiles
//   valueQuantMode                 2
//   sparseBlockSize                a power of two up to 128
//   layoutQueryOptional            may be null; BSND or TND; null: BSND
//   layoutKvOptional               may be null; PA_BSND, or as the query's; null: BSND
//   sparseMode                     0: all keys, 3: causal, the last rows aligned
//   preTokens                      2^63 - 1
//   nextTokens                     2^63 - 1
//   attentionMode                  2: latent attention
//   quantScaleRepoMode             1: factors are part of key
//   tileSize                       128
//   ropeHeadDim                    64
//   out                            type of query; [B S1 N1 512] or [T1 N1 512]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: attention/kv_quant_sparse_flash_attention/README.md
ACLNN_API aclnnStatus aclnnKvQuantSparseFlashAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* keyDequantScaleOptional,
    const aclTensor* valueDequantScaleOptional, const aclTensor* blockTableOptional,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKvOptional,
    double scaleValue, int64_t keyQuantMode, int64_t valueQuantMode, int64_t sparseBlockSize,
    char* layoutQueryOptional, char* layoutKvOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, int64_t attentionMode, int64_t quantScaleRepoMode, int64_t tileSize,
    int64_t ropeHeadDim, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnKvQuantSparseFlashAttention(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_KV_QUANT_SPARSE_FLASH_ATTENTION_H_
