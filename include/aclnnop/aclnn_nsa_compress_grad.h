// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNsaCompressGrad: the gradients of aclnnNsaCompress.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   outputGrad                 FLOAT16, BF16; [blocks N D]; the blocks of all sequences
//   input                      type of outputGrad; [T N D]; N at most 128, D a multiple of 16 up to
//                              256
//   weight                     type of outputGrad; [compressBlockSize N]
//   actSeqLenOptionalOptional  where each sequence ends, the last one at T
//   compressBlockSize          16 to 128; a multiple of 16
//   compressStride             16 to 128; from block to block: a multiple of 16, at most
//                              compressBlockSize
//   actSeqLenType              0; 0: ends
//   layoutOptionalOptional     may be null; TND
//   inputGradOut               type of outputGrad; [T N D]; output
//   weightGradOut              type of outputGrad; [compressBlockSize N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: attention/nsa_compress_grad/docs/aclnnNsaCompressGrad.md
ACLNN_API aclnnStatus aclnnNsaCompressGradGetWorkspaceSize(
    const aclTensor* outputGrad, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* actSeqLenOptionalOptional, int64_t compressBlockSize, int64_t compressStride,
    int64_t actSeqLenType, char* layoutOptionalOptional, const aclTensor* inputGradOut,
    const aclTensor* weightGradOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNsaCompressGrad(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NSA_COMPRESS_GRAD_H_
