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

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* keyIn,
    const aclTensor* keyInRope, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, const aclTensor* dqOut, const aclTensor* dqRopeOut,
    const aclTensor* dkOut, const aclTensor* dkRopeOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV3"),
                  {query, queryRope, keyIn, keyInRope, value, dy, pseShiftOptional,
                   dropMaskOptional, paddingMaskOptional, attenMaskOptional, softmaxMaxOptional,
                   softmaxSumOptional, softmaxInOptional, attentionInOptional, prefixOptional,
                   actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional,
                   kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, pseType, dqOut, dqRopeOut, dkOut,
                   dkRopeOut, dvOut, dpseOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV3(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, char* softmaxOutLayout, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionVarLenScoreV4"),
                  {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional,
                   scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise,
                   sparseMode, softmaxOutLayout, softmaxMaxOut, softmaxSumOut, softmaxOutOut,
                   attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV4(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionVarLenScoreV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut,
    const aclTensor* dpseOut, char* softmaxInLayout, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV4"),
                  {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional,
                   attentionInOptional, prefixOptional, actualSeqQLenOptional,
                   actualSeqKvLenOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, dqOut, dkOut, dvOut, dpseOut,
                   softmaxInLayout}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV4(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* sinkOptional, const aclIntArray* prefixOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionScoreV3"),
                  {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, sinkOptional, prefixOptional, qStartIdxOptional,
                   kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, pseType, softmaxMaxOut, softmaxSumOut,
                   softmaxOutOut, attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionScoreV3(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionScoreV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionScoreGradV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* keyIn, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclTensor* sinkInOptional, const aclIntArray* prefixOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor* dqOut,
    const aclTensor* dkOut, const aclTensor* dvOut, const aclTensor* dpseOut,
    const aclTensor* dsinkOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionScoreGradV3"),
                  {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                   attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional,
                   attentionInOptional, sinkInOptional, prefixOptional, qStartIdxOptional,
                   kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, pseType, dqOut, dkOut, dvOut, dpseOut,
                   dsinkOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionScoreGradV3(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionScoreGradV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* key,
    const aclTensor* keyRope, const aclTensor* value, const aclTensor* realShiftOptional,
    const aclTensor* dropMaskOptional, const aclTensor* paddingMaskOptional,
    const aclTensor* attenMaskOptional, const aclTensor* sinkOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, char* softmaxOutLayout, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionVarLenScoreV5"),
                  {query, queryRope, key, keyRope, value, realShiftOptional, dropMaskOptional,
                   paddingMaskOptional, attenMaskOptional, sinkOptional, prefixOptional,
                   actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional,
                   kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, pseType, softmaxOutLayout, softmaxMaxOut,
                   softmaxSumOut, softmaxOutOut, attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV5GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* key,
    const aclTensor* keyRope, const aclTensor* value, const aclTensor* realShiftOptional,
    const aclTensor* dropMaskOptional, const aclTensor* paddingMaskOptional,
    const aclTensor* attenMaskOptional, const aclTensor* sinkOptional,
    const aclIntArray* prefixOptional, const aclIntArray* actualSeqQLenOptional,
    const aclIntArray* actualSeqKvLenOptional, const aclIntArray* qStartIdxOptional,
    const aclIntArray* kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, int64_t pseType, char* softmaxOutLayout, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* softmaxOutOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseMost(Find(kOperators, "aclnnFlashAttentionVarLenScoreV5"),
                   {query, queryRope, key, keyRope, value, realShiftOptional, dropMaskOptional,
                    paddingMaskOptional, attenMaskOptional, sinkOptional, prefixOptional,
                    actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional,
                    kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                    inputLayout, innerPrecise, sparseMode, pseType, softmaxOutLayout, softmaxMaxOut,
                    softmaxSumOut, softmaxOutOut, attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionVarLenScoreV5(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionVarLenScoreV5").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5GetWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* keyIn,
    const aclTensor* keyInRope, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclTensor* sinkInOptional, const aclIntArray* prefixOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, char* softmaxInLayout,
    const aclTensor* dqOut, const aclTensor* dqRopeOut, const aclTensor* dkOut,
    const aclTensor* dkRopeOut, const aclTensor* dvOut, const aclTensor* dpseOut,
    const aclTensor* dsinkOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV5"),
                  {query, queryRope, keyIn, keyInRope, value, dy, pseShiftOptional,
                   dropMaskOptional, paddingMaskOptional, attenMaskOptional, softmaxMaxOptional,
                   softmaxSumOptional, softmaxInOptional, attentionInOptional, sinkInOptional,
                   prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional,
                   kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum,
                   inputLayout, innerPrecise, sparseMode, pseType, softmaxInLayout, dqOut,
                   dqRopeOut, dkOut, dkRopeOut, dvOut, dpseOut, dsinkOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensor* queryRope, const aclTensor* keyIn,
    const aclTensor* keyInRope, const aclTensor* value, const aclTensor* dy,
    const aclTensor* pseShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMaxOptional, const aclTensor* softmaxSumOptional,
    const aclTensor* softmaxInOptional, const aclTensor* attentionInOptional,
    const aclTensor* sinkInOptional, const aclIntArray* prefixOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char* inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, char* softmaxInLayout,
    const aclTensor* dqOut, const aclTensor* dqRopeOut, const aclTensor* dkOut,
    const aclTensor* dkRopeOut, const aclTensor* dvOut, const aclTensor* dpseOut,
    const aclTensor* dsinkOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseMost(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV5"),
                   {query, queryRope, keyIn, keyInRope, value, dy, pseShiftOptional,
                    dropMaskOptional, paddingMaskOptional, attenMaskOptional, softmaxMaxOptional,
                    softmaxSumOptional, softmaxInOptional, attentionInOptional, sinkInOptional,
                    prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional,
                    qStartIdxOptional, kvStartIdxOptional, scaleValue, keepProb, preTokens,
                    nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType,
                    softmaxInLayout, dqOut, dqRopeOut, dkOut, dkRopeOut, dvOut, dpseOut,
                    dsinkOut}, workspaceSize, executor);
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlashAttentionUnpaddingScoreGradV5").op, workspace,
                           workspaceSize, executor, stream);
}
}
