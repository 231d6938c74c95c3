// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_scatter_nd_update.h"
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
}
