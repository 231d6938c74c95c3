// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_coalesce_sparse.h"
#include "aclnnop/aclnn_embedding_bag.h"
#include "aclnnop/aclnn_embedding_dense_backward.h"
#include "aclnnop/aclnn_embedding_renorm.h"
#include "aclnnop/aclnn_expand_into_jagged_permute.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_masked_scatter.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "aclnnop/aclnn_one_hot.h"
#include "nnop/phases.h"
#include "ops/indexing/operators.h"

using namespace anyacl;
using anyacl::indexing::kOperators;

extern "C" {

aclnnStatus aclnnIndexFillGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                           const aclTensor* index, const aclScalar* value,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexFill"),
                  {self, dim, index, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnIndexFill(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexFill").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceIndexFillGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                  const aclTensor* index, const aclScalar* value,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceIndexFill"),
                  {selfRef, dim, index, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexFill(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceIndexFill").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexFillTensorGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                 const aclIntArray* index, const aclScalar* value,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexFillTensor"),
                  {self, dim, index, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnIndexFillTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexFillTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceIndexFillTensorGetWorkspaceSize(
    aclTensor* selfRef, int64_t dim, const aclIntArray* index, const aclScalar* value,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceIndexFillTensor"),
                  {selfRef, dim, index, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexFillTensor(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceIndexFillTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexCopyGetWorkspaceSize(const aclTensor* selfRef, int64_t dim,
                                           const aclTensor* index, const aclTensor* source,
                                           aclTensor* outRef, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexCopy"),
                  {selfRef, dim, index, source, outRef}, workspaceSize, executor);
}

aclnnStatus aclnnIndexCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexCopy").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNonzeroGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNonzero"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnNonzero(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNonzero").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNonzeroV2GetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNonzeroV2"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnNonzeroV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNonzeroV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor* self, const aclTensor* mask,
                                              aclTensor* out, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMaskedSelect"),
                  {self, mask, out}, workspaceSize, executor);
}

aclnnStatus aclnnMaskedSelect(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMaskedSelect").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMaskedFillTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* mask, const aclTensor* value, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMaskedFillTensor"),
                  {selfRef, mask, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMaskedFillTensor(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMaskedFillTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMaskedScatterGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* mask, const aclTensor* source, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMaskedScatter"),
                  {selfRef, mask, source}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMaskedScatter(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMaskedScatter").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExpandIntoJaggedPermuteGetWorkspaceSize(
    const aclTensor* permute, const aclTensor* inputOffset, const aclTensor* outputOffset,
    int64_t outputSize, const aclTensor* outputPermuteOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExpandIntoJaggedPermute"),
                  {permute, inputOffset, outputOffset, outputSize,
                   outputPermuteOut}, workspaceSize, executor);
}

aclnnStatus aclnnExpandIntoJaggedPermute(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExpandIntoJaggedPermute").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* self, int32_t numClasses,
                                        const aclTensor* onValue, const aclTensor* offValue,
                                        int64_t axis, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnOneHot"),
                  {self, numClasses, onValue, offValue, axis, out}, workspaceSize, executor);
}

aclnnStatus aclnnOneHot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnOneHot").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* indices, uint64_t numWeights, uint64_t paddingIdx,
    bool scaleGradByFreq, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEmbeddingDenseBackward"),
                  {grad, indices, numWeights, paddingIdx, scaleGradByFreq,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnEmbeddingDenseBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEmbeddingDenseBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCoalesceSparseGetWorkspaceSize(const aclTensor* uniqueLen,
                                                const aclTensor* uniqueIndices,
                                                const aclTensor* indices, const aclTensor* values,
                                                const aclTensor* newIndicesOut,
                                                const aclTensor* newValuesOut,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCoalesceSparse"),
                  {uniqueLen, uniqueIndices, indices, values, newIndicesOut,
                   newValuesOut}, workspaceSize, executor);
}

aclnnStatus aclnnCoalesceSparse(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCoalesceSparse").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEmbeddingBagGetWorkspaceSize(const aclTensor* weight, const aclTensor* indices,
                                              const aclTensor* offsets, bool scaleGradByFreq,
                                              int64_t mode, bool sparse,
                                              const aclTensor* perSampleWeights,
                                              bool includeLastOffset, int64_t paddingIdx,
                                              aclTensor* output, aclTensor* offset2bag,
                                              aclTensor* bagSize, aclTensor* maxIndices,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEmbeddingBag"),
                  {weight, indices, offsets, scaleGradByFreq, mode, sparse, perSampleWeights,
                   includeLastOffset, paddingIdx, output, offset2bag, bagSize,
                   maxIndices}, workspaceSize, executor);
}

aclnnStatus aclnnEmbeddingBag(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEmbeddingBag").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEmbeddingRenormGetWorkspaceSize(aclTensor* selfRef, const aclTensor* indices,
                                                 double maxNorm, double normType,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEmbeddingRenorm"),
                  {selfRef, indices, maxNorm, normType}, workspaceSize, executor);
}

aclnnStatus aclnnEmbeddingRenorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEmbeddingRenorm").op, workspace,
                           workspaceSize, executor, stream);
}
}
