// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LIGHTNING_INDEXER_H_
#define ANYACL_ACLNNOP_ACLNN_LIGHTNING_INDEXER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLightningIndexer: for each token the keys with the largest scores: score[j] = sum over heads
// n of weights[n] * max(0, query[n] . key[j]).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                          FLOAT16, BF16; [B S1 N1 D] or [T1 N1 D]; N1 up to 64, D = 128
//   key                            type of query; [blocks blockSize 1 D] or [B S2 1 D] or [T2 1 D]
//   weights                        FLOAT, FLOAT16, BF16; [B S1 N1] or [T1 N1]; of query's type, or
//                                  FLOAT
//   actualSeqLengthsQueryOptional  INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   actualSeqLengthsKeyOptional    INT32; [B]; may be null; tokens of each sequence; TND: where it
//                                  ends, and required
//   blockTableOptional             INT32; [B columns]; may be null; PA_BSND: the blocks of each
//                                  sequence; null otherwise
//   layoutQueryOptional            may be null; BSND or TND; null: BSND
//   layoutKeyOptional              may be null; PA_BSND, or as the query's; null: BSND
//   sparseCount                    K: 1 to 2048, and multiples of 1024 up to 8192
//   sparseMode                     0: all keys, 3: causal, the last rows aligned
//   preTokens                      2^63 - 1
//   nextTokens                     2^63 - 1
//   returnValues                   not with PA_BSND
//   sparseIndicesOut               INT32; [B S1 1 K] or [T1 1 K]; output; the largest score first;
//                                  -1 where there are no more keys
//   sparseValuesOut                type of query; [B S1 1 K] or [T1 1 K] or [*]; output; may be
//                                  null; their scores, and -inf; written if returnValues is true
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: attention/lightning_indexer/docs/aclnnLightningIndexer.md
ACLNN_API aclnnStatus aclnnLightningIndexerGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* weights,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKeyOptional,
    const aclTensor* blockTableOptional, const char* layoutQueryOptional,
    const char* layoutKeyOptional, int64_t sparseCount, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, bool returnValues, const aclTensor* sparseIndicesOut,
    const aclTensor* sparseValuesOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLightningIndexer(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LIGHTNING_INDEXER_H_
