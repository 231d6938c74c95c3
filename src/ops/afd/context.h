// SPDX-License-Identifier: Apache-2.0
// The schedule context, through which the host tells the workers of attention/FFN disaggregation
// where their shared memory is, and what each operator takes from it. The protocol is in README.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "ops/afd/slots.h"

namespace anyacl::afd {

// The layout is the clients': every byte counts. Pointers are addresses in this process, sizes are
// bytes. The gaps are reserved; clients put what they like there, so nothing looks at them.
struct ScheduleContext {
  struct Common {
    uint32_t session_num;
    uint32_t micro_batch_num;
    uint32_t micro_batch_size;
    uint32_t selected_expert_num;
    uint32_t expert_num;
    uint32_t attn_to_ffn_token_size;
    uint32_t ffn_to_attn_token_size;
    int32_t schedule_mode;
    int8_t reserved[96];
  } common;
  struct Control {
    int32_t run_flag;
    int8_t reserved[124];
  } control;
  struct Attention {
    uint64_t token_info_buf;
    uint64_t token_info_buf_size;
    uint64_t token_data_buf;
    uint64_t token_data_buf_size;
    uint32_t micro_batch_id;
    int8_t reserved[92];
  } attention;
  struct Ffn {
    uint64_t token_info_buf;
    uint64_t token_info_buf_size;
    uint64_t token_data_buf;
    uint64_t token_data_buf_size;
    uint64_t polling_index;
    int8_t reserved3[88];
    uint64_t layer_ids_buf;
    uint64_t layer_ids_buf_size;
    uint64_t session_ids_buf;
    uint64_t session_ids_buf_size;
    uint64_t micro_batch_ids_buf;
    uint64_t micro_batch_ids_buf_size;
    uint64_t expert_ids_buf;
    uint64_t expert_ids_buf_size;
    uint32_t out_num;
    int8_t reserved4[60];
  } ffn;
  int8_t reserved[384];
};
static_assert(sizeof(ScheduleContext) == 1024);
static_assert(offsetof(ScheduleContext, control) == 128);
static_assert(offsetof(ScheduleContext, attention) == 256);
static_assert(offsetof(ScheduleContext, ffn) == 384);
static_assert(offsetof(ScheduleContext, ffn.layer_ids_buf) == 512);
static_assert(offsetof(ScheduleContext, ffn.out_num) == 576);

// When a task runs, it takes from the context what it works on, once: a client that changes the
// context during the call cannot make the bounds that were checked untrue. What is wrong there is
// code 507018.

// The FFN scheduler's.
struct FfnCall {
  Window window;
  Outputs outputs;
  uint64_t group_size = 0;
  uint64_t polling_index = 0;

  bool all_sync() const { return group_size == window.sessions; }
};
Status ReadFfnCall(const ScheduleContext* context, int32_t sync_group_size, FfnCall* call);

// The attention scheduler's.
struct AttentionCall {
  int32_t* flags = nullptr;  // of the micro batch that is due
  uint64_t flag_count = 0;
  uint32_t micro_batch = 0;
};
Status ReadAttentionCall(const ScheduleContext* context, AttentionCall* call);

// Token rows that attention workers have sent: row (session, micro batch, token, j) of each token's
// `experts` rows.
struct SentRows {
  uint64_t address = 0;
  uint64_t size = 0;  // as the context says
  uint64_t sessions = 0;
  uint64_t micro_batches = 0;
  uint64_t tokens = 0;
  uint64_t experts = 0;
  uint64_t row_bytes = 0;

  uint64_t ids() const { return tokens * experts; }  // of a session's micro batch
  // Whether rows of `used` bytes can be read.
  Status Check(uint64_t used) const;
  const char* Row(uint64_t session, uint64_t micro_batch, uint64_t id) const {
    const uint64_t row = (session * micro_batches + micro_batch) * ids() + id;
    return reinterpret_cast<const char*>(address) + row * row_bytes;
  }
};

// What the scheduler has listed for batching: `count` sessions with their ids.
struct ListedCall {
  SentRows rows;
  uint64_t count = 0;
  const int32_t* sessions = nullptr;
  const int32_t* micro_batches = nullptr;
  const int32_t* ids = nullptr;
};
// `most`: how many rows the outputs have.
Status ReadListedCall(const ScheduleContext* context, uint64_t most, ListedCall* call);

// What batching itself takes: the slots of all sessions.
struct ReceivedCall {
  SentRows rows;
  Window window;
  uint64_t polling_index = 0;
};
Status ReadReceivedCall(const ScheduleContext* context, uint64_t most, ReceivedCall* call);

// What combine reads: row (token, j) of the micro batch, and its flags.
struct CombineCall {
  const char* rows = nullptr;
  uint64_t experts = 0;  // rows of a token: the chosen experts', then the shared ones'
  uint32_t micro_batch = 0;
  int32_t* flags = nullptr;  // null if the scheduler has waited
  uint64_t flag_count = 0;   // of the whole micro batch
};
struct CombineShape {
  uint64_t tokens = 0;
  uint64_t chosen = 0;
  uint64_t row_bytes = 0;
  bool waits = false;
};
Status ReadCombineCall(const ScheduleContext* context, const CombineShape& shape,
                       CombineCall* call);

// polling_index goes on to the next micro batch.
inline void AdvancePolling(ScheduleContext* context, uint64_t polled, uint64_t micro_batches) {
  __atomic_store_n(&context->ffn.polling_index, (polled + 1) % micro_batches, __ATOMIC_RELAXED);
}

}  // namespace anyacl::afd
