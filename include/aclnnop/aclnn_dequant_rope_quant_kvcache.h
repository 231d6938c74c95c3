// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H_
#define ANYACL_ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDequantRopeQuantKvcache: q, k, v = x, or (x * weightScale * activationScale + bias) of
// INT32, cut by sizeSplits; qOut, kOut = q, k turned; kCacheRef[indices] = round(kOut / scaleK +
// offsetK), vCacheRef[indices] = round(v / scaleV + offsetV).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                        FLOAT16, INT32, BF16; [B S H] or [T H]; INT32, or of the type of cos;
//                            H = (Nq + N + N) * D
//   cos                      FLOAT16, BF16; [B S 1 D] or [T D]; D is even
//   sin                      type of cos; [B S 1 D] or [T D]
//   kCacheRef                INT8; [E F N D]; changed in place; contiguous: [batches, places],
//                            page: [blocks, places]
//   vCacheRef                INT8; [E F N D]; changed in place
//   indices                  INT32; [I]; contiguous: the first place of each batch, page: the place
//                            of each token, or -1: nowhere
//   scaleK                   FLOAT; N*D; divides keys
//   scaleV                   FLOAT; N*D; divides values
//   offsetKOptional          FLOAT; N*D; may be null; only with offsetVOptional
//   offsetVOptional          FLOAT; N*D; may be null; only with offsetKOptional
//   weightScaleOptional      FLOAT; [H]; may be null; needed for an INT32 x, as the next two
//                            without effect on others
//   activationScaleOptional  FLOAT; any shape; may be null; a number for each token
//   biasOptional             FLOAT, FLOAT16, INT32, BF16; [H]; may be null; INT32: added before x
//                            is scaled, else after it
//   sizeSplits               Nq * D, N * D, N * D
//   quantModeOptional        may be null; static (or null)
//   layoutOptional           may be null; BSND (or null)
//   kvOutput                 whether kOut and vOut are written
//   cacheModeOptional        may be null; contiguous (or null), page
//   qOut                     type of cos; [B S Nq D] or [T Nq D]; output
//   kOut                     type of cos; [B S N D] or [T N D]; output; needed if kvOutput
//   vOut                     type of cos; [B S N D] or [T N D]; output; needed if kvOutput
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/dequant_rope_quant_kvcache/docs/aclnnDequantRopeQuantKvcache.md
ACLNN_API aclnnStatus aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, aclTensor* kCacheRef,
    aclTensor* vCacheRef, const aclTensor* indices, const aclTensor* scaleK,
    const aclTensor* scaleV, const aclTensor* offsetKOptional, const aclTensor* offsetVOptional,
    const aclTensor* weightScaleOptional, const aclTensor* activationScaleOptional,
    const aclTensor* biasOptional, const aclIntArray* sizeSplits, char* quantModeOptional,
    char* layoutOptional, bool kvOutput, char* cacheModeOptional, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDequantRopeQuantKvcache(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H_
