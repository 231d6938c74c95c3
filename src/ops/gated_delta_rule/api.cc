// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_chunk_gated_delta_rule.h"
#include "aclnnop/aclnn_recurrent_gated_delta_rule.h"
#include "nnop/phases.h"
#include "ops/gated_delta_rule/operators.h"

using namespace anyacl;
using anyacl::gated_delta_rule::kOperators;

extern "C" {

aclnnStatus aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* beta,
    aclTensor* stateRef, const aclTensor* actualSeqLengths, const aclTensor* ssmStateIndices,
    const aclTensor* g, const aclTensor* gk, const aclTensor* numAcceptedTokens, float scaleValue,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRecurrentGatedDeltaRule"),
                  {query, key, value, beta, stateRef, actualSeqLengths, ssmStateIndices, g, gk,
                   numAcceptedTokens, scaleValue, out}, workspaceSize, executor);
}

aclnnStatus aclnnRecurrentGatedDeltaRule(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRecurrentGatedDeltaRule").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnChunkGatedDeltaRuleGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value, const aclTensor* beta,
    const aclTensor* initialState, const aclTensor* actualSeqLengths, const aclTensor* gOptional,
    float scaleValue, const aclTensor* out, const aclTensor* finalState, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnChunkGatedDeltaRule"),
                  {query, key, value, beta, initialState, actualSeqLengths, gOptional, scaleValue,
                   out, finalState}, workspaceSize, executor);
}

aclnnStatus aclnnChunkGatedDeltaRule(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnChunkGatedDeltaRule").op, workspace,
                           workspaceSize, executor, stream);
}
}
