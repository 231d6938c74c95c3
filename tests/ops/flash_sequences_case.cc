// SPDX-License-Identifier: Apache-2.0
#include "ops/flash_sequences_case.h"

#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"

namespace anyacl::test {
namespace {

// An array for as long as the first phase takes.
class Array {
 public:
  explicit Array(const std::vector<int64_t>& values)
      : array_(aclCreateIntArray(values.data(), values.size())) {}
  ~Array() { aclDestroyIntArray(array_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator const aclIntArray*() const { return array_; }

 private:
  const aclIntArray* array_;
};

}  // namespace

Phase1 FlashSequences::Forward() const {
  return [this](uint64_t* size, aclOpExecutor** executor) {
    using enum FlashTensor;
    const auto t = [this](FlashTensor id) { return Handle(id); };
    const Array q(query_ends), k(key_ends), p(prefix), q0(query_start), k0(key_start);
    std::string text = layout, lies = softmax_layout;
    char* const softmax = null_softmax_layout ? nullptr : lies.data();
    switch (version) {
      case 1:
        return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
            t(kQuery), t(kKey), t(kValue), t(kPse), t(kDrop), t(kPadding), t(kMask), p, q, k, scale,
            keep_prob, pre_tokens, next_tokens, heads, text.data(), 0, sparse_mode, t(kMax),
            t(kSum), t(kSoftmax), t(kOut), size, executor);
      case 2:
        return aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
            t(kQuery), t(kKey), t(kValue), t(kPse), t(kDrop), t(kPadding), t(kMask), p, q, k, q0,
            k0, scale, keep_prob, pre_tokens, next_tokens, heads, text.data(), 0, sparse_mode,
            pse_type, t(kMax), t(kSum), t(kSoftmax), t(kOut), size, executor);
      case 3:
        return aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(
            t(kQuery), t(kQueryRope), t(kKey), t(kKeyRope), t(kValue), t(kPse), t(kDrop),
            t(kPadding), t(kMask), p, q, k, q0, k0, scale, keep_prob, pre_tokens, next_tokens,
            heads, text.data(), 0, sparse_mode, pse_type, t(kMax), t(kSum), t(kSoftmax), t(kOut),
            size, executor);
      case 4:
        return aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
            t(kQuery), t(kKey), t(kValue), t(kPse), t(kDrop), t(kPadding), t(kMask), p, q, k, scale,
            keep_prob, pre_tokens, next_tokens, heads, text.data(), 0, sparse_mode, softmax,
            t(kMax), t(kSum), t(kSoftmax), t(kOut), size, executor);
      default:
        return (most ? aclnnFlashAttentionVarLenScoreV5GetMaxWorkspaceSize
                     : aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize)(
            t(kQuery), t(kQueryRope), t(kKey), t(kKeyRope), t(kValue), t(kPse), t(kDrop),
            t(kPadding), t(kMask), t(kSink), p, q, k, q0, k0, scale, keep_prob, pre_tokens,
            next_tokens, heads, text.data(), 0, sparse_mode, pse_type, softmax, t(kMax), t(kSum),
            t(kSoftmax), t(kOut), size, executor);
    }
  };
}

Phase1 FlashSequences::Gradient() const {
  return [this](uint64_t* size, aclOpExecutor** executor) {
    using enum FlashTensor;
    const auto t = [this](FlashTensor id) { return Handle(id); };
    const Array q(query_ends), k(key_ends), p(prefix), q0(query_start), k0(key_start);
    std::string text = layout, lies = softmax_layout;
    char* const softmax = null_softmax_layout ? nullptr : lies.data();
    switch (version) {
      case 1:
        return aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
            t(kQuery), t(kKey), t(kValue), t(kDy), t(kPse), t(kDrop), t(kPadding), t(kMask),
            t(kMax), t(kSum), t(kSoftmax), t(kOut), p, q, k, scale, keep_prob, pre_tokens,
            next_tokens, heads, text.data(), 0, sparse_mode, t(kDq), t(kDk), t(kDv), t(kDpse), size,
            executor);
      case 2:
        return aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
            t(kQuery), t(kKey), t(kValue), t(kDy), t(kPse), t(kDrop), t(kPadding), t(kMask),
            t(kMax), t(kSum), t(kSoftmax), t(kOut), p, q, k, q0, k0, scale, keep_prob, pre_tokens,
            next_tokens, heads, text.data(), 0, sparse_mode, pse_type, t(kDq), t(kDk), t(kDv),
            t(kDpse), size, executor);
      case 3:
        return aclnnFlashAttentionUnpaddingScoreGradV3GetWorkspaceSize(
            t(kQuery), t(kQueryRope), t(kKey), t(kKeyRope), t(kValue), t(kDy), t(kPse), t(kDrop),
            t(kPadding), t(kMask), t(kMax), t(kSum), t(kSoftmax), t(kOut), p, q, k, q0, k0, scale,
            keep_prob, pre_tokens, next_tokens, heads, text.data(), 0, sparse_mode, pse_type,
            t(kDq), t(kDqRope), t(kDk), t(kDkRope), t(kDv), t(kDpse), size, executor);
      case 4:
        return aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
            t(kQuery), t(kKey), t(kValue), t(kDy), t(kPse), t(kDrop), t(kPadding), t(kMask),
            t(kMax), t(kSum), t(kSoftmax), t(kOut), p, q, k, scale, keep_prob, pre_tokens,
            next_tokens, heads, text.data(), 0, sparse_mode, t(kDq), t(kDk), t(kDv), t(kDpse),
            softmax, size, executor);
      default:
        return (most ? aclnnFlashAttentionUnpaddingScoreGradV5GetMaxWorkspaceSize
                     : aclnnFlashAttentionUnpaddingScoreGradV5GetWorkspaceSize)(
            t(kQuery), t(kQueryRope), t(kKey), t(kKeyRope), t(kValue), t(kDy), t(kPse), t(kDrop),
            t(kPadding), t(kMask), t(kMax), t(kSum), t(kSoftmax), t(kOut), t(kSink), p, q, k, q0,
            k0, scale, keep_prob, pre_tokens, next_tokens, heads, text.data(), 0, sparse_mode,
            pse_type, softmax, t(kDq), t(kDqRope), t(kDk), t(kDkRope), t(kDv), t(kDpse), t(kDsink),
            size, executor);
    }
  };
}

FlashSequences::Second FlashSequences::ForwardRun() const {
  constexpr Second kVersions[] = {aclnnFlashAttentionVarLenScore, aclnnFlashAttentionVarLenScoreV2,
                                  aclnnFlashAttentionVarLenScoreV3,
                                  aclnnFlashAttentionVarLenScoreV4,
                                  aclnnFlashAttentionVarLenScoreV5};
  return kVersions[version - 1];
}

FlashSequences::Second FlashSequences::GradientRun() const {
  constexpr Second kVersions[] = {
      aclnnFlashAttentionUnpaddingScoreGrad, aclnnFlashAttentionUnpaddingScoreGradV2,
      aclnnFlashAttentionUnpaddingScoreGradV3, aclnnFlashAttentionUnpaddingScoreGradV4,
      aclnnFlashAttentionUnpaddingScoreGradV5};
  return kVersions[version - 1];
}

}  // namespace anyacl::test
