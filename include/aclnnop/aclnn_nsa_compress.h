// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaCompress: blocks of compressBlockSize rows become one: output[c][n] = sum over w of
// weight[w][n] * input[c * compressStride + w][n], in each sequence.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input              FLOAT16, BF16; [T N D]; N at most 128, D a multiple of 16 up to 256
//   weight             type of input; [compressBlockSize N]
//   actSeqLenOptional  where each sequence ends, the last one at T
//   layoutOptional     may be null; TND
//   compressBlockSize  16 to 128; a multiple of 16
//   compressStride     16 to 128; from block to block: a multiple of 16, at most compressBlockSize
//   actSeqLenType      0; 0: ends
//   output             type of input; [blocks N D]; output; the blocks of all sequences
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: attention/nsa_compress/docs/aclnnNsaCompress.md
ACLNN_API aclnnStatus aclnnNsaCompressGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclIntArray* actSeqLenOptional,
    char* layoutOptional, int64_t compressBlockSize, int64_t compressStride, int64_t actSeqLenType,
    aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaCompress(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_H_
