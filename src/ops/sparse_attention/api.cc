// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_dense_lightning_indexer_grad_kl_loss.h"
#include "aclnnop/aclnn_dense_lightning_indexer_softmax_lse.h"
#include "aclnnop/aclnn_kv_quant_sparse_flash_attention.h"
#include "aclnnop/aclnn_lightning_indexer.h"
#include "aclnnop/aclnn_lightning_indexer_grad.h"
#include "aclnnop/aclnn_quant_lightning_indexer.h"
#include "aclnnop/aclnn_sparse_flash_attention.h"
#include "aclnnop/aclnn_sparse_flash_attention_grad.h"
#include "aclnnop/aclnn_sparse_flash_attention_v2.h"
#include "aclnnop/aclnn_sparse_lightning_indexer_grad_kl_loss.h"
#include "nnop/phases.h"
#include "ops/sparse_attention/operators.h"

using namespace anyacl;
using anyacl::sparse_attention::kOperators;

extern "C" {

aclnnStatus aclnnLightningIndexerGetWorkspaceSize(const aclTensor* query, const aclTensor* key,
                                                  const aclTensor* weights,
                                                  const aclTensor* actualSeqLengthsQueryOptional,
                                                  const aclTensor* actualSeqLengthsKeyOptional,
                                                  const aclTensor* blockTableOptional,
                                                  const char* layoutQueryOptional,
                                                  const char* layoutKeyOptional,
                                                  int64_t sparseCount, int64_t sparseMode,
                                                  int64_t preTokens, int64_t nextTokens,
                                                  bool returnValues,
                                                  const aclTensor* sparseIndicesOut,
                                                  const aclTensor* sparseValuesOut,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLightningIndexer"),
                  {query, key, weights, actualSeqLengthsQueryOptional, actualSeqLengthsKeyOptional,
                   blockTableOptional, layoutQueryOptional, layoutKeyOptional, sparseCount,
                   sparseMode, preTokens, nextTokens, returnValues, sparseIndicesOut,
                   sparseValuesOut}, workspaceSize, executor);
}

aclnnStatus aclnnLightningIndexer(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLightningIndexer").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantLightningIndexerGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* weights,
    const aclTensor* queryDequantScale, const aclTensor* keyDequantScale,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKeyOptional,
    const aclTensor* blockTableOptional, int64_t queryQuantMode, int64_t keyQuantMode,
    char* layoutQueryOptional, char* layoutKeyOptional, int64_t sparseCount, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantLightningIndexer"),
                  {query, key, weights, queryDequantScale, keyDequantScale,
                   actualSeqLengthsQueryOptional, actualSeqLengthsKeyOptional, blockTableOptional,
                   queryQuantMode, keyQuantMode, layoutQueryOptional, layoutKeyOptional,
                   sparseCount, sparseMode, preTokens, nextTokens, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantLightningIndexer(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantLightningIndexer").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSparseFlashAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* blockTable,
    const aclTensor* actualSeqLengthsQuery, const aclTensor* actualSeqLengthsKv,
    const aclTensor* queryRope, const aclTensor* keyRope, double scaleValue,
    int64_t sparseBlockSize, const char* layoutQuery, const char* layoutKv, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, int64_t attentionMode, bool returnSoftmaxLse,
    const aclTensor* attentionOutOut, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSparseFlashAttention"),
                  {query, key, value, sparseIndices, blockTable, actualSeqLengthsQuery,
                   actualSeqLengthsKv, queryRope, keyRope, scaleValue, sparseBlockSize, layoutQuery,
                   layoutKv, sparseMode, preTokens, nextTokens, attentionMode, returnSoftmaxLse,
                   attentionOutOut, softmaxMaxOut, softmaxSumOut}, workspaceSize, executor);
}

aclnnStatus aclnnSparseFlashAttention(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSparseFlashAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSparseFlashAttentionV2GetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* blockTableOptional,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKvOptional,
    const aclTensor* queryRopeOptional, const aclTensor* keyRopeOptional,
    const aclTensor* sinksOptional, double scaleValue, int64_t sparseBlockSizeOptional,
    char* layoutQueryOptional, char* layoutKvOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, int64_t attentionMode, bool returnSoftmaxLse,
    const aclTensor* attentionOutOut, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSparseFlashAttentionV2"),
                  {query, key, value, sparseIndices, blockTableOptional,
                   actualSeqLengthsQueryOptional, actualSeqLengthsKvOptional, queryRopeOptional,
                   keyRopeOptional, sinksOptional, scaleValue, sparseBlockSizeOptional,
                   layoutQueryOptional, layoutKvOptional, sparseMode, preTokens, nextTokens,
                   attentionMode, returnSoftmaxLse, attentionOutOut, softmaxMaxOut,
                   softmaxSumOut}, workspaceSize, executor);
}

aclnnStatus aclnnSparseFlashAttentionV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSparseFlashAttentionV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnKvQuantSparseFlashAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* keyDequantScaleOptional,
    const aclTensor* valueDequantScaleOptional, const aclTensor* blockTableOptional,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthsKvOptional,
    double scaleValue, int64_t keyQuantMode, int64_t valueQuantMode, int64_t sparseBlockSize,
    char* layoutQueryOptional, char* layoutKvOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, int64_t attentionMode, int64_t quantScaleRepoMode, int64_t tileSize,
    int64_t ropeHeadDim, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKvQuantSparseFlashAttention"),
                  {query, key, value, sparseIndices, keyDequantScaleOptional,
                   valueDequantScaleOptional, blockTableOptional, actualSeqLengthsQueryOptional,
                   actualSeqLengthsKvOptional, scaleValue, keyQuantMode, valueQuantMode,
                   sparseBlockSize, layoutQueryOptional, layoutKvOptional, sparseMode, preTokens,
                   nextTokens, attentionMode, quantScaleRepoMode, tileSize, ropeHeadDim,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnKvQuantSparseFlashAttention(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKvQuantSparseFlashAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSparseFlashAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* sparseIndices, const aclTensor* dOut, const aclTensor* out,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum,
    const aclTensor* actualSeqLengthsQueryOptional, const aclTensor* actualSeqLengthskvOptional,
    const aclTensor* queryRopeOptional, const aclTensor* keyRopeOptional, double scaleValue,
    int64_t sparseBlockSize, char* layoutOptional, int64_t sparseMode, int64_t preTokens,
    int64_t nextTokens, bool deterministic, const aclTensor* dQueryOut, const aclTensor* dKeyOut,
    const aclTensor* dValueOut, const aclTensor* dQueryRopeOutOptional,
    const aclTensor* dKeyRopeOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSparseFlashAttentionGrad"),
                  {query, key, value, sparseIndices, dOut, out, softmaxMax, softmaxSum,
                   actualSeqLengthsQueryOptional, actualSeqLengthskvOptional, queryRopeOptional,
                   keyRopeOptional, scaleValue, sparseBlockSize, layoutOptional, sparseMode,
                   preTokens, nextTokens, deterministic, dQueryOut, dKeyOut, dValueOut,
                   dQueryRopeOutOptional, dKeyRopeOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnSparseFlashAttentionGrad(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSparseFlashAttentionGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLightningIndexerGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* dy,
    const aclTensor* sparseIndices, const aclTensor* weights,
    const aclTensor* actualSeqLengthsQuery, const aclTensor* actualSeqLengthsKey, int64_t headNum,
    char* layout, int64_t sparseMode, int64_t preTokens, int64_t nextTokens, bool deterministic,
    const aclTensor* dQuery, const aclTensor* dKey, const aclTensor* dWeights,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLightningIndexerGrad"),
                  {query, key, dy, sparseIndices, weights, actualSeqLengthsQuery,
                   actualSeqLengthsKey, headNum, layout, sparseMode, preTokens, nextTokens,
                   deterministic, dQuery, dKey, dWeights}, workspaceSize, executor);
}

aclnnStatus aclnnLightningIndexerGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLightningIndexerGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSparseLightningIndexerGradKLLossGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* queryIndex,
    const aclTensor* keyIndex, const aclTensor* weights, const aclTensor* sparseIndices,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum, const aclTensor* queryRope,
    const aclTensor* keyRope, const aclIntArray* actualSeqLengthsQuery,
    const aclIntArray* actualSeqLengthsKey, double scaleValue, char* layout, int64_t sparseMode,
    int64_t pre_tokens, int64_t next_tokens, bool deterministic, const aclTensor* dQueryIndex,
    const aclTensor* dKeyIndex, const aclTensor* dWeights, const aclTensor* loss,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSparseLightningIndexerGradKLLoss"),
                  {query, key, queryIndex, keyIndex, weights, sparseIndices, softmaxMax, softmaxSum,
                   queryRope, keyRope, actualSeqLengthsQuery, actualSeqLengthsKey, scaleValue,
                   layout, sparseMode, pre_tokens, next_tokens, deterministic, dQueryIndex,
                   dKeyIndex, dWeights, loss}, workspaceSize, executor);
}

aclnnStatus aclnnSparseLightningIndexerGradKLLoss(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSparseLightningIndexerGradKLLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDenseLightningIndexerSoftmaxLseGetWorkspaceSize(
    const aclTensor* queryIndex, const aclTensor* keyIndex, const aclTensor* weight,
    const aclIntArray* actualSeqLengthsQueryOptional,
    const aclIntArray* actualSeqLengthsKeyOptional, char* layoutOptional, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDenseLightningIndexerSoftmaxLse"),
                  {queryIndex, keyIndex, weight, actualSeqLengthsQueryOptional,
                   actualSeqLengthsKeyOptional, layoutOptional, sparseMode, preTokens, nextTokens,
                   softmaxMaxOut, softmaxSumOut}, workspaceSize, executor);
}

aclnnStatus aclnnDenseLightningIndexerSoftmaxLse(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDenseLightningIndexerSoftmaxLse").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDenseLightningIndexerGradKLLossGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* queryIndex,
    const aclTensor* keyIndex, const aclTensor* weights, const aclTensor* softmaxMax,
    const aclTensor* softmaxSum, const aclTensor* softmaxMaxIndex, const aclTensor* softmaxSumIndex,
    const aclTensor* queryRope, const aclTensor* keyRope, const aclIntArray* actualSeqLengthsQuery,
    const aclIntArray* actualSeqLengthsKey, double scaleValue, char* layout, int64_t sparseMode,
    int64_t preTokens, int64_t nextTokens, const aclTensor* dQueryIndex, const aclTensor* dKeyIndex,
    const aclTensor* dWeights, const aclTensor* loss, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDenseLightningIndexerGradKLLoss"),
                  {query, key, queryIndex, keyIndex, weights, softmaxMax, softmaxSum,
                   softmaxMaxIndex, softmaxSumIndex, queryRope, keyRope, actualSeqLengthsQuery,
                   actualSeqLengthsKey, scaleValue, layout, sparseMode, preTokens, nextTokens,
                   dQueryIndex, dKeyIndex, dWeights, loss}, workspaceSize, executor);
}

aclnnStatus aclnnDenseLightningIndexerGradKLLoss(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDenseLightningIndexerGradKLLoss").op, workspace,
                           workspaceSize, executor, stream);
}
}
