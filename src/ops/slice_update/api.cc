// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_gather_pa_kv_cache.h"
#include "aclnnop/aclnn_quant_scatter.h"
#include "aclnnop/aclnn_quant_scatter_v2.h"
#include "aclnnop/aclnn_scatter_list.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_scatter_pa_kv_cache.h"
#include "aclnnop/aclnn_scatter_update.h"
#include "nnop/phases.h"
#include "ops/slice_update/operators.h"

using namespace anyacl;
using anyacl::slice_update::kOperators;

extern "C" {

aclnnStatus aclnnScatterNdUpdateGetWorkspaceSize(aclTensor* varRef, const aclTensor* indices,
                                                 const aclTensor* updates, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatterNdUpdate"),
                  {varRef, indices, updates}, workspaceSize, executor);
}

aclnnStatus aclnnScatterNdUpdate(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatterNdUpdate").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceScatterUpdateGetWorkspaceSize(
    aclTensor* data, const aclTensor* indices, const aclTensor* updates, int64_t axis,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceScatterUpdate"),
                  {data, indices, updates, axis}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatterUpdate(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceScatterUpdate").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScatterListGetWorkspaceSize(aclTensorList* varRef, const aclTensor* indice,
                                             const aclTensor* updates,
                                             const aclTensor* maskOptional, char* reduceOptional,
                                             int64_t axis, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatterList"),
                  {varRef, indice, updates, maskOptional, reduceOptional,
                   axis}, workspaceSize, executor);
}

aclnnStatus aclnnScatterList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatterList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceQuantScatterGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* indices, const aclTensor* updates,
    const aclTensor* quantScales, const aclTensor* quantZeroPoints, int64_t axis, int64_t quantAxis,
    int64_t reduction, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceQuantScatter"),
                  {selfRef, indices, updates, quantScales, quantZeroPoints, axis, quantAxis,
                   reduction}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceQuantScatter(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceQuantScatter").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceQuantScatterV2GetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* indices, const aclTensor* updates,
    const aclTensor* quantScales, const aclTensor* quantZeroPoints, int64_t axis, int64_t quantAxis,
    int64_t reduction, const char* roundMode, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceQuantScatterV2"),
                  {selfRef, indices, updates, quantScales, quantZeroPoints, axis, quantAxis,
                   reduction, roundMode}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceQuantScatterV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceQuantScatterV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScatterPaKvCacheGetWorkspaceSize(const aclTensor* key, aclTensor* keyCacheRef,
                                                  const aclTensor* slotMapping,
                                                  const aclTensor* value, aclTensor* valueCacheRef,
                                                  const aclTensor* compressLensOptional,
                                                  const aclTensor* compressSeqOffsetOptional,
                                                  const aclTensor* seqLensOptional,
                                                  char* cacheModeOptional,
                                                  char* scatterModeOptional,
                                                  const aclIntArray* stridesOptional,
                                                  const aclIntArray* offsetsOptional,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatterPaKvCache"),
                  {key, keyCacheRef, slotMapping, value, valueCacheRef, compressLensOptional,
                   compressSeqOffsetOptional, seqLensOptional, cacheModeOptional,
                   scatterModeOptional, stridesOptional, offsetsOptional}, workspaceSize, executor);
}

aclnnStatus aclnnScatterPaKvCache(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatterPaKvCache").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGatherPaKvCacheGetWorkspaceSize(const aclTensor* keyCache,
                                                 const aclTensor* valueCache,
                                                 const aclTensor* blockTables,
                                                 const aclTensor* seqLens, aclTensor* keyRef,
                                                 aclTensor* valueRef,
                                                 const aclTensor* seqOffsetOptional,
                                                 char* cacheMode, bool isSeqLensCumsum,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGatherPaKvCache"),
                  {keyCache, valueCache, blockTables, seqLens, keyRef, valueRef, seqOffsetOptional,
                   cacheMode, isSeqLensCumsum}, workspaceSize, executor);
}

aclnnStatus aclnnGatherPaKvCache(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGatherPaKvCache").op, workspace,
                           workspaceSize, executor, stream);
}
}
