// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_nsa_compress.h"
#include "aclnnop/aclnn_nsa_compress_attention.h"
#include "aclnnop/aclnn_nsa_compress_attention_infer.h"
#include "aclnnop/aclnn_nsa_compress_grad.h"
#include "aclnnop/aclnn_nsa_compress_with_cache.h"
#include "aclnnop/aclnn_nsa_selected_attention.h"
#include "aclnnop/aclnn_nsa_selected_attention_grad.h"
#include "aclnnop/aclnn_nsa_selected_attention_infer.h"
#include "nnop/phases.h"
#include "ops/native_sparse_attention/operators.h"

using namespace anyacl;
using anyacl::native_sparse_attention::kOperators;

extern "C" {

aclnnStatus aclnnNsaCompressGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                             const aclIntArray* actSeqLenOptional,
                                             char* layoutOptional, int64_t compressBlockSize,
                                             int64_t compressStride, int64_t actSeqLenType,
                                             aclTensor* output, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaCompress"),
                  {input, weight, actSeqLenOptional, layoutOptional, compressBlockSize,
                   compressStride, actSeqLenType, output}, workspaceSize, executor);
}

aclnnStatus aclnnNsaCompress(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaCompress").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaCompressGradGetWorkspaceSize(const aclTensor* outputGrad,
                                                 const aclTensor* input, const aclTensor* weight,
                                                 const aclIntArray* actSeqLenOptionalOptional,
                                                 int64_t compressBlockSize, int64_t compressStride,
                                                 int64_t actSeqLenType,
                                                 char* layoutOptionalOptional,
                                                 const aclTensor* inputGradOut,
                                                 const aclTensor* weightGradOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaCompressGrad"),
                  {outputGrad, input, weight, actSeqLenOptionalOptional, compressBlockSize,
                   compressStride, actSeqLenType, layoutOptionalOptional, inputGradOut,
                   weightGradOut}, workspaceSize, executor);
}

aclnnStatus aclnnNsaCompressGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaCompressGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaCompressAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attenMaskOptional, const aclTensor* topkMaskOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualCmpSeqKvLenOptional,
    const aclIntArray* actualSelSeqKvLenOptional, double scaleValue, int64_t headNum,
    char* inputLayout, int64_t sparseMode, int64_t compressBlockSize, int64_t compressStride,
    int64_t selectBlockSize, int64_t selectBlockCount, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* attentionOut, const aclTensor* topkIndicesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaCompressAttention"),
                  {query, key, value, attenMaskOptional, topkMaskOptional, actualSeqQLenOptional,
                   actualCmpSeqKvLenOptional, actualSelSeqKvLenOptional, scaleValue, headNum,
                   inputLayout, sparseMode, compressBlockSize, compressStride, selectBlockSize,
                   selectBlockCount, softmaxMaxOut, softmaxSumOut, attentionOut,
                   topkIndicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnNsaCompressAttention(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaCompressAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaSelectedAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* topkIndices, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    double scaleValue, int64_t headNum, char* inputLayout, int64_t sparseMode,
    int64_t selectedBlockSize, int64_t selectedBlockCount, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, const aclTensor* attentionOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaSelectedAttention"),
                  {query, key, value, topkIndices, attenMaskOptional, actualSeqQLenOptional,
                   actualSeqKvLenOptional, scaleValue, headNum, inputLayout, sparseMode,
                   selectedBlockSize, selectedBlockCount, softmaxMaxOut, softmaxSumOut,
                   attentionOut}, workspaceSize, executor);
}

aclnnStatus aclnnNsaSelectedAttention(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaSelectedAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaSelectedAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attentionOut, const aclTensor* attentionOutGrad, const aclTensor* softmaxMax,
    const aclTensor* softmaxSum, const aclTensor* topkIndices,
    const aclIntArray* actualSeqQLenOptional, const aclIntArray* actualSeqKvLenOptional,
    const aclTensor* attenMaskOptional, double scaleValue, int64_t selectedBlockSize,
    int64_t selectedBlockCount, int64_t headNum, char* inputLayout, int64_t sparseMode,
    const aclTensor* dqOut, const aclTensor* dkOut, const aclTensor* dvOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaSelectedAttentionGrad"),
                  {query, key, value, attentionOut, attentionOutGrad, softmaxMax, softmaxSum,
                   topkIndices, actualSeqQLenOptional, actualSeqKvLenOptional, attenMaskOptional,
                   scaleValue, selectedBlockSize, selectedBlockCount, headNum, inputLayout,
                   sparseMode, dqOut, dkOut, dvOut}, workspaceSize, executor);
}

aclnnStatus aclnnNsaSelectedAttentionGrad(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaSelectedAttentionGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaCompressWithCacheGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* slotMapping,
    const aclIntArray* actSeqLenOptional, const aclTensor* blockTableOptional, char* layoutOptional,
    int64_t compressBlockSize, int64_t compressStride, int64_t actSeqLenType, int64_t pageBlockSize,
    aclTensor* outputCache, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaCompressWithCache"),
                  {input, weight, slotMapping, actSeqLenOptional, blockTableOptional,
                   layoutOptional, compressBlockSize, compressStride, actSeqLenType, pageBlockSize,
                   outputCache}, workspaceSize, executor);
}

aclnnStatus aclnnNsaCompressWithCache(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaCompressWithCache").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaSelectedAttentionInferGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* topkIndices, const aclTensor* attenMaskOptional,
    const aclTensor* blockTableOptional, const aclIntArray* actualQSeqLenOptional,
    const aclIntArray* actualKvSeqLenOptional, char* layoutOptional, int64_t numHeads,
    int64_t numKeyValueHeads, int64_t selectBlockSize, int64_t selectBlockCount,
    int64_t pageBlockSize, double scaleValue, int64_t sparseMode, aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaSelectedAttentionInfer"),
                  {query, key, value, topkIndices, attenMaskOptional, blockTableOptional,
                   actualQSeqLenOptional, actualKvSeqLenOptional, layoutOptional, numHeads,
                   numKeyValueHeads, selectBlockSize, selectBlockCount, pageBlockSize, scaleValue,
                   sparseMode, output}, workspaceSize, executor);
}

aclnnStatus aclnnNsaSelectedAttentionInfer(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaSelectedAttentionInfer").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNsaCompressAttentionInferGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attentionMaskOptional, const aclTensor* blockTableOptional,
    const aclIntArray* actualQSeqLenOptional, const aclIntArray* actualCmpKvSeqLenOptional,
    const aclIntArray* actualSelKvSeqLenOptional, const aclTensor* topKMaskOptional,
    int64_t numHeads, int64_t numKeyValueHeads, int64_t selectBlockSize, int64_t selectBlockCount,
    int64_t compressBlockSize, int64_t compressBlockStride, double scaleValue, char* layoutOptional,
    int64_t pageBlockSize, int64_t sparseMode, const aclTensor* output, const aclTensor* topKOutput,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNsaCompressAttentionInfer"),
                  {query, key, value, attentionMaskOptional, blockTableOptional,
                   actualQSeqLenOptional, actualCmpKvSeqLenOptional, actualSelKvSeqLenOptional,
                   topKMaskOptional, numHeads, numKeyValueHeads, selectBlockSize, selectBlockCount,
                   compressBlockSize, compressBlockStride, scaleValue, layoutOptional,
                   pageBlockSize, sparseMode, output, topKOutput}, workspaceSize, executor);
}

aclnnStatus aclnnNsaCompressAttentionInfer(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNsaCompressAttentionInfer").op, workspace,
                           workspaceSize, executor, stream);
}
}
