// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_INFER_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_INFER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaSelectedAttentionInfer: attention of each row to the blocks of keys, which lie in pages,
// that topkIndices names for it.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query                   FLOAT16, BF16; [B S N D] or [T N D]; contiguous; S at most 4
//   key                     type of query; [pages pageBlockSize N2 D] or [pages pageBlockSize H];
//                           contiguous
//   value                   type of query; [pages pageBlockSize N2 D] or [pages pageBlockSize H];
//                           contiguous
//   topkIndices             INT32; [B S N2 count] or [T N2 count]; contiguous; blocks of
//                           selectBlockSize keys; -1 ends a list
//   attenMaskOptional       reserved: ignored; not read
//   blockTableOptional      INT32; [B columns]; the pages of each sequence
//   actualQSeqLenOptional   may be null; rows of each sequence, 1 to 4; none: TND: one, otherwise S
//   actualKvSeqLenOptional  keys of each sequence
//   layoutOptional          may be null; BSH, BSND or TND; null: BSND
//   numHeads                1 to 2147483647
//   numKeyValueHeads        1 to 2147483647
//   selectBlockSize         16 to 128; a multiple of 16
//   selectBlockCount        1 to 2147483647; blocks of a row
//   pageBlockSize           16 to 128; a multiple of 16
//   scaleValue              of the products of queries and keys
//   sparseMode              not read
//   output                  type of query; [B S N D] or [T N D]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/nsa_selected_attention_infer/docs/aclnnNsaSelectedAttentionInfer.md
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionInferGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* topkIndices, const aclTensor* attenMaskOptional,
    const aclTensor* blockTableOptional, const aclIntArray* actualQSeqLenOptional,
    const aclIntArray* actualKvSeqLenOptional, char* layoutOptional, int64_t numHeads,
    int64_t numKeyValueHeads, int64_t selectBlockSize, int64_t selectBlockCount,
    int64_t pageBlockSize, double scaleValue, int64_t sparseMode, aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionInfer(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_INFER_H_
