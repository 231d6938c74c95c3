// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_calls.h"

#include <algorithm>

namespace anyacl::test {
namespace {

// Every second element, in all dimensions.
Layout Spread(Layout layout, bool strided) {
  if (!strided) return layout;
  std::vector<int64_t> strides = ContiguousStrides(layout.dims);
  for (int64_t& stride : strides) stride *= 2;
  layout.strides = strides;
  return layout;
}
Layout Ints(std::vector<int64_t> dims) { return {.dims = std::move(dims), .dtype = ACL_INT32}; }

}  // namespace

int Caller::Launch(const Phase1& phase1, Phase2 phase2, aclrtStream stream) {
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  if (const int code = phase1(&bytes, &executor); code != 0) return code;
  const auto size = static_cast<int64_t>(bytes);
  workspaces_.emplace_back(Layout{.dims = {size}, .dtype = ACL_UINT8});
  void* address = size > 0 ? workspaces_.back().data() : nullptr;
  return phase2(address, bytes, executor, stream);
}

Batching::Batching(std::vector<int64_t> shape, int64_t token_dtype, int64_t experts,
                   bool empty_scale)
    : token_dtype(token_dtype),
      experts(experts),
      max_out_shape(aclCreateIntArray(shape.data(), shape.size())),
      y({.dims = {shape[0] * shape[1] * shape[2], shape[3]}, .dtype = kTokenTypes[token_dtype]}),
      group_list({.dims = {experts, 2}, .dtype = ACL_INT64}),
      sessions({.dims = {y.layout().dims[0]}, .dtype = ACL_INT32}),
      micro_batches(sessions.layout()),
      tokens(sessions.layout()),
      offsets(sessions.layout()),
      scales({.dims = {empty_scale ? 0 : y.layout().dims[0]}, .dtype = ACL_FLOAT}),
      actual({.dims = {1}, .dtype = ACL_INT64}) {}

Batching::~Batching() { aclDestroyIntArray(max_out_shape); }

Phase1 Batching::PhaseOne(const aclTensor* context, int64_t need_schedule, int64_t layers) const {
  return [=, this](uint64_t* size, aclOpExecutor** executor) {
    return aclnnFfnWorkerBatchingGetWorkspaceSize(
        context, experts, max_out_shape, token_dtype, need_schedule, layers, y.handle(),
        group_list.handle(), sessions.handle(), micro_batches.handle(), tokens.handle(),
        offsets.handle(), scales.handle(), actual.handle(), size, executor);
  };
}

int Batching::Launch(const aclTensor* context, int64_t need_schedule, aclrtStream stream) {
  return caller_.Launch(PhaseOne(context, need_schedule), aclnnFfnWorkerBatching, stream);
}

bool Batching::GuardsIntact() const {
  const Tensor* all[] = {&y,      &group_list, &sessions, &micro_batches,
                         &tokens, &offsets,    &scales,   &actual};
  return std::all_of(std::begin(all), std::end(all),
                     [](const Tensor* tensor) { return tensor->GuardsIntact(); });
}

std::vector<uint64_t> PipelineShape::windows() const {
  std::vector<uint64_t> sizes(static_cast<size_t>(attention),
                              static_cast<uint64_t>(attention_window()));
  sizes.resize(static_cast<size_t>(world()), static_cast<uint64_t>(ffn_window()));
  return sizes;
}

SendCall::SendCall(const PipelineShape& s, std::string group, bool strided, aclDataType type)
    : shape(s),
      group(std::move(group)),
      x(Spread({.dims = {1, s.tokens, s.hidden}, .dtype = type}, strided)),
      session(Ints({1})),
      micro_batch(Ints({1})),
      layer(Ints({1})),
      expert_ids(Spread(Ints({1, s.tokens, s.chosen}), strided)),
      rank_table(Spread(Ints({1, s.routed + s.shared, s.width()}), strided)),
      scales(Spread({.dims = {1, s.routed + s.shared, s.hidden}, .dtype = ACL_FLOAT}, strided)),
      mask(Spread({.dims = {1, s.tokens}, .dtype = ACL_BOOL}, strided)),
      info({s.attention, s.micro_batches, 2 + s.ids()}),
      data({s.attention, s.micro_batches, s.tokens, s.experts(), s.row}),
      flags({s.micro_batches, s.tokens, s.experts()}) {}

Phase1 SendCall::PhaseOne() const {
  return [this](uint64_t* size, aclOpExecutor** executor) {
    return aclnnAttentionToFFNGetWorkspaceSize(
        x.handle(), session.handle(), micro_batch.handle(), layer.handle(), expert_ids.handle(),
        rank_table.handle(), has_scales ? scales.handle() : nullptr,
        has_mask ? mask.handle() : nullptr, group.c_str(), shape.world(), info.handle(),
        data.handle(), flags.handle(), shape.routed, shape.quant, shape.sync, shape.attention, size,
        executor);
  };
}

ReturnCall::ReturnCall(const PipelineShape& s, int64_t rows, std::string group, bool strided)
    : shape(s),
      group(std::move(group)),
      x(Spread({.dims = {rows, s.hidden}, .dtype = ACL_FLOAT16}, strided)),
      sessions(Spread(Ints({rows}), strided)),
      micro_batches(Spread(Ints({rows}), strided)),
      tokens(Spread(Ints({rows}), strided)),
      offsets(Spread(Ints({rows}), strided)),
      actual({.dims = {1}, .dtype = ACL_INT64}),
      rank_table(Spread(Ints({s.attention}), strided)),
      info({s.micro_batches, s.tokens, s.experts()}),
      data({s.micro_batches, s.tokens, s.experts(), s.hidden}) {}

Phase1 ReturnCall::PhaseOne() const {
  return [this](uint64_t* size, aclOpExecutor** executor) {
    return aclnnFFNToAttentionGetWorkspaceSize(
        x.handle(), sessions.handle(), micro_batches.handle(), tokens.handle(), offsets.handle(),
        actual.handle(), has_table ? rank_table.handle() : nullptr, group.c_str(), shape.world(),
        info.handle(), data.handle(), size, executor);
  };
}

std::vector<int32_t> RandomTable(const PipelineShape& shape, Random& random) {
  std::vector<int32_t> table;
  std::vector<int32_t> next(static_cast<size_t>(shape.ffn), 0);  // local ids
  for (int64_t e = 0; e < shape.routed + shape.shared; ++e) {
    const int64_t replicas = random.Int(1, shape.ffn);
    const int64_t first = random.Int(0, shape.ffn - 1);
    table.push_back(static_cast<int32_t>(replicas));
    for (int64_t i = 0; i < shape.ffn; ++i) {
      const int64_t rank = (first + i) % shape.ffn;
      const bool used = i < replicas;
      table.push_back(used ? static_cast<int32_t>(shape.attention + rank) : -1);
      table.push_back(used ? next[static_cast<size_t>(rank)]++ : -1);
    }
  }
  return table;
}

}  // namespace anyacl::test
