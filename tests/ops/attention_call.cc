// SPDX-License-Identifier: Apache-2.0
#include "ops/attention_call.h"

namespace anyacl::test {
namespace {

aclTensorList* MakeList(const std::optional<std::vector<OptionalLayout>>& layouts,
                        int64_t max_bytes, std::vector<std::optional<Tensor>>* members) {
  if (!layouts) return nullptr;
  std::vector<const aclTensor*> handles;
  for (const OptionalLayout& layout : *layouts) {
    auto& member = members->emplace_back();
    if (layout) member.emplace(*layout, max_bytes);
    handles.push_back(member ? member->handle() : nullptr);
  }
  return aclCreateTensorList(handles.data(), handles.size());
}

aclIntArray* MakeArray(const Lengths& lengths) {
  return lengths ? aclCreateIntArray(lengths->data(), lengths->size()) : nullptr;
}

}  // namespace

AttentionObjects::AttentionObjects(const AttentionCall& call, int64_t max_bytes) : call_(call) {
  for (size_t i = 0; i < kAttentionTensors; ++i) {
    if (call.tensors[i]) tensors[i].emplace(*call.tensors[i], max_bytes);
  }
  key_list = MakeList(call.key, max_bytes, &key);
  value_list = MakeList(call.value, max_bytes, &value);
  query_lengths = MakeArray(call.query_lengths);
  kv_lengths = MakeArray(call.kv_lengths);
  prefix_length = MakeArray(call.prefix_length);
  query_start = MakeArray(call.query_start);
  kv_start = MakeArray(call.kv_start);
}

AttentionObjects::~AttentionObjects() {
  // A list takes its members along.
  for (auto* list : {&key, &value}) {
    for (auto& member : *list) {
      if (member) member->Destroy();
    }
  }
  for (aclTensorList* list : {key_list, value_list}) {
    if (list != nullptr) aclDestroyTensorList(list);
  }
  for (aclIntArray* array : {query_lengths, kv_lengths, prefix_length, query_start, kv_start}) {
    if (array != nullptr) aclDestroyIntArray(array);
  }
}

const aclTensor* AttentionObjects::Handle(size_t which) const {
  return tensors[which] ? tensors[which]->handle() : nullptr;
}

Phase1 AttentionObjects::PhaseOne() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    const AttentionCall& c = call_;
    if (c.version > 2) return Later(false, workspace_size, executor);
    std::string layout = c.layout.value_or("");
    char* text = c.layout ? layout.data() : nullptr;
    const auto h = [this](size_t which) { return Handle(which); };
    if (c.version == 1) {
      return aclnnFusedInferAttentionScoreGetWorkspaceSize(
          h(kQuery), key_list, value_list, h(kPse), h(kMask), query_lengths, kv_lengths, h(kDeq1),
          h(kQuant1), h(kDeq2), h(kQuant2), h(kOffset2), h(kScales), h(kOffsets), h(kTable),
          h(kQueryPad), h(kKvPad), c.num_heads, c.scale, c.pre_tokens, c.next_tokens, text,
          c.num_kv_heads, c.sparse_mode, c.inner_precise, c.block_size, c.antiquant_mode,
          c.lse_flag, h(kOut), h(kLse), workspace_size, executor);
    }
    return aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
        h(kQuery), key_list, value_list, h(kPse), h(kMask), query_lengths, kv_lengths, h(kDeq1),
        h(kQuant1), h(kDeq2), h(kQuant2), h(kOffset2), h(kScales), h(kOffsets), h(kTable),
        h(kQueryPad), h(kKvPad), h(kKeyScale), h(kKeyOffset), h(kValueScale), h(kValueOffset),
        h(kKeyPrefix), h(kValuePrefix), prefix_length, c.num_heads, c.scale, c.pre_tokens,
        c.next_tokens, text, c.num_kv_heads, c.sparse_mode, c.inner_precise, c.block_size,
        c.antiquant_mode, c.lse_flag, c.key_mode, c.value_mode, h(kOut), h(kLse), workspace_size,
        executor);
  };
}

Phase1 AttentionObjects::PhaseMost() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return Later(true, workspace_size, executor);
  };
}

aclnnStatus AttentionObjects::Later(bool most, uint64_t* workspace_size,
                                    aclOpExecutor** executor) const {
  const AttentionCall& c = call_;
  std::string layout = c.layout.value_or("");
  char* text = c.layout ? layout.data() : nullptr;
  const auto h = [this](size_t which) { return Handle(which); };
  // The arguments that all of them begin with.
  const auto with = [&](auto function, auto... rest) {
    return function(h(kQuery), key_list, value_list, h(kPse), h(kMask), query_lengths, kv_lengths,
                    h(kDeq1), h(kQuant1), h(kDeq2), h(kQuant2), h(kOffset2), h(kScales),
                    h(kOffsets), h(kTable), h(kQueryPad), h(kKvPad), h(kKeyScale), h(kKeyOffset),
                    h(kValueScale), h(kValueOffset), h(kKeyPrefix), h(kValuePrefix), prefix_length,
                    h(kQueryRope), h(kKeyRope), h(kKeyRopeScale), rest...);
  };
  if (c.version == 3) {
    return with(most ? aclnnFusedInferAttentionScoreV3GetMaxWorkspaceSize
                     : aclnnFusedInferAttentionScoreV3GetWorkspaceSize,
                c.num_heads, c.scale, c.pre_tokens, c.next_tokens, text, c.num_kv_heads,
                c.sparse_mode, c.inner_precise, c.block_size, c.antiquant_mode, c.lse_flag,
                c.key_mode, c.value_mode, h(kOut), h(kLse), workspace_size, executor);
  }
  if (c.version == 4) {
    return with(most ? aclnnFusedInferAttentionScoreV4GetMaxWorkspaceSize
                     : aclnnFusedInferAttentionScoreV4GetWorkspaceSize,
                h(kQueryScale), h(kSink), c.num_heads, c.scale, c.pre_tokens, c.next_tokens, text,
                c.num_kv_heads, c.sparse_mode, c.inner_precise, c.block_size, c.antiquant_mode,
                c.lse_flag, c.key_mode, c.value_mode, c.query_mode, h(kOut), h(kLse),
                workspace_size, executor);
  }
  return with(aclnnFusedInferAttentionScoreV5GetWorkspaceSize, h(kQueryScale), h(kSink),
              query_start, kv_start, c.num_heads, c.scale, c.pre_tokens, c.next_tokens, text,
              c.num_kv_heads, c.sparse_mode, c.inner_precise, c.block_size, c.antiquant_mode,
              c.lse_flag, c.key_mode, c.value_mode, c.query_mode, c.pse_type, h(kOut), h(kLse),
              workspace_size, executor);
}

Phase2 AttentionObjects::PhaseTwo() const {
  constexpr Phase2 kPhases[] = {&aclnnFusedInferAttentionScore, &aclnnFusedInferAttentionScoreV2,
                                &aclnnFusedInferAttentionScoreV3, &aclnnFusedInferAttentionScoreV4,
                                &aclnnFusedInferAttentionScoreV5};
  return kPhases[call_.version - 1];
}

bool AttentionObjects::GuardsIntact() const {
  for (const auto& tensor : tensors) {
    if (tensor && !tensor->GuardsIntact()) return false;
  }
  return true;
}

}  // namespace anyacl::test
