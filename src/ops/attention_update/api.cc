// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_attention_update.h"
#include "aclnnop/aclnn_ring_attention_update.h"
#include "aclnnop/aclnn_ring_attention_update_v2.h"
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

aclnnStatus aclnnRingAttentionUpdateGetWorkspaceSize(
    const aclTensor* prevAttnOut, const aclTensor* prevSoftmaxMax, const aclTensor* prevSoftmaxSum,
    const aclTensor* curAttnOut, const aclTensor* curSoftmaxMax, const aclTensor* curSoftmaxSum,
    const aclTensor* actualSeqQlenOptional, char* inputLayoutOptional, const aclTensor* attnOutOut,
    const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRingAttentionUpdate"),
                  {prevAttnOut, prevSoftmaxMax, prevSoftmaxSum, curAttnOut, curSoftmaxMax,
                   curSoftmaxSum, actualSeqQlenOptional, inputLayoutOptional, attnOutOut,
                   softmaxMaxOut, softmaxSumOut}, workspaceSize, executor);
}

aclnnStatus aclnnRingAttentionUpdate(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRingAttentionUpdate").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRingAttentionUpdateV2GetWorkspaceSize(
    const aclTensor* prevAttnOut, const aclTensor* prevSoftmaxMax, const aclTensor* prevSoftmaxSum,
    const aclTensor* curAttnOut, const aclTensor* curSoftmaxMax, const aclTensor* curSoftmaxSum,
    const aclTensor* actualSeqQlenOptional, char* inputLayoutOptional,
    char* inputSoftmaxLayoutOptional, const aclTensor* attnOutOut, const aclTensor* softmaxMaxOut,
    const aclTensor* softmaxSumOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRingAttentionUpdateV2"),
                  {prevAttnOut, prevSoftmaxMax, prevSoftmaxSum, curAttnOut, curSoftmaxMax,
                   curSoftmaxSum, actualSeqQlenOptional, inputLayoutOptional,
                   inputSoftmaxLayoutOptional, attnOutOut, softmaxMaxOut,
                   softmaxSumOut}, workspaceSize, executor);
}

aclnnStatus aclnnRingAttentionUpdateV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRingAttentionUpdateV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
