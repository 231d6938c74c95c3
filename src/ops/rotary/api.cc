// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_kv_rms_norm_rope_cache.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache.h"
#include "nnop/phases.h"
#include "ops/rotary/operators.h"

using namespace anyacl;
using anyacl::rotary::kOperators;

extern "C" {

aclnnStatus aclnnRopeWithSinCosCacheGetWorkspaceSize(
    const aclTensor* positions, const aclTensor* queryIn, const aclTensor* keyIn,
    const aclTensor* cosSinCache, const aclIntArray* mropeSection, int64_t headSize,
    bool isNeoxStyle, aclTensor* queryOut, aclTensor* keyOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRopeWithSinCosCache"),
                  {positions, queryIn, keyIn, cosSinCache, mropeSection, headSize, isNeoxStyle,
                   queryOut, keyOut}, workspaceSize, executor);
}

aclnnStatus aclnnRopeWithSinCosCache(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRopeWithSinCosCache").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnKvRmsNormRopeCacheGetWorkspaceSize(
    const aclTensor* kv, const aclTensor* gamma, const aclTensor* cos, const aclTensor* sin,
    const aclTensor* index, aclTensor* kCacheRef, aclTensor* ckvCacheRef,
    const aclTensor* kRopeScaleOptional, const aclTensor* cKvScaleOptional,
    const aclTensor* kRopeOffsetOptional, const aclTensor* cKvOffsetOptional, double epsilon,
    char* cacheModeOptional, bool isOutputKv, const aclTensor* kRopeOut, const aclTensor* cKvOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKvRmsNormRopeCache"),
                  {kv, gamma, cos, sin, index, kCacheRef, ckvCacheRef, kRopeScaleOptional,
                   cKvScaleOptional, kRopeOffsetOptional, cKvOffsetOptional, epsilon,
                   cacheModeOptional, isOutputKv, kRopeOut, cKvOut}, workspaceSize, executor);
}

aclnnStatus aclnnKvRmsNormRopeCache(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKvRmsNormRopeCache").op, workspace,
                           workspaceSize, executor, stream);
}
}
