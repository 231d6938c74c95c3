// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_LIGHTNING_INDEXER_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_LIGHTNING_INDEXER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantLightningIndexer: as aclnnLightningIndexer with INT8 queries and keys: score[j] = sum
// over heads n of weights[n] * max(0, queryDequantScale[n] * keyDequantScale[j] * query[n] .
// key[j]).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                          INT8; [B S1 N1 D] or [T1 N1 D]; N1 up to 64, D = 128
//   key                            INT8; [blocks blockSize 1 D] or [B S2 1 D] or [T2 1 D]
//   weights                        FLOAT16, BF16; [B S1 N1] or [T1 N1]
//   queryDequantScale              FLOAT, FLOAT16; [B S1 N1] or [T1 N1]
//   keyDequantScale                FLOAT, FLOAT16; [blocks blockSize 1] or [B S2 1] or [T2 1]
//   actualSeqLengthsQueryOptional  INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   actualSeqLengthsKeyOptional    INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   blockTableOptional             INT32; [B columns]; may be null; PA_BSND: the blocks of each
//                                  sequence; null otherwise
//   queryQuantMode                 0: a factor for each token and head
//   keyQuantMode                   0
//   layoutQueryOptional            may be null; BSND or TND; null: BSND
//   layoutKeyOptional              may be null; PA_BSND, or as the query's; null: BSND
//   sparseCount                    K: 1 to 2048
//   sparseMode                     0: all keys, 3: causal, the last rows aligned
//   preTokens                      2^63 - 1
//   nextTokens                     2^63 - 1
//   out                            INT32; [B S1 1 K] or [T1 1 K]; output; the largest score first;
//                                  -1 where there are no more keys
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/quant_lightning_indexer/docs/aclnnQuantLightningIndexer.md
ACLNN_API aclnnStatus aclnnQuantLightningIndexerGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* weights,
    const aclTensor* queryDequantScale, const aclTensor* keyDequantScale,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKeyOptional,
    const aclTensor* blockTableOptional, int64_t queryQuantMode, int64_t keyQuantMode,
    char* layoutQueryOptional, char* layoutKeyOptional, int64_t sparseCount, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantLightningIndexer(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_LIGHTNING_INDEXER_H_
