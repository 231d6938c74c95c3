// SPDX-License-Identifier: Apache-2.0
// The memory that attention workers and an FFN worker share, and the context that tells the
// scheduler where it is.
#pragma once

#include <cstddef>
#include <cstdint>

// 1024 bytes; the order and the gaps are the operator's.
struct ScheduleContext {
  struct {
    uint32_t session_num;          // attention workers
    uint32_t micro_batch_num;      // micro batches in flight
    uint32_t micro_batch_size;     // tokens
    uint32_t selected_expert_num;  // experts per token
    uint32_t expert_num;
    uint32_t attn_to_ffn_token_size;
    uint32_t ffn_to_attn_token_size;
    int32_t schedule_mode;  // 0: FFN worker, 1: attention worker
    int8_t reserved[96];
  } common;
  struct {
    int32_t run_flag;  // 0 ends waiting calls
    int8_t reserved[124];
  } control;
  struct {  // an attention worker's
    uint64_t token_info_buf, token_info_buf_size;
    uint64_t token_data_buf, token_data_buf_size;
    uint32_t micro_batch_id;  // the last one that has come back
    int8_t reserved[92];
  } attention;
  struct {
    uint64_t token_info_buf, token_info_buf_size;
    uint64_t token_data_buf, token_data_buf_size;
    uint64_t polling_index;
    int8_t reserved3[88];
    uint64_t layer_ids_buf, layer_ids_buf_size;
    uint64_t session_ids_buf, session_ids_buf_size;
    uint64_t micro_batch_ids_buf, micro_batch_ids_buf_size;
    uint64_t expert_ids_buf, expert_ids_buf_size;
    uint32_t out_num;
    int8_t reserved4[60];
  } ffn;
  int8_t reserved[384];
};
static_assert(sizeof(ScheduleContext) == 1024, "the scheduler expects 1024 bytes");

// The window: a slot per session and micro batch.
struct WindowShape {
  uint32_t sessions;
  uint32_t micro_batches;
  uint32_t tokens;
  uint32_t experts;

  size_t ids() const { return size_t(tokens) * experts; }
  size_t slot_ints() const { return 2 + ids(); }  // flag, layer, ids
  size_t bytes() const { return 4 * slot_ints() * sessions * micro_batches; }
  int32_t* Slot(int32_t* window, uint32_t session, uint32_t micro_batch) const {
    return window + (size_t(session) * micro_batches + micro_batch) * slot_ints();
  }
};

// What other processes read and write must go through these two: plain accesses could be reordered.
inline int32_t LoadAcquire(const int32_t* value) {
  return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}
inline void StoreRelease(int32_t* value, int32_t to) {
  __atomic_store_n(value, to, __ATOMIC_RELEASE);
}
