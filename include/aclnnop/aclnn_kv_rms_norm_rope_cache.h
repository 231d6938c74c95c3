// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_H_
#define ANYACL_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnKvRmsNormRopeCache: ckvCacheRef[index] = x / rms(x) * gamma of x = kv[..., :Dv];
// kCacheRef[index] = the neighbours of kv[..., Dv:] turned, as InterleaveRope.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   kv                   FLOAT16, BF16; [B 1 S D]; D is Dv + R
//   gamma                type of kv; [Dv]
//   cos                  type of kv; [B 1 C R]; C is S or 1; R is even
//   sin                  type of kv; [B 1 C R]
//   index                INT64; [I] or [I J]; where tokens go, -1: nowhere; Norm: [B, S], PA: [B *
//                        S], PA_BLK: [B * blocks of S]
//   kCacheRef            FLOAT16, INT8, BF16; [E F G R]; changed in place; Norm: [batches, 1,
//                        places, R], PA: [blocks, places, 1, R]
//   ckvCacheRef          FLOAT16, INT8, BF16; [E F G Dv]; changed in place; as kCacheRef
//   kRopeScaleOptional   FLOAT; any shape; may be null; [1, R], [R] or [1]; needed for an INT8
//                        kCacheRef
//   cKvScaleOptional     FLOAT; any shape; may be null; [1, Dv], [Dv] or [1]; needed for an INT8
//                        ckvCacheRef
//   kRopeOffsetOptional  FLOAT; any shape; may be null; as kRopeScaleOptional, and only beside it
//   cKvOffsetOptional    FLOAT; any shape; may be null; as cKvScaleOptional, and only beside it
//   epsilon              added to the mean square; 0 or more
//   cacheModeOptional    may be null; Norm (or null), PA, PA_BNSD, PA_NZ, PA_BLK_BNSD, PA_BLK_NZ
//   isOutputKv           whether kRopeOut and cKvOut are written
//   kRopeOut             type of kv; [B 1 S R]; output; needed if isOutputKv
//   cKvOut               type of kv; [B 1 S Dv]; output; needed if isOutputKv
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/kv_rms_norm_rope_cache/docs/aclnnKvRmsNormRopeCache.md
ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheGetWorkspaceSize(
    const aclTensor* kv, const aclTensor* gamma, const aclTensor* cos, const aclTensor* sin,
    const aclTensor* index, aclTensor* kCacheRef, aclTensor* ckvCacheRef,
    const aclTensor* kRopeScaleOptional, const aclTensor* cKvScaleOptional,
    const aclTensor* kRopeOffsetOptional, const aclTensor* cKvOffsetOptional, double epsilon,
    char* cacheModeOptional, bool isOutputKv, const aclTensor* kRopeOut, const aclTensor* cKvOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnKvRmsNormRopeCache(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_H_
