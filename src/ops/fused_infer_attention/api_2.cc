// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_incre_flash_attention.h"
#include "aclnnop/aclnn_incre_flash_attention_v2.h"
#include "aclnnop/aclnn_incre_flash_attention_v3.h"
#include "aclnnop/aclnn_incre_flash_attention_v4.h"
#include "aclnnop/aclnn_prompt_flash_attention_v2.h"
#include "aclnnop/aclnn_prompt_flash_attention_v3.h"
#include "nnop/phases.h"
#include "ops/fused_infer_attention/operators.h"

using namespace anyacl;
using anyacl::fused_infer_attention::kOperators;

extern "C" {

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
