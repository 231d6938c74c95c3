// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"
#include "nnop/phases.h"
#include "ops/flash_attention/operators.h"

using namespace anyacl;
using anyacl::flash_attention::kOperators;

extern "C" {

aclnnStatus aclnnFlashAttentionScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* softmaxOutOut, const aclTensor* attentionOutOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionScore"),
                  {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, prefixOptional, scaleValue, keepProb, preTokens, nextTokens,
                   headNum, inputLayout, innerPrecise, sparseMode, softmaxMaxOut, softmaxSumOut,
                   softmaxOutOut, attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionScore(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionScore").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionScoreGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionScoreGrad"),
                  {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional,
                   attentionInOptional, prefixOptional, scaleValue, keepProb, preTokens, nextTokens,
                   headNum, inputLayout, innerPrecise, sparseMode, dqOut, dkOut, dvOut,
                   dpseOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionScoreGrad(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionScoreGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* softmaxOutOut, const aclTensor* attentionOutOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionVarLenScore"),
                  {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional,
                   scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise,
                   sparseMode, softmaxMaxOut, softmaxSumOut, softmaxOutOut,
                   attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionVarLenScore(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionVarLenScore").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGrad"),
                  {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional,
                   attentionInOptional, prefixOptional, actualSeqQLenOptional,
                   actualSeqKvLenOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, dqOut, dkOut, dvOut,
                   dpseOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGrad(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionScoreV2"),
                  {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, prefixOptional, qStartIdxOptional, kvStartIdxOptional,
                   scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise,
                   sparseMode, pseType, softmaxMaxOut, softmaxSumOut, softmaxOutOut,
                   attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionScoreV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionScoreV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* dqOut, const aclTensor* dkOut,
    const aclTensor* dvOut, const aclTensor* dpseOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionScoreGradV2"),
                  {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional,
                   attentionInOptional, prefixOptional, qStartIdxOptional, kvStartIdxOptional,
                   scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise,
                   sparseMode, pseType, dqOut, dkOut, dvOut, dpseOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionScoreGradV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionScoreGradV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionVarLenScoreV2"),
                  {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional,
                   qStartIdxOptional, kvStartIdxOptional, scaleValue, keepProb, preTokens,
                   nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType,
                   softmaxMaxOut, softmaxSumOut, softmaxOutOut,
                   attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV2(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionVarLenScoreV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* dqOut, const aclTensor* dkOut,
    const aclTensor* dvOut, const aclTensor* dpseOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV2"),
                  {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional,
                   attentionInOptional, prefixOptional, actualSeqQLenOptional,
                   actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional, scaleValue,
                   keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode,
                   pseType, dqOut, dkOut, dvOut, dpseOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* key,
    const aclTensor* keyRope, const aclTensor* value, const aclTensor* realShiftOptional,
    const aclTensor* dropMaskOptional, const aclTensor* paddingMaskOptional,
    const aclTensor* attenMaskOptional, const aclIntArray* prefixOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionVarLenScoreV3"),
                  {query, queryRope, key, keyRope, value, realShiftOptional, dropMaskOptional,
                   paddingMaskOptional, attenMaskOptional, prefixOptional, actualSeqQLenOptional,
                   actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional, scaleValue,
                   keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode,
                   pseType, softmaxMaxOut, softmaxSumOut, softmaxOutOut,
                   attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV3(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionVarLenScoreV3").op, workspace,
                           workspaceSize, executor, stream);
}
}
