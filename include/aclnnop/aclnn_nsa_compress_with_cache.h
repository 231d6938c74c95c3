// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_WITH_CACHE_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_WITH_CACHE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaCompressWithCache: of each sequence that has a new block whole, its last
// compressBlockSize rows become a row of the cache: outputCache[slotMapping[b]] = sum over w of
// weight[w] * row w.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input               FLOAT16, BF16; [pages pageBlockSize N D] or [T N D]; with
//                       blockTableOptional | without; N at most 64, D a multiple of 16 up to 256
//   weight              type of input; [compressBlockSize N]
//   slotMapping         INT32; [B]; rows of outputCache, read where needed
//   actSeqLenOptional   the length of each sequence
//   blockTableOptional  INT32; [B columns]; may be null; the pages of each sequence
//   layoutOptional      may be null; TND; not read with blockTableOptional
//   compressBlockSize   16 to 64; a multiple of 16
//   compressStride      16 to 64; a multiple of 16, at most compressBlockSize
//   actSeqLenType       1; 1: lengths
//   pageBlockSize       16 to 128; 64 or 128
//   outputCache         type of input; [slots N D]; changed in place; rows of sequences that a
//                       token has completed a block of
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  what breaks a rule about values or what goes together
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/nsa_compress_with_cache/docs/aclnnNsaCompressWithCache.md
ACLNN_API aclnnStatus aclnnNsaCompressWithCacheGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* slotMapping,
    const aclIntArray* actSeqLenOptional, const aclTensor* blockTableOptional, char* layoutOptional,
    int64_t compressBlockSize, int64_t compressStride, int64_t actSeqLenType, int64_t pageBlockSize,
    aclTensor* outputCache, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaCompressWithCache(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_WITH_CACHE_H_
