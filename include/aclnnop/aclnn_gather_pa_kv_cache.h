// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H_
#define ANYACL_ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGatherPaKvCache: keyRef = the tokens of all sequences in keyCache, whose blocks blockTables
// lists, one behind the other, and valueRef those of valueCache.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   keyCache           FLOAT16, INT8, BF16; [b r h c]; ND or FRACTAL_NZ; Norm: blocks of slots, [b,
//                      slots, N, Dk]; PA_NZ: [b, N*Dk/c, slots, c]
//   valueCache         FLOAT16, INT8, BF16; [b vr vh vc]; ND or FRACTAL_NZ; as keyCache
//   blockTables        INT32, INT64; [B columns]; the blocks of each sequence; where there is none
//                      are zeros
//   seqLens            type of blockTables; [L]; [B], or [B + 1] where it is cumulative
//   keyRef             type of keyCache; [T N Dk] or [T NDk]; changed in place; tokens behind the
//                      last one stay
//   valueRef           type of valueCache; [T N Dv] or [T NDv]; changed in place
//   seqOffsetOptional  type of blockTables; [B]; may be null; how many slots of a sequence's table
//                      are left out, in whole blocks
//   cacheMode          Norm or PA_NZ
//   isSeqLensCumsum    whether seqLens are sums, from 0 on
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: attention/gather_pa_kv_cache/docs/aclnnGatherPaKvCache.md
ACLNN_API aclnnStatus aclnnGatherPaKvCacheGetWorkspaceSize(
    const aclTensor* keyCache, const aclTensor* valueCache, const aclTensor* blockTables,
    const aclTensor* seqLens, aclTensor* keyRef, aclTensor* valueRef,
    const aclTensor* seqOffsetOptional, char* cacheMode, bool isSeqLensCumsum,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGatherPaKvCache(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H_
