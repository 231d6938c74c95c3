// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_block_sparse_attention.h"
#include "aclnnop/aclnn_block_sparse_attention_grad.h"
#include "nnop/phases.h"
#include "ops/block_sparse_attention/operators.h"

using namespace anyacl;
using anyacl::block_sparse_attention::kOperators;

extern "C" {

aclnnStatus aclnnBlockSparseAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* blockSparseMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* blockShapeOptional, const aclIntArray* actualSeqLengthsOptional,
    const aclIntArray* actualSeqLengthsKvOptional, const aclTensor* blockTableOptional,
    char* qInputLayout, char* kvInputLayout, int64_t numKeyValueHeads, int64_t maskType,
    double scaleValue, int64_t innerPrecise, int64_t blockSize, int64_t preTokens,
    int64_t nextTokens, int64_t softmaxLseFlag, aclTensor* attentionOut,
    aclTensor* softmaxLseOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBlockSparseAttention"),
                  {query, key, value, blockSparseMaskOptional, attenMaskOptional,
                   blockShapeOptional, actualSeqLengthsOptional, actualSeqLengthsKvOptional,
                   blockTableOptional, qInputLayout, kvInputLayout, numKeyValueHeads, maskType,
                   scaleValue, innerPrecise, blockSize, preTokens, nextTokens, softmaxLseFlag,
                   attentionOut, softmaxLseOptional}, workspaceSize, executor);
}

aclnnStatus aclnnBlockSparseAttention(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBlockSparseAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBlockSparseAttentionGradGetWorkspaceSize(
    const aclTensor* dout, const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* attentionOut, const aclTensor* softmaxLse,
    const aclTensor* blockSparseMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* blockShapeOptional, const aclIntArray* actualSeqLengthsOptional,
    const aclIntArray* actualSeqLengthsKvOptional, char* qInputLayout, char* kvInputLayout,
    int64_t numKeyValueHeads, int64_t maskType, double scaleValue, int64_t preTokens,
    int64_t nextTokens, aclTensor* dq, aclTensor* dk, aclTensor* dv, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBlockSparseAttentionGrad"),
                  {dout, query, key, value, attentionOut, softmaxLse, blockSparseMaskOptional,
                   attenMaskOptional, blockShapeOptional, actualSeqLengthsOptional,
                   actualSeqLengthsKvOptional, qInputLayout, kvInputLayout, numKeyValueHeads,
                   maskType, scaleValue, preTokens, nextTokens, dq, dk,
                   dv}, workspaceSize, executor);
}

aclnnStatus aclnnBlockSparseAttentionGrad(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBlockSparseAttentionGrad").op, workspace,
                           workspaceSize, executor, stream);
}
}
