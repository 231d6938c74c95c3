// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_dequant_rope_quant_kvcache.h"
#include "aclnnop/aclnn_kv_rms_norm_rope_cache.h"
#include "aclnnop/aclnn_kv_rms_norm_rope_cache_v2.h"
#include "aclnnop/aclnn_mla_prolog.h"
#include "aclnnop/aclnn_mla_prolog_v2_weight_nz.h"
#include "aclnnop/aclnn_mla_prolog_v3_weight_nz.h"
#include "aclnnop/aclnn_qkv_rms_norm_rope_cache.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache_v2.h"
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

aclnnStatus aclnnRopeWithSinCosCacheV2GetWorkspaceSize(
    const aclTensor* positions, const aclTensor* queryIn, const aclTensor* keyIn,
    const aclTensor* cosSinCache, const aclIntArray* mropeSection, int64_t headSize,
    bool isNeoxStyle, int64_t cacheMode, aclTensor* queryOut, aclTensor* keyOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRopeWithSinCosCacheV2"),
                  {positions, queryIn, keyIn, cosSinCache, mropeSection, headSize, isNeoxStyle,
                   cacheMode, queryOut, keyOut}, workspaceSize, executor);
}

aclnnStatus aclnnRopeWithSinCosCacheV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRopeWithSinCosCacheV2").op, workspace,
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

aclnnStatus aclnnKvRmsNormRopeCacheV2GetWorkspaceSize(
    const aclTensor* kv, const aclTensor* gamma, const aclTensor* cos, const aclTensor* sin,
    const aclTensor* index, aclTensor* kCacheRef, aclTensor* ckvCacheRef,
    const aclTensor* kRopeScaleOptional, const aclTensor* cKvScaleOptional,
    const aclTensor* kRopeOffsetOptional, const aclTensor* cKvOffsetOptional,
    const aclTensor* vOptional, double epsilon, char* cacheModeOptional, bool isOutputKv,
    const aclTensor* kRopeOut, const aclTensor* cKvOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKvRmsNormRopeCacheV2"),
                  {kv, gamma, cos, sin, index, kCacheRef, ckvCacheRef, kRopeScaleOptional,
                   cKvScaleOptional, kRopeOffsetOptional, cKvOffsetOptional, vOptional, epsilon,
                   cacheModeOptional, isOutputKv, kRopeOut, cKvOut}, workspaceSize, executor);
}

aclnnStatus aclnnKvRmsNormRopeCacheV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKvRmsNormRopeCacheV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, aclTensor* kCacheRef,
    aclTensor* vCacheRef, const aclTensor* indices, const aclTensor* scaleK,
    const aclTensor* scaleV, const aclTensor* offsetKOptional, const aclTensor* offsetVOptional,
    const aclTensor* weightScaleOptional, const aclTensor* activationScaleOptional,
    const aclTensor* biasOptional, const aclIntArray* sizeSplits, char* quantModeOptional,
    char* layoutOptional, bool kvOutput, char* cacheModeOptional, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDequantRopeQuantKvcache"),
                  {x, cos, sin, kCacheRef, vCacheRef, indices, scaleK, scaleV, offsetKOptional,
                   offsetVOptional, weightScaleOptional, activationScaleOptional, biasOptional,
                   sizeSplits, quantModeOptional, layoutOptional, kvOutput, cacheModeOptional, qOut,
                   kOut, vOut}, workspaceSize, executor);
}

aclnnStatus aclnnDequantRopeQuantKvcache(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDequantRopeQuantKvcache").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQkvRmsNormRopeCacheGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qGamma, const aclTensor* kGamma, const aclTensor* cos,
    const aclTensor* sin, const aclTensor* index, aclTensor* qOut, aclTensor* kCache,
    aclTensor* vCache, const aclTensor* kScaleOptional, const aclTensor* vScaleOptional,
    const aclTensor* kOffsetOptional, const aclTensor* vOffsetOptional, const aclIntArray* qkvSize,
    const aclIntArray* headNums, double epsilon, char* cacheModeOptional,
    const aclTensor* qOutBeforeQuant, const aclTensor* kOutBeforeQuant,
    const aclTensor* vOutBeforeQuant, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQkvRmsNormRopeCache"),
                  {qkv, qGamma, kGamma, cos, sin, index, qOut, kCache, vCache, kScaleOptional,
                   vScaleOptional, kOffsetOptional, vOffsetOptional, qkvSize, headNums, epsilon,
                   cacheModeOptional, qOutBeforeQuant, kOutBeforeQuant,
                   vOutBeforeQuant}, workspaceSize, executor);
}

aclnnStatus aclnnQkvRmsNormRopeCache(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQkvRmsNormRopeCache").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMlaPrologGetWorkspaceSize(const aclTensor* tokenX, const aclTensor* weightDq,
                                           const aclTensor* weightUqQr, const aclTensor* weightUk,
                                           const aclTensor* weightDkvKr,
                                           const aclTensor* rmsnormGammaCq,
                                           const aclTensor* rmsnormGammaCkv,
                                           const aclTensor* ropeSin, const aclTensor* ropeCos,
                                           const aclTensor* cacheIndex, aclTensor* kvCacheRef,
                                           aclTensor* krCacheRef,
                                           const aclTensor* dequantScaleXOptional,
                                           const aclTensor* dequantScaleWDqOptional,
                                           const aclTensor* dequantScaleWUqQrOptional,
                                           const aclTensor* dequantScaleWDkvKrOptional,
                                           const aclTensor* quantScaleCkvOptional,
                                           const aclTensor* quantScaleCkrOptional,
                                           const aclTensor* smoothScalesCqOptional,
                                           double rmsnormEpsilonCq, double rmsnormEpsilonCkv,
                                           char* cacheModeOptional, const aclTensor* queryOut,
                                           const aclTensor* queryRopeOut, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMlaProlog"),
                  {tokenX, weightDq, weightUqQr, weightUk, weightDkvKr, rmsnormGammaCq,
                   rmsnormGammaCkv, ropeSin, ropeCos, cacheIndex, kvCacheRef, krCacheRef,
                   dequantScaleXOptional, dequantScaleWDqOptional, dequantScaleWUqQrOptional,
                   dequantScaleWDkvKrOptional, quantScaleCkvOptional, quantScaleCkrOptional,
                   smoothScalesCqOptional, rmsnormEpsilonCq, rmsnormEpsilonCkv, cacheModeOptional,
                   queryOut, queryRopeOut}, workspaceSize, executor);
}

aclnnStatus aclnnMlaProlog(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMlaProlog").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMlaPrologV2WeightNzGetWorkspaceSize(
    const aclTensor* tokenX, const aclTensor* weightDq, const aclTensor* weightUqQr,
    const aclTensor* weightUk, const aclTensor* weightDkvKr, const aclTensor* rmsnormGammaCq,
    const aclTensor* rmsnormGammaCkv, const aclTensor* ropeSin, const aclTensor* ropeCos,
    const aclTensor* cacheIndex, aclTensor* kvCacheRef, aclTensor* krCacheRef,
    const aclTensor* dequantScaleXOptional, const aclTensor* dequantScaleWDqOptional,
    const aclTensor* dequantScaleWUqQrOptional, const aclTensor* dequantScaleWDkvKrOptional,
    const aclTensor* quantScaleCkvOptional, const aclTensor* quantScaleCkrOptional,
    const aclTensor* smoothScalesCqOptional, double rmsnormEpsilonCq, double rmsnormEpsilonCkv,
    char* cacheModeOptional, const aclTensor* queryOut, const aclTensor* queryRopeOut,
    const aclTensor* dequantScaleQNopeOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMlaPrologV2WeightNz"),
                  {tokenX, weightDq, weightUqQr, weightUk, weightDkvKr, rmsnormGammaCq,
                   rmsnormGammaCkv, ropeSin, ropeCos, cacheIndex, kvCacheRef, krCacheRef,
                   dequantScaleXOptional, dequantScaleWDqOptional, dequantScaleWUqQrOptional,
                   dequantScaleWDkvKrOptional, quantScaleCkvOptional, quantScaleCkrOptional,
                   smoothScalesCqOptional, rmsnormEpsilonCq, rmsnormEpsilonCkv, cacheModeOptional,
                   queryOut, queryRopeOut, dequantScaleQNopeOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMlaPrologV2WeightNz(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMlaPrologV2WeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMlaPrologV3WeightNzGetWorkspaceSize(
    const aclTensor* tokenX, const aclTensor* weightDq, const aclTensor* weightUqQr,
    const aclTensor* weightUk, const aclTensor* weightDkvKr, const aclTensor* rmsnormGammaCq,
    const aclTensor* rmsnormGammaCkv, const aclTensor* ropeSin, const aclTensor* ropeCos,
    aclTensor* kvCacheRef, aclTensor* krCacheRef, const aclTensor* cacheIndexOptional,
    const aclTensor* dequantScaleXOptional, const aclTensor* dequantScaleWDqOptional,
    const aclTensor* dequantScaleWUqQrOptional, const aclTensor* dequantScaleWDkvKrOptional,
    const aclTensor* quantScaleCkvOptional, const aclTensor* quantScaleCkrOptional,
    const aclTensor* smoothScalesCqOptional, const aclTensor* actualSeqLenOptional,
    const aclTensor* kNopeClipAlphaOptional, double rmsnormEpsilonCq, double rmsnormEpsilonCkv,
    char* cacheModeOptional, int64_t weightQuantMode, int64_t kvCacheQuantMode,
    int64_t queryQuantMode, int64_t ckvkrRepoMode, int64_t quantScaleRepoMode, int64_t tileSize,
    double qcQrScale, double kcScale, const aclTensor* queryOut, const aclTensor* queryRopeOut,
    const aclTensor* dequantScaleQNopeOutOptional, const aclTensor* queryNormOutOptional,
    const aclTensor* dequantScaleQNormOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMlaPrologV3WeightNz"),
                  {tokenX, weightDq, weightUqQr, weightUk, weightDkvKr, rmsnormGammaCq,
                   rmsnormGammaCkv, ropeSin, ropeCos, kvCacheRef, krCacheRef, cacheIndexOptional,
                   dequantScaleXOptional, dequantScaleWDqOptional, dequantScaleWUqQrOptional,
                   dequantScaleWDkvKrOptional, quantScaleCkvOptional, quantScaleCkrOptional,
                   smoothScalesCqOptional, actualSeqLenOptional, kNopeClipAlphaOptional,
                   rmsnormEpsilonCq, rmsnormEpsilonCkv, cacheModeOptional, weightQuantMode,
                   kvCacheQuantMode, queryQuantMode, ckvkrRepoMode, quantScaleRepoMode, tileSize,
                   qcQrScale, kcScale, queryOut, queryRopeOut, dequantScaleQNopeOutOptional,
                   queryNormOutOptional, dequantScaleQNormOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMlaPrologV3WeightNz(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMlaPrologV3WeightNz").op, workspace,
                           workspaceSize, executor, stream);
}
}
