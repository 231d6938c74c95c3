// SPDX-License-Identifier: Apache-2.0
// aclnnFusedInferAttentionScoreV2 and its sub-case aclnnFusedInferAttentionScore.
#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "nnop/phases.h"
#include "ops/fused_infer_attention/op.h"

namespace anyacl::fused_infer_attention {
namespace {

aclnnStatus Prepare(const OpSpec& spec, Args args, uint64_t* workspace_size,
                    aclOpExecutor** executor) {
  return PhaseOne(*spec.op, workspace_size, executor, [&](PreparedCall& call) -> Status {
    // Without the flag the tensor is neither looked at nor written.
    if (!args.lse_flag) args.tensors[kSoftmaxLse] = nullptr;
    Problem problem(spec, args);
    if (Status s = Check(problem); !s.ok()) return s;
    call.slots = SlotsOf(problem);
    if (HasWork(problem)) call.plan = MakePlan(Normalize(problem), &call.workspace_size);
    return {};
  });
}

}  // namespace
}  // namespace anyacl::fused_infer_attention

using namespace anyacl;
using namespace anyacl::fused_infer_attention;

extern "C" {

aclnnStatus aclnnFusedInferAttentionScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShift, const aclTensor* attenMask, const aclIntArray* actualSeqLengths,
    const aclIntArray* actualSeqLengthsKv, const aclTensor* deqScale1, const aclTensor* quantScale1,
    const aclTensor* deqScale2, const aclTensor* quantScale2, const aclTensor* quantOffset2,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* blockTable,
    const aclTensor* queryPaddingSize, const aclTensor* kvPaddingSize, int64_t numHeads,
    double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, const aclTensor* attentionOut,
    const aclTensor* softmaxLse, uint64_t* workspaceSize, aclOpExecutor** executor) {
  Args args;
  args.tensors = {query,          nullptr,         nullptr,    pseShift,         attenMask,
                  deqScale1,      quantScale1,     deqScale2,  quantScale2,      quantOffset2,
                  antiquantScale, antiquantOffset, blockTable, queryPaddingSize, kvPaddingSize};
  args.tensors[kAttentionOut] = attentionOut;
  args.tensors[kSoftmaxLse] = softmaxLse;
  args.key = key;
  args.value = value;
  args.query_lengths = actualSeqLengths;
  args.kv_lengths = actualSeqLengthsKv;
  args.num_heads = numHeads;
  args.scale = scaleValue;
  args.pre_tokens = preTokens;
  args.next_tokens = nextTokens;
  args.layout = inputLayout;
  args.num_kv_heads = numKeyValueHeads;
  args.sparse_mode = sparseMode;
  args.inner_precise = innerPrecise;
  args.block_size = blockSize;
  args.antiquant_mode = antiquantMode;
  args.lse_flag = softmaxLseFlag;
  return Prepare(kSpecV1, args, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScore(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream) {
  return anyaclRunExecutor(*kSpecV1.op, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, int64_t numHeads, double scaleValue,
    int64_t preTokens, int64_t nextTokens, char* inputLayout, int64_t numKeyValueHeads,
    int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t antiquantMode,
    bool softmaxLseFlag, int64_t keyAntiquantMode, int64_t valueAntiquantMode,
    const aclTensor* attentionOut, const aclTensor* softmaxLse, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  const Args args = {.tensors = {query,
                                 nullptr,
                                 nullptr,
                                 pseShiftOptional,
                                 attenMaskOptional,
                                 deqScale1Optional,
                                 quantScale1Optional,
                                 deqScale2Optional,
                                 quantScale2Optional,
                                 quantOffset2Optional,
                                 antiquantScaleOptional,
                                 antiquantOffsetOptional,
                                 blockTableOptional,
                                 queryPaddingSizeOptional,
                                 kvPaddingSizeOptional,
                                 keyAntiquantScaleOptional,
                                 keyAntiquantOffsetOptional,
                                 valueAntiquantScaleOptional,
                                 valueAntiquantOffsetOptional,
                                 keySharedPrefixOptional,
                                 valueSharedPrefixOptional,
                                 attentionOut,
                                 softmaxLse},
                     .key = key,
                     .value = value,
                     .query_lengths = actualSeqLengthsOptional,
                     .kv_lengths = actualSeqLengthsKvOptional,
                     .prefix_length = actualSharedPrefixLenOptional,
                     .num_heads = numHeads,
                     .scale = scaleValue,
                     .pre_tokens = preTokens,
                     .next_tokens = nextTokens,
                     .layout = inputLayout,
                     .num_kv_heads = numKeyValueHeads,
                     .sparse_mode = sparseMode,
                     .inner_precise = innerPrecise,
                     .block_size = blockSize,
                     .antiquant_mode = antiquantMode,
                     .lse_flag = softmaxLseFlag,
                     .key_mode = keyAntiquantMode,
                     .value_mode = valueAntiquantMode};
  return Prepare(kSpecV2, args, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, const aclrtStream stream) {
  return anyaclRunExecutor(*kSpecV2.op, workspace, workspaceSize, executor, stream);
}
}
