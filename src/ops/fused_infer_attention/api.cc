// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v3.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v4.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v5.h"
#include "aclnnop/aclnn_incre_flash_attention.h"
#include "aclnnop/aclnn_incre_flash_attention_v2.h"
#include "aclnnop/aclnn_incre_flash_attention_v3.h"
#include "aclnnop/aclnn_incre_flash_attention_v4.h"
#include "aclnnop/aclnn_prompt_flash_attention.h"
#include "aclnnop/aclnn_prompt_flash_attention_v2.h"
#include "aclnnop/aclnn_prompt_flash_attention_v3.h"
#include "nnop/phases.h"
#include "ops/fused_infer_attention/operators.h"

using namespace anyacl;
using anyacl::fused_infer_attention::kOperators;

extern "C" {

aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, int64_t numHeads, double scaleValue,
    int64_t preTokens, int64_t nextTokens, char* inputLayout, int64_t numKeyValueHeads,
    int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t antiquantMode,
    bool softmaxLseFlag, int64_t keyAntiquantMode, int64_t valueAntiquantMode,
    const aclTensor* attentionOut, const aclTensor* softmaxLse, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedInferAttentionScoreV2"),
                  {query, key, value, pseShiftOptional, attenMaskOptional, actualSeqLengthsOptional,
                   actualSeqLengthsKvOptional, deqScale1Optional, quantScale1Optional,
                   deqScale2Optional, quantScale2Optional, quantOffset2Optional,
                   antiquantScaleOptional, antiquantOffsetOptional, blockTableOptional,
                   queryPaddingSizeOptional, kvPaddingSizeOptional, keyAntiquantScaleOptional,
                   keyAntiquantOffsetOptional, valueAntiquantScaleOptional,
                   valueAntiquantOffsetOptional, keySharedPrefixOptional, valueSharedPrefixOptional,
                   actualSharedPrefixLenOptional, numHeads, scaleValue, preTokens, nextTokens,
                   inputLayout, numKeyValueHeads, sparseMode, innerPrecise, blockSize,
                   antiquantMode, softmaxLseFlag, keyAntiquantMode, valueAntiquantMode,
                   attentionOut, softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedInferAttentionScoreV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedInferAttentionScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclIntArray* actualSeqLengthsKv, const aclTensor* deqScale1, const aclTensor* quantScale1,
    const aclTensor* deqScale2, const aclTensor* quantScale2, const aclTensor* quantOffset2,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* blockTable,
    const aclTensor* queryPaddingSize, const aclTensor* kvPaddingSize, int64_t numHeads,
    double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, const aclTensor* attentionOut,
    const aclTensor* softmaxLse, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedInferAttentionScore"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, actualSeqLengthsKv,
                   deqScale1, quantScale1, deqScale2, quantScale2, quantOffset2, antiquantScale,
                   antiquantOffset, blockTable, queryPaddingSize, kvPaddingSize, numHeads,
                   scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads, sparseMode,
                   innerPrecise, blockSize, antiquantMode, softmaxLseFlag, attentionOut,
                   softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScore(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedInferAttentionScore").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedInferAttentionScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, const aclTensor* attentionOut, const aclTensor* softmaxLse,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedInferAttentionScoreV3"),
                  {query, key, value, pseShiftOptional, attenMaskOptional, actualSeqLengthsOptional,
                   actualSeqLengthsKvOptional, deqScale1Optional, quantScale1Optional,
                   deqScale2Optional, quantScale2Optional, quantOffset2Optional,
                   antiquantScaleOptional, antiquantOffsetOptional, blockTableOptional,
                   queryPaddingSizeOptional, kvPaddingSizeOptional, keyAntiquantScaleOptional,
                   keyAntiquantOffsetOptional, valueAntiquantScaleOptional,
                   valueAntiquantOffsetOptional, keySharedPrefixOptional, valueSharedPrefixOptional,
                   actualSharedPrefixLenOptional, queryRopeOptional, keyRopeOptional,
                   keyRopeAntiquantScaleOptional, numHeads, scaleValue, preTokens, nextTokens,
                   inputLayout, numKeyValueHeads, sparseMode, innerPrecise, blockSize,
                   antiquantMode, softmaxLseFlag, keyAntiquantMode, valueAntiquantMode,
                   attentionOut, softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV3GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, const aclTensor* attentionOut, const aclTensor* softmaxLse,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseMost(Find(kOperators, "aclnnFusedInferAttentionScoreV3"),
                   {query, key, value, pseShiftOptional, attenMaskOptional,
                    actualSeqLengthsOptional, actualSeqLengthsKvOptional, deqScale1Optional,
                    quantScale1Optional, deqScale2Optional, quantScale2Optional,
                    quantOffset2Optional, antiquantScaleOptional, antiquantOffsetOptional,
                    blockTableOptional, queryPaddingSizeOptional, kvPaddingSizeOptional,
                    keyAntiquantScaleOptional, keyAntiquantOffsetOptional,
                    valueAntiquantScaleOptional, valueAntiquantOffsetOptional,
                    keySharedPrefixOptional, valueSharedPrefixOptional,
                    actualSharedPrefixLenOptional, queryRopeOptional, keyRopeOptional,
                    keyRopeAntiquantScaleOptional, numHeads, scaleValue, preTokens, nextTokens,
                    inputLayout, numKeyValueHeads, sparseMode, innerPrecise, blockSize,
                    antiquantMode, softmaxLseFlag, keyAntiquantMode, valueAntiquantMode,
                    attentionOut, softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV3(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedInferAttentionScoreV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedInferAttentionScoreV4GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    const aclTensor* dequantScaleQueryOptional, const aclTensor* learnableSinkOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, int64_t queryQuantMode, const aclTensor* attentionOut,
    const aclTensor* softmaxLse, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedInferAttentionScoreV4"),
                  {query, key, value, pseShiftOptional, attenMaskOptional, actualSeqLengthsOptional,
                   actualSeqLengthsKvOptional, deqScale1Optional, quantScale1Optional,
                   deqScale2Optional, quantScale2Optional, quantOffset2Optional,
                   antiquantScaleOptional, antiquantOffsetOptional, blockTableOptional,
                   queryPaddingSizeOptional, kvPaddingSizeOptional, keyAntiquantScaleOptional,
                   keyAntiquantOffsetOptional, valueAntiquantScaleOptional,
                   valueAntiquantOffsetOptional, keySharedPrefixOptional, valueSharedPrefixOptional,
                   actualSharedPrefixLenOptional, queryRopeOptional, keyRopeOptional,
                   keyRopeAntiquantScaleOptional, dequantScaleQueryOptional, learnableSinkOptional,
                   numHeads, scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads,
                   sparseMode, innerPrecise, blockSize, antiquantMode, softmaxLseFlag,
                   keyAntiquantMode, valueAntiquantMode, queryQuantMode, attentionOut,
                   softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV4GetMaxWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    const aclTensor* dequantScaleQueryOptional, const aclTensor* learnableSinkOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, int64_t queryQuantMode, const aclTensor* attentionOut,
    const aclTensor* softmaxLse, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseMost(Find(kOperators, "aclnnFusedInferAttentionScoreV4"),
                   {query, key, value, pseShiftOptional, attenMaskOptional,
                    actualSeqLengthsOptional, actualSeqLengthsKvOptional, deqScale1Optional,
                    quantScale1Optional, deqScale2Optional, quantScale2Optional,
                    quantOffset2Optional, antiquantScaleOptional, antiquantOffsetOptional,
                    blockTableOptional, queryPaddingSizeOptional, kvPaddingSizeOptional,
                    keyAntiquantScaleOptional, keyAntiquantOffsetOptional,
                    valueAntiquantScaleOptional, valueAntiquantOffsetOptional,
                    keySharedPrefixOptional, valueSharedPrefixOptional,
                    actualSharedPrefixLenOptional, queryRopeOptional, keyRopeOptional,
                    keyRopeAntiquantScaleOptional, dequantScaleQueryOptional, learnableSinkOptional,
                    numHeads, scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads,
                    sparseMode, innerPrecise, blockSize, antiquantMode, softmaxLseFlag,
                    keyAntiquantMode, valueAntiquantMode, queryQuantMode, attentionOut,
                    softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV4(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedInferAttentionScoreV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedInferAttentionScoreV5GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    const aclTensor* dequantScaleQueryOptional, const aclTensor* learnableSinkOptional,
    const aclIntArray* qStartIdxOptional, const aclIntArray* kvStartIdxOptional, int64_t numHeads,
    double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, int64_t queryQuantMode, int64_t pseType,
    const aclTensor* attentionOut, const aclTensor* softmaxLse, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedInferAttentionScoreV5"),
                  {query, key, value, pseShiftOptional, attenMaskOptional, actualSeqLengthsOptional,
                   actualSeqLengthsKvOptional, deqScale1Optional, quantScale1Optional,
                   deqScale2Optional, quantScale2Optional, quantOffset2Optional,
                   antiquantScaleOptional, antiquantOffsetOptional, blockTableOptional,
                   queryPaddingSizeOptional, kvPaddingSizeOptional, keyAntiquantScaleOptional,
                   keyAntiquantOffsetOptional, valueAntiquantScaleOptional,
                   valueAntiquantOffsetOptional, keySharedPrefixOptional, valueSharedPrefixOptional,
                   actualSharedPrefixLenOptional, queryRopeOptional, keyRopeOptional,
                   keyRopeAntiquantScaleOptional, dequantScaleQueryOptional, learnableSinkOptional,
                   qStartIdxOptional, kvStartIdxOptional, numHeads, scaleValue, preTokens,
                   nextTokens, inputLayout, numKeyValueHeads, sparseMode, innerPrecise, blockSize,
                   antiquantMode, softmaxLseFlag, keyAntiquantMode, valueAntiquantMode,
                   queryQuantMode, pseType, attentionOut, softmaxLse}, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV5(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedInferAttentionScoreV5").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPromptFlashAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* pseShift,
    const aclTensor* attenMask, const aclIntArray* actualSeqLengths, int64_t numHeads,
    double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, const aclTensor* attentionOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPromptFlashAttention"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, numHeads, scaleValue,
                   preTokens, nextTokens, inputLayout, numKeyValueHeads,
                   attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnPromptFlashAttention(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPromptFlashAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPromptFlashAttentionV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* pseShift,
    const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclIntArray* actualSeqLengthsKv, const aclTensor* deqScale1, const aclTensor* quantScale1,
    const aclTensor* deqScale2, const aclTensor* quantScale2, const aclTensor* quantOffset2,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, const aclTensor* attentionOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPromptFlashAttentionV2"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, actualSeqLengthsKv,
                   deqScale1, quantScale1, deqScale2, quantScale2, quantOffset2, numHeads,
                   scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads, sparseMode,
                   attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnPromptFlashAttentionV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPromptFlashAttentionV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPromptFlashAttentionV3GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* pseShift,
    const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclIntArray* actualSeqLengthsKv, const aclTensor* deqScale1, const aclTensor* quantScale1,
    const aclTensor* deqScale2, const aclTensor* quantScale2, const aclTensor* quantOffset2,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise,
    const aclTensor* attentionOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPromptFlashAttentionV3"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, actualSeqLengthsKv,
                   deqScale1, quantScale1, deqScale2, quantScale2, quantOffset2, numHeads,
                   scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads, sparseMode,
                   innerPrecise, attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnPromptFlashAttentionV3(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPromptFlashAttentionV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIncreFlashAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    int64_t numHeads, double scaleValue, char* inputLayout, int64_t numKeyValueHeads,
    const aclTensor* attentionOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIncreFlashAttention"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, numHeads, scaleValue,
                   inputLayout, numKeyValueHeads, attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnIncreFlashAttention(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIncreFlashAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIncreFlashAttentionV2GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclTensor* dequantScale1, const aclTensor* quantScale1, const aclTensor* dequantScale2,
    const aclTensor* quantScale2, const aclTensor* quantOffset2, int64_t numHeads,
    double scaleValue, char* inputLayout, int64_t numKeyValueHeads, const aclTensor* attentionOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIncreFlashAttentionV2"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, dequantScale1,
                   quantScale1, dequantScale2, quantScale2, quantOffset2, numHeads, scaleValue,
                   inputLayout, numKeyValueHeads, attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnIncreFlashAttentionV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIncreFlashAttentionV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIncreFlashAttentionV3GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclTensor* dequantScale1, const aclTensor* quantScale1, const aclTensor* dequantScale2,
    const aclTensor* quantScale2, const aclTensor* quantOffset2, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffset, const aclTensor* blocktable, int64_t numHeads,
    double scaleValue, char* inputLayout, int64_t numKeyValueHeads, int64_t blockSize,
    int64_t innerPrecise, const aclTensor* attentionOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIncreFlashAttentionV3"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, dequantScale1,
                   quantScale1, dequantScale2, quantScale2, quantOffset2, antiquantScale,
                   antiquantOffset, blocktable, numHeads, scaleValue, inputLayout, numKeyValueHeads,
                   blockSize, innerPrecise, attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnIncreFlashAttentionV3(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIncreFlashAttentionV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIncreFlashAttentionV4GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclTensor* dequantScale1, const aclTensor* quantScale1, const aclTensor* dequantScale2,
    const aclTensor* quantScale2, const aclTensor* quantOffset2, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffset, const aclTensor* blocktable, const aclTensor* kvPaddingSize,
    int64_t numHeads, double scaleValue, char* inputLayout, int64_t numKeyValueHeads,
    int64_t blockSize, int64_t innerPrecise, const aclTensor* attentionOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIncreFlashAttentionV4"),
                  {query, key, value, pseShift, attenMask, actualSeqLengths, dequantScale1,
                   quantScale1, dequantScale2, quantScale2, quantOffset2, antiquantScale,
                   antiquantOffset, blocktable, kvPaddingSize, numHeads, scaleValue, inputLayout,
                   numKeyValueHeads, blockSize, innerPrecise,
                   attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnIncreFlashAttentionV4(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIncreFlashAttentionV4").op, workspace,
                           workspaceSize, executor, stream);
}
}
