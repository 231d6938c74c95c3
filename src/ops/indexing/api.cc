// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_gather_v3.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_scatter_nd.h"
#include "aclnnop/aclnn_take.h"
#include "aclnnop/aclnn_tf_scatter_add.h"
#include "nnop/phases.h"
#include "ops/indexing/operators.h"

using namespace anyacl;
using anyacl::indexing::kOperators;

extern "C" {

aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor* self, const aclTensorList* indices,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndex"),
                  {self, indices, out}, workspaceSize, executor);
}

aclnnStatus aclnnIndex(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndex").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexPutImplGetWorkspaceSize(aclTensor* selfRef, const aclTensorList* indices,
                                              const aclTensor* values, bool accumulate, bool unsafe,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexPutImpl"),
                  {selfRef, indices, values, accumulate, unsafe}, workspaceSize, executor);
}

aclnnStatus aclnnIndexPutImpl(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexPutImpl").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGatherGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGather"),
                  {self, dim, index, out}, workspaceSize, executor);
}

aclnnStatus aclnnGather(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGather").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGatherV3GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                          const aclTensor* index, int64_t batchDims, int64_t mode,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGatherV3"),
                  {self, dim, index, batchDims, mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnGatherV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGatherV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGatherNdGetWorkspaceSize(const aclTensor* self, const aclTensor* indices,
                                          bool negativeIndexSupport, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGatherNd"),
                  {self, indices, negativeIndexSupport, out}, workspaceSize, executor);
}

aclnnStatus aclnnGatherNd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGatherNd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScatterNdGetWorkspaceSize(const aclTensor* data, const aclTensor* indices,
                                           const aclTensor* updates, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatterNd"),
                  {data, indices, updates, out}, workspaceSize, executor);
}

aclnnStatus aclnnScatterNd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatterNd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTfScatterAddGetWorkspaceSize(aclTensor* varRef, const aclTensor* indices,
                                              const aclTensor* updates, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTfScatterAdd"),
                  {varRef, indices, updates}, workspaceSize, executor);
}

aclnnStatus aclnnTfScatterAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTfScatterAdd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTakeGetWorkspaceSize(const aclTensor* self, const aclTensor* index, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTake"),
                  {self, index, out}, workspaceSize, executor);
}

aclnnStatus aclnnTake(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTake").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplacePutGetWorkspaceSize(aclTensor* selfRef, const aclTensor* index,
                                            const aclTensor* source, bool accumulate,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplacePut"),
                  {selfRef, index, source, accumulate}, workspaceSize, executor);
}

aclnnStatus aclnnInplacePut(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplacePut").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                         const aclTensor* src, int64_t reduce, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatter"),
                  {self, dim, index, src, reduce, out}, workspaceSize, executor);
}

aclnnStatus aclnnScatter(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatter").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceScatterGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                const aclTensor* index, const aclTensor* src,
                                                int64_t reduce, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceScatter"),
                  {selfRef, dim, index, src, reduce}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatter(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceScatter").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                              const aclTensor* index, const aclScalar* value,
                                              int64_t reduce, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatterValue"),
                  {self, dim, index, value, reduce, out}, workspaceSize, executor);
}

aclnnStatus aclnnScatterValue(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatterValue").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceScatterValueGetWorkspaceSize(
    aclTensor* selfRef, int64_t dim, const aclTensor* index, const aclScalar* value, int64_t reduce,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceScatterValue"),
                  {selfRef, dim, index, value, reduce}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatterValue(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceScatterValue").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScatterAddGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                            const aclTensor* index, const aclTensor* src,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScatterAdd"),
                  {self, dim, index, src, out}, workspaceSize, executor);
}

aclnnStatus aclnnScatterAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScatterAdd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                          const aclTensor* index, const aclTensor* source,
                                          const aclScalar* alpha, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexAdd"),
                  {self, dim, index, source, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnIndexAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexAdd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexAddV2GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                            const aclTensor* index, const aclTensor* source,
                                            const aclScalar* alpha, int64_t mode, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexAddV2"),
                  {self, dim, index, source, alpha, mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnIndexAddV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexAddV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
