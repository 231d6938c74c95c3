// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_INCRE_FLASH_ATTENTION_V3_H_
#define ANYACL_ACLNNOP_ACLNN_INCRE_FLASH_ATTENTION_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIncreFlashAttentionV3: attention of one row over cached keys and values:
// FusedInferAttentionScore for one row.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query             FLOAT16, BF16; [B 1 H] or [B 1 N D] or [B N 1 D]
//   key               FLOAT16, INT8, BF16; [B S2 Hk] or [B S2 Nk D] or [B Nk S2 D] or [blocks
//                     blockSize Hk] or [blocks Nk blockSize D]
//   value             FLOAT16, INT8, BF16; [B S2 Hk] or [B S2 Nk D] or [B Nk S2 D] or [blocks
//                     blockSize Hk] or [blocks Nk blockSize D]
//   pseShift          FLOAT16, BF16; [B? N 1 S2+]; may be null
//   attenMask         INT8, UINT8, BOOL; [B? S2+] or [B? 1 S2+] or [B? 1 1 S2+]; may be null
//   actualSeqLengths  may be null; of keys and values
//   dequantScale1     FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale1       FLOAT; any shape; may be null; 1 element
//   dequantScale2     FLOAT, UINT64; any shape; may be null; 1 element
//   quantScale2       FLOAT, BF16; any shape; may be null; 1 element or N*D
//   quantOffset2      FLOAT, BF16; any shape; may be null; 1 element or N*D
//   antiquantScale    FLOAT, FLOAT16, BF16; [2] or [2 Hk] or [2 Nk D] or [2 Nk 1 D] or [2 B S2];
//                     may be null
//   antiquantOffset   FLOAT, FLOAT16, BF16; [2] or [2 Hk] or [2 Nk D] or [2 Nk 1 D] or [2 B S2];
//                     may be null
//   blocktable        INT32; [B blocks]; may be null
//   numHeads          N, the heads of query
//   scaleValue        multiplies query times key
//   inputLayout       may be null; BSH, BSND or BNSD
//   numKeyValueHeads  Nk; 0: N
//   blockSize         tokens in a block of a paged cache
//   innerPrecise      0 or 1: no difference
//   attentionOut      FLOAT16, INT8, BF16; [B Sq H] or [B Sq N D] or [B N Sq D]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/incre_flash_attention/docs/aclnnIncreFlashAttentionV3.md
ACLNN_API aclnnStatus aclnnIncreFlashAttentionV3GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclTensor* dequantScale1, const aclTensor* quantScale1, const aclTensor* dequantScale2,
    const aclTensor* quantScale2, const aclTensor* quantOffset2, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffset, const aclTensor* blocktable, int64_t numHeads,
    double scaleValue, char* inputLayout, int64_t numKeyValueHeads, int64_t blockSize,
    int64_t innerPrecise, const aclTensor* attentionOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnIncreFlashAttentionV3(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_INCRE_FLASH_ATTENTION_V3_H_
