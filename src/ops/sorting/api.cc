// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_bincount.h"
#include "aclnnop/aclnn_histc.h"
#include "aclnnop/aclnn_isin_tensor_scalar.h"
#include "aclnnop/aclnn_kthvalue.h"
#include "aclnnop/aclnn_median.h"
#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"
#include "aclnnop/aclnn_unique.h"
#include "aclnnop/aclnn_unique2.h"
#include "aclnnop/aclnn_unique_consecutive.h"
#include "aclnnop/aclnn_unique_dim.h"
#include "nnop/phases.h"
#include "ops/sorting/operators.h"

using namespace anyacl;
using anyacl::sorting::kOperators;

extern "C" {

aclnnStatus aclnnSortGetWorkspaceSize(const aclTensor* self, bool stable, int64_t dim,
                                      bool descending, aclTensor* valuesOut, aclTensor* indicesOut,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSort"),
                  {self, stable, dim, descending, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnSort(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSort").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnArgsortGetWorkspaceSize(const aclTensor* self, int64_t dim, bool descending,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnArgsort"),
                  {self, dim, descending, out}, workspaceSize, executor);
}

aclnnStatus aclnnArgsort(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnArgsort").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTopkGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim, bool largest,
                                      bool sorted, aclTensor* valuesOut, aclTensor* indicesOut,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTopk"),
                  {self, k, dim, largest, sorted, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnTopk(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTopk").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnKthvalueGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim,
                                          bool keepdim, aclTensor* valuesOut, aclTensor* indicesOut,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKthvalue"),
                  {self, k, dim, keepdim, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnKthvalue(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKthvalue").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMedianGetWorkspaceSize(const aclTensor* self, aclTensor* valuesOut,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMedian"),
                  {self, valuesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMedian(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMedian").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMedianDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim,
                                           aclTensor* valuesOut, aclTensor* indicesOut,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMedianDim"),
                  {self, dim, keepDim, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMedianDim(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMedianDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNanMedianGetWorkspaceSize(const aclTensor* self, aclTensor* valuesOut,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNanMedian"),
                  {self, valuesOut}, workspaceSize, executor);
}

aclnnStatus aclnnNanMedian(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNanMedian").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNanMedianDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim,
                                              aclTensor* valuesOut, aclTensor* indicesOut,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNanMedianDim"),
                  {self, dim, keepDim, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnNanMedianDim(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNanMedianDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSearchSortedGetWorkspaceSize(const aclTensor* sortedSequence,
                                              const aclTensor* self, bool outInt32, bool right,
                                              const aclTensor* sorter, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSearchSorted"),
                  {sortedSequence, self, outInt32, right, sorter, out}, workspaceSize, executor);
}

aclnnStatus aclnnSearchSorted(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSearchSorted").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSearchSortedsGetWorkspaceSize(const aclTensor* sortedSequence,
                                               const aclScalar* self, bool outInt32, bool right,
                                               const aclTensor* sorter, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSearchSorteds"),
                  {sortedSequence, self, outInt32, right, sorter, out}, workspaceSize, executor);
}

aclnnStatus aclnnSearchSorteds(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSearchSorteds").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUniqueGetWorkspaceSize(const aclTensor* self, bool sorted, bool returnInverse,
                                        aclTensor* valueOut, aclTensor* inverseOut,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUnique"),
                  {self, sorted, returnInverse, valueOut, inverseOut}, workspaceSize, executor);
}

aclnnStatus aclnnUnique(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUnique").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUnique2GetWorkspaceSize(const aclTensor* self, bool sorted, bool returnInverse,
                                         bool returnCounts, aclTensor* valueOut,
                                         aclTensor* inverseOut, aclTensor* countsOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUnique2"),
                  {self, sorted, returnInverse, returnCounts, valueOut, inverseOut,
                   countsOut}, workspaceSize, executor);
}

aclnnStatus aclnnUnique2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUnique2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUniqueConsecutiveGetWorkspaceSize(
    const aclTensor* self, bool returnInverse, bool returnCounts, int64_t dim, aclTensor* valueOut,
    aclTensor* inverseOut, aclTensor* countsOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUniqueConsecutive"),
                  {self, returnInverse, returnCounts, dim, valueOut, inverseOut,
                   countsOut}, workspaceSize, executor);
}

aclnnStatus aclnnUniqueConsecutive(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUniqueConsecutive").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUniqueDimGetWorkspaceSize(const aclTensor* self, bool sorted, bool returnInverse,
                                           int64_t dim, aclTensor* valueOut, aclTensor* inverseOut,
                                           aclTensor* countsOut, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUniqueDim"),
                  {self, sorted, returnInverse, dim, valueOut, inverseOut,
                   countsOut}, workspaceSize, executor);
}

aclnnStatus aclnnUniqueDim(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUniqueDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBincountGetWorkspaceSize(const aclTensor* self, const aclTensor* weights,
                                          int64_t minlength, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBincount"),
                  {self, weights, minlength, out}, workspaceSize, executor);
}

aclnnStatus aclnnBincount(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBincount").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHistcGetWorkspaceSize(const aclTensor* self, int64_t bins, const aclScalar* min,
                                       const aclScalar* max, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHistc"),
                  {self, bins, min, max, out}, workspaceSize, executor);
}

aclnnStatus aclnnHistc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHistc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor* self, int64_t numsamples,
                                             bool replacement, int64_t seed, int64_t offset,
                                             aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMultinomial"),
                  {self, numsamples, replacement, seed, offset, out}, workspaceSize, executor);
}

aclnnStatus aclnnMultinomial(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMultinomial").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMultinomialTensorGetWorkspaceSize(
    const aclTensor* self, int64_t numsamples, bool replacement, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMultinomialTensor"),
                  {self, numsamples, replacement, seedTensor, offsetTensor, offset,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMultinomialTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMultinomialTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsInTensorScalarGetWorkspaceSize(const aclTensor* element,
                                                  const aclScalar* testElement, bool assumeUnique,
                                                  bool invert, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsInTensorScalar"),
                  {element, testElement, assumeUnique, invert, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsInTensorScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsInTensorScalar").op, workspace,
                           workspaceSize, executor, stream);
}
}
