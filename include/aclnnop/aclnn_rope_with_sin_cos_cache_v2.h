// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRopeWithSinCosCacheV2: aclnnRopeWithSinCosCache, where angles may come from the rows of
// positions in turn.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   positions     INT64; [T] or [M T]; of tokens, 0 to L - 1
//   queryIn       FLOAT, FLOAT16, BF16; [T Q]; Q is a multiple of headSize
//   keyIn         type of queryIn; [T K]; K is a multiple of headSize
//   cosSinCache   type of queryIn; [L R]; R/2 cosines, then R/2 sines of each position; R is at
//                 most headSize
//   mropeSection  may be null; how many of the R/2 angles follow each of the M rows of positions, 3
//                 or 4; without effect where positions has rank 1
//   headSize      1 or more
//   isNeoxStyle   pairs are R/2 apart, else neighbours
//   cacheMode     0 to 1; 0: as sections follow each other, 1: angles i of positions[i % 3], 3
//                 sections; without effect where positions has rank 1
//   queryOut      type of queryIn; [T Q]; output
//   keyOut        type of queryIn; [T K]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/rope_with_sin_cos_cache/docs/aclnnRopeWithSinCosCacheV2.md
ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheV2GetWorkspaceSize(
    const aclTensor* positions, const aclTensor* queryIn, const aclTensor* keyIn,
    const aclTensor* cosSinCache, const aclIntArray* mropeSection, int64_t headSize,
    bool isNeoxStyle, int64_t cacheMode, aclTensor* queryOut, aclTensor* keyOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H_
