// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H_
#define ANYACL_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnKvRmsNormRopeCacheV2: aclnnKvRmsNormRopeCache, or with vOptional and any number of heads: x
// = kv / rms(kv) * gamma, of which the neighbours of x[..., :R] are turned as there, goes to
// kCacheRef[index], vOptional to ckvCacheRef[index].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   kv                   FLOAT16, BF16; [B N S D]; D is Dv + R, N 1; with vOptional: D is Dk
//   gamma                type of kv; [W]; Dv; with vOptional: D
//   cos                  type of kv; [B H C R]; H is N or 1, C is S or 1; R is even
//   sin                  type of kv; [B H C R]
//   index                INT64; [I] or [I J]; where tokens go, -1: nowhere; Norm: [B, S], PA: [B *
//                        S], PA_BLK: [B * blocks of S]
//   kCacheRef            FLOAT16, INT8, BF16; [E F G X]; changed in place; Norm: [batches, N,
//                        places, X], PA: [blocks, places, N, X]; X is R; with vOptional: D
//   ckvCacheRef          FLOAT16, INT8, BF16; [E F G Y]; changed in place; as kCacheRef; Y is Dv
//   kRopeScaleOptional   FLOAT; any shape; may be null; [N, X], [1, X], [X] or [1]; needed for an
//                        INT8 kCacheRef
//   cKvScaleOptional     FLOAT; any shape; may be null; [N, Y], [1, Y], [Y] or [1]; needed for an
//                        INT8 ckvCacheRef
//   kRopeOffsetOptional  FLOAT; any shape; may be null; as kRopeScaleOptional, and only beside it
//   cKvOffsetOptional    FLOAT; any shape; may be null; as cKvScaleOptional, and only beside it
//   vOptional            type of kv; [B N S Dv]; may be null; values; then kv is keys alone: all of
//                        them normalised, the first R of each turned
//   epsilon              added to the mean square; 0 or more
//   cacheModeOptional    may be null; Norm (or null), PA, PA_BNSD, PA_NZ, PA_BLK_BNSD, PA_BLK_NZ
//   isOutputKv           whether kRopeOut and cKvOut are written
//   kRopeOut             type of kv; [B N S Ko]; output; needed if isOutputKv
//   cKvOut               type of kv; [B N S Vo]; output; needed if isOutputKv
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/kv_rms_norm_rope_cache/docs/aclnnKvRmsNormRopeCacheV2.md
ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheV2GetWorkspaceSize(
    const aclTensor* kv, const aclTensor* gamma, const aclTensor* cos, const aclTensor* sin,
    const aclTensor* index, aclTensor* kCacheRef, aclTensor* ckvCacheRef,
    const aclTensor* kRopeScaleOptional, const aclTensor* cKvScaleOptional,
    const aclTensor* kRopeOffsetOptional, const aclTensor* cKvOffsetOptional,
    const aclTensor* vOptional, double epsilon, char* cacheModeOptional, bool isOutputKv,
    const aclTensor* kRopeOut, const aclTensor* cKvOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H_
