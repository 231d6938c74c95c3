// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_apply_top_k_top_p.h"
#include "aclnnop/aclnn_top_k_top_p_sample.h"
#include "nnop/phases.h"
#include "ops/sampling/operators.h"

using namespace anyacl;
using anyacl::sampling::kOperators;

extern "C" {

aclnnStatus aclnnApplyTopKTopPGetWorkspaceSize(const aclTensor* logits, const aclTensor* p,
                                               const aclTensor* k, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnApplyTopKTopP"),
                  {logits, p, k, out}, workspaceSize, executor);
}

aclnnStatus aclnnApplyTopKTopP(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnApplyTopKTopP").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTopKTopPSampleGetWorkspaceSize(const aclTensor* logits, const aclTensor* topK,
                                                const aclTensor* topP, const aclTensor* q,
                                                double eps, bool isNeedLogits, int64_t topKGuess,
                                                const aclTensor* logitsSelectIdx,
                                                const aclTensor* logitsTopKPSelect,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTopKTopPSample"),
                  {logits, topK, topP, q, eps, isNeedLogits, topKGuess, logitsSelectIdx,
                   logitsTopKPSelect}, workspaceSize, executor);
}

aclnnStatus aclnnTopKTopPSample(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTopKTopPSample").op, workspace,
                           workspaceSize, executor, stream);
}
}
