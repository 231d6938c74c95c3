// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_attention_update.h"
#include "nnop/phases.h"
#include "ops/attention_update/operators.h"

using namespace anyacl;
using anyacl::attention_update::kOperators;

extern "C" {

aclnnStatus aclnnAttentionUpdateGetWorkspaceSize(const aclTensorList* lse,
                                                 const aclTensorList* localOut, int64_t updateType,
                                                 aclTensor* out, aclTensor* lseOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAttentionUpdate"),
                  {lse, localOut, updateType, out, lseOut}, workspaceSize, executor);
}

aclnnStatus aclnnAttentionUpdate(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAttentionUpdate").op, workspace,
                           workspaceSize, executor, stream);
}
}
