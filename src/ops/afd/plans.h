// SPDX-License-Identifier: Apache-2.0
// What phase 1 leaves of each operator's arguments, and the plans made of it. Phase 1 knows the
// arguments alone: the context may be filled in later, by a task of the stream.
#pragma once

#include <cstdint>
#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"
#include "runtime/rank_group.h"

namespace anyacl::afd {

// Where the context stands among the tensors of the operators that take one.
inline constexpr size_t kContextSlot = 0;

// `offset`: where the context begins, in bytes from the tensor's address.
std::shared_ptr<const Plan> MakeFfnPlan(int64_t offset, int32_t sync_group_size);
std::shared_ptr<const Plan> MakeAttentionPlan(int64_t offset);

struct BatchingParams {
  int64_t context_offset = 0;
  int64_t experts = 0;  // of this worker: ids are below
  int64_t rows = 0;     // of the outputs
  int64_t row_bytes = 0;
  bool quantised = false;  // a fp32 scale follows each row
  bool receives = false;   // takes the slots itself instead of the scheduler's lists
  TensorView y, group_list, sessions, micro_batches, tokens, offsets, scales, actual;
};
std::shared_ptr<const Plan> MakeBatchingPlan(const BatchingParams& params);

struct CombineParams {
  int64_t context_offset = 0;
  int64_t tokens = 0;
  int64_t chosen = 0;  // experts with a scale
  int64_t hidden = 0;
  bool waits = false;
  TensorView scales, layer, y, next_layer;
};
std::shared_ptr<const Plan> MakeCombinePlan(const CombineParams& params);

// The tables in the windows, as the arguments give their shapes.
struct Tables {
  int64_t sessions = 1;  // attention workers; 1 in an attention worker's own window
  int64_t micro_batches = 0;
  int64_t tokens = 0;
  int64_t experts = 0;  // rows of a token
  int64_t row_bytes = 0;

  int64_t ids() const { return tokens * experts; }
};

struct SendParams {
  std::shared_ptr<RankGroup> group;
  Tables tables;
  TensorView x, session, micro_batch, layer, expert_ids, rank_table, scales, mask;
  int64_t chosen = 0;  // routed experts of a token
  int64_t routed = 0;  // routed experts of the model
  int64_t hidden = 0;
  int64_t first_ffn = 0;  // ranks
  int64_t ffn_count = 0;
  bool quantises = false;
  bool tells_all = false;
};
std::shared_ptr<const Plan> MakeSendPlan(const SendParams& params);

struct ReturnParams {
  std::shared_ptr<RankGroup> group;
  Tables tables;
  TensorView x, sessions, micro_batches, tokens, offsets, actual, rank_table;
  int64_t hidden = 0;
};
std::shared_ptr<const Plan> MakeReturnPlan(const ReturnParams& params);

}  // namespace anyacl::afd
