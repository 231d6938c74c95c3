// SPDX-License-Identifier: Apache-2.0
// The schedulers at both ends of attention/FFN disaggregation: from the C arguments to a task that
// waits for other workers. The shared-memory protocol is in README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "aclnn/acl_meta.h"
#include "nnop/executor.h"
#include "nnop/operands.h"
#include "ops/ffn_worker_scheduler/operators.h"
#include "ops/ffn_worker_scheduler/slots.h"

namespace anyacl::ffn_worker_scheduler {

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

// The slot of the only tensor of either operator.
inline constexpr size_t kContextSlot = 0;

// What one FFN call works on, taken from the context once: a client that changes the context during
// the call cannot make the bounds that were checked untrue.
struct FfnCall {
  Window window;
  Outputs outputs;
  uint64_t group_size = 0;
  uint64_t polling_index = 0;

  bool all_sync() const { return group_size == window.sessions; }
};

// The same for the attention side.
struct AttentionCall {
  int32_t* flags = nullptr;  // of the micro batch that is due
  uint64_t flag_count = 0;
  uint32_t micro_batch = 0;
};

// Phase 1 knows the arguments alone: the context may be filled in later, by a task of the stream.
// When the task runs (507018): the content of the context.
Status ReadFfnCall(const ScheduleContext* context, int32_t sync_group_size, FfnCall* call);
Status ReadAttentionCall(const ScheduleContext* context, AttentionCall* call);

// `offset`: where the context begins, in bytes from the tensor's address.
std::shared_ptr<const Plan> MakeFfnPlan(int64_t offset, int32_t sync_group_size);
std::shared_ptr<const Plan> MakeAttentionPlan(int64_t offset);

}  // namespace anyacl::ffn_worker_scheduler
