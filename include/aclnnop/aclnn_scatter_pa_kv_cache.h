// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_PA_KV_CACHE_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_PA_KV_CACHE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScatterPaKvCache: slot slotMapping[t] of keyCacheRef = key[t], and of valueCacheRef =
// value[t].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   key                        FLOAT16, INT8, BF16; [T N Dk]; rank 4, of compressed caches, is
//                              refused
//   keyCacheRef                type of key; [b r h c] or [b g p r c]; changed in place; ND or
//                              FRACTAL_NZ; blocks of slots, [b, slots, N, Dk]; PA_NZ: [b, N*Dk/c,
//                              slots, c] or [b, N, Dk/c, slots, c]
//   slotMapping                INT32, INT64; [T]; the slot of each token; negative: none
//   value                      type of key; [| 0] or [T N Dv]; a single number or none: keys alone
//   valueCacheRef              type of key; [| 0] or [b vr vh vc] or [b vg vp vr vc]; changed in
//                              place; ND or FRACTAL_NZ; as keyCacheRef; a single number or none if
//                              value is
//   compressLensOptional       INT32, INT64; any shape; may be null; of compressed caches: refused
//                              if it is given
//   compressSeqOffsetOptional  INT32, INT64; any shape; may be null; of compressed caches: refused
//                              if it is given
//   seqLensOptional            INT32, INT64; any shape; may be null; of compressed caches: refused
//                              if it is given
//   cacheModeOptional          may be null; null, Norm or PA_NZ
//   scatterModeOptional        may be null; null, None or Nct; Alibi, Rope and Omni, of compressed
//                              caches, are refused
//   stridesOptional            may be null; Nct: how many elements lie from a token's first one to
//                              the next token's, of key and of value
//   offsetsOptional            may be null; Nct: how many elements lie before the first token, of
//                              key and of value
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   161002  what breaks a rule about values or what goes together
//   561002  any other wrong argument
// CANN's document: ops-transformer: attention/scatter_pa_kv_cache/docs/aclnnScatterPaKvCache.md
ACLNN_API aclnnStatus aclnnScatterPaKvCacheGetWorkspaceSize(
    const aclTensor* key, aclTensor* keyCacheRef, const aclTensor* slotMapping,
    const aclTensor* value, aclTensor* valueCacheRef, const aclTensor* compressLensOptional,
    const aclTensor* compressSeqOffsetOptional, const aclTensor* seqLensOptional,
    char* cacheModeOptional, char* scatterModeOptional, const aclIntArray* stridesOptional,
    const aclIntArray* offsetsOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatterPaKvCache(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_PA_KV_CACHE_H_
