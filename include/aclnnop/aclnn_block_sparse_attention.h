// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_H_
#define ANYACL_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBlockSparseAttention: attentionOut = softmax(scaleValue * query . key) . value, over the
// keys of the blocks that blockSparseMask names for a query's block.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                       FLOAT16, BF16; [B N S D] or [B S N D] or [T N D]; D a multiple of
//                               16 up to 128
//   key                         type of query; [B N2 S2 D] or [B S2 N2 D] or [T2 N2 D]
//   value                       type of query; [B N2 S2 D] or [B S2 N2 D] or [T2 N2 D]
//   blockSparseMaskOptional     INT8, BOOL; [B N Q K]; may be null; which blocks of keys each block
//                               of queries sees: not 0; null: all
//   attenMaskOptional           INT8; any shape; may be null; null, as documented
//   blockShapeOptional          may be null; queries and keys of a block; null, or no mask: 128 and
//                               128
//   actualSeqLengthsOptional    may be null; tokens of each sequence; given both or neither, TND:
//                               given
//   actualSeqLengthsKvOptional  may be null; tokens of each sequence; given both or neither, TND:
//                               given
//   blockTableOptional          INT32; any shape; may be null; null, as documented
//   qInputLayout                TND, BNSD or BSND, both alike
//   kvInputLayout               TND, BNSD or BSND, both alike
//   numKeyValueHeads            N2, of which N is a multiple
//   maskType                    0; 0: no mask
//   scaleValue                  of the products of queries and keys
//   innerPrecise                0, 1 (FLOAT16) or 4: softmax is computed in fp32
//   blockSize                   0; 0: no pages
//   preTokens                   2147483647
//   nextTokens                  2147483647
//   softmaxLseFlag              0 to 1; 1: softmaxLseOptional is written
//   attentionOut                type of query; [B N S D] or [B S N D] or [T N D]; output
//   softmaxLseOptional          FLOAT; [B N S 1] or [B S N 1] or [T N 1]; output; may be null; the
//                               logarithm of the sum of exp(score); infinite where no key is seen
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/block_sparse_attention/docs/aclnnBlockSparseAttention.md
ACLNN_API aclnnStatus aclnnBlockSparseAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* blockSparseMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* blockShapeOptional, const aclIntArray* actualSeqLengthsOptional,
    const aclIntArray* actualSeqLengthsKvOptional, const aclTensor* blockTableOptional,
    char* qInputLayout, char* kvInputLayout, int64_t numKeyValueHeads, int64_t maskType,
    double scaleValue, int64_t innerPrecise, int64_t blockSize, int64_t preTokens,
    int64_t nextTokens, int64_t softmaxLseFlag, aclTensor* attentionOut,
    aclTensor* softmaxLseOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBlockSparseAttention(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BLOCK_SPARSE_ATTENTION_H_
