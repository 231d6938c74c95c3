// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_fused_floyd_attention.h"
#include "aclnnop/aclnn_fused_floyd_attention_grad.h"
#include "nnop/phases.h"
#include "ops/floyd_attention/operators.h"

using namespace anyacl;
using anyacl::floyd_attention::kOperators;

extern "C" {

aclnnStatus aclnnFusedFloydAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key1, const aclTensor* value1, const aclTensor* key2,
    const aclTensor* value2, const aclTensor* attenMaskOptional, double scaleValueOptional,
    const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedFloydAttention"),
                  {query, key1, value1, key2, value2, attenMaskOptional, scaleValueOptional,
                   softmaxMaxOut, softmaxSumOut, attentionOutOut}, workspaceSize, executor);
}

aclnnStatus aclnnFusedFloydAttention(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedFloydAttention").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedFloydAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key1, const aclTensor* value1, const aclTensor* key2,
    const aclTensor* value2, const aclTensor* dy, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum, const aclTensor* attentionIn,
    double scaleValue, const aclTensor* dqOut, const aclTensor* dk1Out, const aclTensor* dv1Out,
    const aclTensor* dk2Out, const aclTensor* dv2Out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedFloydAttentionGrad"),
                  {query, key1, value1, key2, value2, dy, attenMaskOptional, softmaxMax, softmaxSum,
                   attentionIn, scaleValue, dqOut, dk1Out, dv1Out, dk2Out,
                   dv2Out}, workspaceSize, executor);
}

aclnnStatus aclnnFusedFloydAttentionGrad(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedFloydAttentionGrad").op, workspace,
                           workspaceSize, executor, stream);
}
}
