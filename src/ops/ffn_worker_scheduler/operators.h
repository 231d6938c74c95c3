// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnInplaceFfnWorkerScheduler and aclnnInplaceAttentionWorkerScheduler.
#pragma once

#include "nnop/operator.h"

namespace anyacl::ffn_worker_scheduler {

enum : int { kContext, kSyncGroupSize, kExecuteMode };

Status PrepareFfn(Operands& operands, PreparedCall* call);
Status PrepareAttention(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kContextParam = {
    .name = "scheduleContextRef",
    .id = kContext,
    .direction = Direction::kInOut,
    .dtypes = {ACL_INT8},
    .dims = "bytes",
    .strides = Strides::kContiguous,
    .note = "the 1024 bytes of the schedule context; read when the task runs"};

inline constexpr ParamSpec kAttentionParams[] = {kContextParam};

inline constexpr ParamSpec kFfnParams[] = {
    kContextParam,
    {.name = "syncGroupSize",
     .id = kSyncGroupSize,
     .kind = Kind::kInt32,
     .note = "sessions that are taken together; 1 to the number of sessions in the context"},
    {.name = "executeMode", .id = kExecuteMode, .kind = Kind::kInt32, .note = "0: run once"},
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"InplaceFfnWorkerScheduler">,
     .params = kFfnParams,
     .prepare = PrepareFfn,
     .header = "aclnn_ffn_worker_scheduler.h",
     .summary = "waits until attention workers have sent their tokens, and lists them",
     .document =
         "ops-transformer: ffn/ffn_worker_scheduler/docs/aclnnInplaceFfnWorkerScheduler.md"},
    {.op = kNames<"InplaceAttentionWorkerScheduler">,
     .params = kAttentionParams,
     .prepare = PrepareAttention,
     .header = "aclnn_attention_worker_scheduler.h",
     .summary = "waits until the FFN workers have returned a micro batch",
     .document =
         "ops-transformer: "
         "attention/attention_worker_scheduler/docs/aclnnInplaceAttentionWorkerScheduler.md"},
};

}  // namespace anyacl::ffn_worker_scheduler
