// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_
#define ANYACL_ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQkvRmsNormRopeCache: q, k, v = qkv; qOut = q / rms(q) * qGamma turned, kCache[index] =
// round(k / rms(k) * kGamma turned / kScale + kOffset), vCache[index] = round(v / vScale +
// vOffset).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   qkv                FLOAT16, BF16; [T C]; of each token Nq queries, N keys, N values of D
//   qGamma             type of qkv; [D]
//   kGamma             type of qkv; [D]
//   cos                type of qkv; [T D]; D is even
//   sin                type of qkv; [T D]
//   index              INT64; [T]; where tokens go, -1: nowhere
//   qOut               type of qkv; [T Q]; changed in place; queries normalised and turned
//   kCache             FLOAT16, INT8, BF16; [E Fk G Uk]; changed in place; [blocks, N * D / Uk,
//                      places, Uk], Uk being 16, or 32 of INT8
//   vCache             FLOAT16, INT8, BF16; [E Fv G Uv]; changed in place; as kCache
//   kScaleOptional     FLOAT; [N D]; may be null; divides keys; needed for an INT8 kCache
//   vScaleOptional     FLOAT; [N D]; may be null; divides values; needed for an INT8 vCache
//   kOffsetOptional    FLOAT; [N D]; may be null; only beside kScaleOptional
//   vOffsetOptional    FLOAT; [N D]; may be null; only beside vScaleOptional
//   qkvSize            B, S, Nq + 2 N, D
//   headNums           Nq, N, N
//   epsilon            added to the mean square; 0 or more
//   cacheModeOptional  may be null; PA_NZ (or null)
//   qOutBeforeQuant    type of qkv; [T Q]; output; may be null; as qOut
//   kOutBeforeQuant    type of qkv; [T K]; output; may be null; keys normalised and turned
//   vOutBeforeQuant    type of qkv; [T K]; output; may be null; values as they are
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/qkv_rms_norm_rope_cache/docs/aclnnQkvRmsNormRopeCache.md
ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCacheGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qGamma, const aclTensor* kGamma, const aclTensor* cos,
    const aclTensor* sin, const aclTensor* index, aclTensor* qOut, aclTensor* kCache,
    aclTensor* vCache, const aclTensor* kScaleOptional, const aclTensor* vScaleOptional,
    const aclTensor* kOffsetOptional, const aclTensor* vOffsetOptional, const aclIntArray* qkvSize,
    const aclIntArray* headNums, double epsilon, char* cacheModeOptional,
    const aclTensor* qOutBeforeQuant, const aclTensor* kOutBeforeQuant,
    const aclTensor* vOutBeforeQuant, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCache(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_
