// SPDX-License-Identifier: Apache-2.0
#include "reference/ffn_worker_scheduler.h"

namespace anyacl::test {
namespace {

size_t SlotOf(const FfnState& state, uint32_t session, uint64_t micro_batch) {
  return (session * state.micro_batches + micro_batch) * (2 + state.ids);
}

bool GroupIsReady(const FfnState& state, uint32_t first, uint32_t size, uint64_t micro_batch) {
  for (uint32_t s = first; s < first + size; ++s) {
    if (state.window[SlotOf(state, s, micro_batch)] != 1) return false;
  }
  return true;
}

void TakeGroup(FfnState* state, uint32_t first, uint32_t size, uint64_t micro_batch) {
  for (uint32_t s = first; s < first + size; ++s) {
    const size_t slot = SlotOf(*state, s, micro_batch);
    const size_t out = state->out_num++;
    state->layer_ids[out] = state->window[slot + 1];
    state->session_ids[out] = static_cast<int32_t>(s);
    state->micro_batch_ids[out] = static_cast<int32_t>(micro_batch);
    for (size_t i = 0; i < state->ids; ++i) {
      state->expert_ids[out * state->ids + i] = state->window[slot + 2 + i];
      state->window[slot + 2 + i] = 2139062143;
    }
    state->window[slot] = 0;
  }
}

}  // namespace

bool ReferenceSchedule(uint32_t sync_group_size, bool fair, FfnState* state) {
  state->out_num = 0;
  if (!state->running) return true;
  const uint64_t next = (state->polling_index + 1) % state->micro_batches;
  if (sync_group_size == state->sessions) {
    if (!GroupIsReady(*state, 0, state->sessions, state->polling_index)) return false;
    TakeGroup(state, 0, state->sessions, state->polling_index);
    state->polling_index = next;
    return true;
  }
  for (uint32_t first = 0; first < state->sessions; first += sync_group_size) {
    for (uint32_t i = 0; i < state->micro_batches; ++i) {
      const uint64_t m = fair ? (state->polling_index + i) % state->micro_batches : i;
      if (!GroupIsReady(*state, first, sync_group_size, m)) continue;
      TakeGroup(state, first, sync_group_size, m);
      break;
    }
  }
  if (state->out_num == 0) return false;
  if (fair) state->polling_index = next;
  return true;
}

}  // namespace anyacl::test
