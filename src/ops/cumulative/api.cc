// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_cummax.h"
#include "aclnnop/aclnn_cummin.h"
#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_exp_segsum_backward.h"
#include "aclnnop/aclnn_segsum.h"
#include "nnop/phases.h"
#include "ops/cumulative/operators.h"

using namespace anyacl;
using anyacl::cumulative::kOperators;

extern "C" {

aclnnStatus aclnnCumsumGetWorkspaceSize(const aclTensor* self, int64_t dim, aclDataType dtype,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCumsum"),
                  {self, dim, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnCumsum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCumsum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCumsumV2GetWorkspaceSize(const aclTensor* self, int64_t dim, bool exclusive,
                                          bool reverse, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCumsumV2"),
                  {self, dim, exclusive, reverse, out}, workspaceSize, executor);
}

aclnnStatus aclnnCumsumV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCumsumV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCumprodGetWorkspaceSize(const aclTensor* input, const aclScalar* dim,
                                         aclDataType dtype, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCumprod"),
                  {input, dim, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnCumprod(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCumprod").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCumprodGetWorkspaceSize(aclTensor* input, const aclScalar* dim,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCumprod"),
                  {input, dim}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCumprod(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCumprod").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCummaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* valuesOut,
                                        aclTensor* indicesOut, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCummax"),
                  {self, dim, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnCummax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCummax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCumminGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* valuesOut,
                                        aclTensor* indicesOut, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCummin"),
                  {self, dim, valuesOut, indicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnCummin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCummin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExpSegsumGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExpSegsum"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnExpSegsum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExpSegsum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExpSegsumBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* gradSelf, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExpSegsumBackward"),
                  {gradOutput, gradSelf, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnExpSegsumBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExpSegsumBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
