// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaCompressAttention: attention to compressed keys, and the blocks of keys that it finds
// most important.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                      FLOAT16, BF16; [T1 headNum D]
//   key                        type of query; [T2 N2 D]
//   value                      type of query; [T2 N2 Dv]; Dv at most D
//   attenMaskOptional          UINT8, BOOL; [S1 S2]; may be null; of the longest sequence; 1 hides
//   topkMaskOptional           UINT8, BOOL; [S1 selected]; may be null; of the longest sequence; 1:
//                              chosen before all others
//   actualSeqQLenOptional      where each sequence's rows end
//   actualCmpSeqKvLenOptional  where each sequence's keys end
//   actualSelSeqKvLenOptional  the same in blocks of selectBlockSize / compressStride keys
//   scaleValue                 of the products of queries and keys
//   headNum                    1 or more
//   inputLayout                may be null; TND
//   sparseMode                 0 to 1; 0 and 1: the mask as it is
//   compressBlockSize          16 to 128; a multiple of 16
//   compressStride             16 to 64; a multiple of 16, at most compressBlockSize
//   selectBlockSize            16 to 128; a multiple of compressStride, at least compressBlockSize
//   selectBlockCount           1 to 32; at most the blocks of any sequence
//   softmaxMaxOut              FLOAT; [T1 headNum 8]; output; the largest score of a row, eight
//                              times; [headNum, rows, 8] of each sequence one after the other,
//                              whatever the shape says
//   softmaxSumOut              FLOAT; [T1 headNum 8]; output; the sum of exp(score - largest),
//                              eight times, in the order of softmaxMaxOut
//   attentionOut               type of query; [T1 headNum Dv]; output
//   topkIndicesOut             INT32; [T1 N2 selectBlockCount]; output; the blocks that matter most
//                              to all heads of a key's, the first one most
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/nsa_compress_attention/docs/aclnnNsaCompressAttention.md
ACLNN_API aclnnStatus aclnnNsaCompressAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attenMaskOptional, const aclTensor* topkMaskOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualCmpSeqKvLenOptional,
    const aclIntArray* actualSelSeqKvLenOptional, double scaleValue, int64_t headNum,
    char* inputLayout, int64_t sparseMode, int64_t compressBlockSize, int64_t compressStride,
    int64_t selectBlockSize, int64_t selectBlockCount, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* attentionOut, const aclTensor* topkIndicesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaCompressAttention(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_H_
