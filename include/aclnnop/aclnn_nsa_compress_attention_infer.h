// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_INFER_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_INFER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaCompressAttentionInfer: attention to compressed keys, which lie in pages, and the blocks
// of keys that it finds most important.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                      FLOAT16, BF16; [B S N D] or [T N D]; contiguous; S at most 4
//   key                        type of query; [pages pageBlockSize N2 D] or [pages pageBlockSize
//                              H]; contiguous
//   value                      type of query; [pages pageBlockSize N2 D] or [pages pageBlockSize
//                              H]; contiguous
//   attentionMaskOptional      UINT8, BOOL; any shape; may be null; not read: with it a row sees
//                              the compressed keys that end at its own token or before
//   blockTableOptional         INT32; [B columns]; the pages of each sequence
//   actualQSeqLenOptional      may be null; rows of each sequence, 1 to 4; none: TND: one,
//                              otherwise S
//   actualCmpKvSeqLenOptional  compressed keys of each sequence
//   actualSelKvSeqLenOptional  may be null; its keys before that; needed with a mask and several
//                              rows
//   topKMaskOptional           reserved: ignored; not read
//   numHeads                   1 to 2147483647
//   numKeyValueHeads           1 to 2147483647
//   selectBlockSize            16 to 128; a multiple of compressBlockStride, at least
//                              compressBlockSize
//   selectBlockCount           1 to 2147483647; at most the blocks of any sequence
//   compressBlockSize          16 to 128; a multiple of 16
//   compressBlockStride        16 to 64; a multiple of 16, at most compressBlockSize
//   scaleValue                 of the products of queries and keys
//   layoutOptional             may be null; BSND or TND; null: BSND
//   pageBlockSize              16 to 128; a multiple of 16
//   sparseMode                 not read
//   output                     type of query; [B S N D] or [T N D]; contiguous; output
//   topKOutput                 INT32; [B S N2 selectBlockCount] or [T N2 selectBlockCount];
//                              contiguous; output; the first block and the last two, and then those
//                              that matter most
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/nsa_compress_attention_infer/docs/aclnnNsaCompressAttentionInfer.md
ACLNN_API aclnnStatus aclnnNsaCompressAttentionInferGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attentionMaskOptional, const aclTensor* blockTableOptional,
    const aclIntArray* actualQSeqLenOptional, const aclIntArray* actualCmpKvSeqLenOptional,
    const aclIntArray* actualSelKvSeqLenOptional, const aclTensor* topKMaskOptional,
    int64_t numHeads, int64_t numKeyValueHeads, int64_t selectBlockSize, int64_t selectBlockCount,
    int64_t compressBlockSize, int64_t compressBlockStride, double scaleValue, char* layoutOptional,
    int64_t pageBlockSize, int64_t sparseMode, const aclTensor* output, const aclTensor* topKOutput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaCompressAttentionInfer(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_INFER_H_
