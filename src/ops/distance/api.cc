// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_pdist.h"
#include "nnop/phases.h"
#include "ops/distance/operators.h"

using namespace anyacl;
using anyacl::distance::kOperators;

extern "C" {

aclnnStatus aclnnPdistGetWorkspaceSize(const aclTensor* self, float p, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPdist"),
                  {self, p, out}, workspaceSize, executor);
}

aclnnStatus aclnnPdist(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPdist").op, workspace,
                           workspaceSize, executor, stream);
}
}
