// SPDX-License-Identifier: Apache-2.0
// One call of aclnnFlashAttentionVarLenScore and of its gradient in any version.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ops/flash_attention_case.h"

namespace anyacl::test {

struct FlashSequences {
  int version = 1;
  std::map<FlashTensor, std::unique_ptr<Tensor>> tensors = {};  // absent ones are null
  std::vector<int64_t> query_ends = {}, key_ends = {}, prefix = {}, query_start = {},
                       key_start = {};
  double scale = 0.2, keep_prob = 1;
  int64_t pre_tokens = INT32_MAX, next_tokens = INT32_MAX, heads = 1, sparse_mode = 0, pse_type = 1;
  std::string layout = "TND", softmax_layout = "";
  bool null_softmax_layout = false;
  bool most = false;  // version 5: the first phase that tells the workspace of any lengths

  Tensor& Set(FlashTensor id, const Layout& made) {
    return *(tensors[id] = std::make_unique<Tensor>(made));
  }
  Tensor& At(FlashTensor id) const { return *tensors.at(id); }
  aclTensor* Handle(FlashTensor id) const {
    const auto known = tensors.find(id);
    return known == tensors.end() ? nullptr : known->second->handle();
  }

  Phase1 Forward() const;
  Phase1 Gradient() const;
  using Second = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);
  Second ForwardRun() const;
  Second GradientRun() const;
};

}  // namespace anyacl::test
