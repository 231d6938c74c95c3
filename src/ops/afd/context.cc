// SPDX-License-Identifier: Apache-2.0
// What is wrong inside a context shows when the task runs: code 507018, and nothing is written. The
// order of the checks is that of the device's kernel, so that the first complaint is the same.
// Sizes multiply up to 2^128; every product is checked.
#include "ops/afd/context.h"

#include <algorithm>
#include <span>

#include "acl/acl_base.h"
#include "ops/afd/operators.h"
#include "runtime/exports.h"

namespace anyacl::afd {
namespace {

constexpr int32_t kFfnMode = 0;
constexpr int32_t kAttentionMode = 1;

Status CheckAligned(const ScheduleContext* context) {
  if (reinterpret_cast<uintptr_t>(context) % alignof(ScheduleContext) == 0) return {};
  return Fail(kBad, "scheduleContextRef is at address {}, expected a multiple of {}",
              static_cast<const void*>(context), alignof(ScheduleContext));
}

Status CheckMode(const ScheduleContext::Common& common, int32_t mode) {
  if (common.schedule_mode == mode) return {};
  return Fail(kBad, "common.schedule_mode is {}, expected {}", common.schedule_mode, mode);
}

// Ids of sessions and micro batches are INT32.
Status CheckCount(const char* field, uint32_t value) {
  if (value >= 1 && value <= INT32_MAX) return {};
  return Fail(kBad, "common.{} is {}, expected 1 to {}", field, value, INT32_MAX);
}

Status CheckNotZero(const char* field, uint32_t value) {
  if (value != 0) return {};
  return Fail(kBad, "common.{} is 0, expected at least 1", field);
}

Status CheckGiven(const char* field, uint64_t address) {
  if (address != 0) return {};
  return Fail(kBad, "{} is null, expected an address", field);
}

Status CheckSize(const char* field, uint64_t size, uint64_t needed) {
  if (size >= needed) return {};
  return Fail(kBad, "{} is {}, expected at least {}", field, size, needed);
}

// a * b, or nothing said about `product` and false.
bool Multiply(uint64_t a, uint64_t b, uint64_t* product) {
  return !__builtin_mul_overflow(a, b, product);
}

Status Overflow(const char* what, const ScheduleContext::Common& common) {
  return Fail(kBad,
              "{} exceed 2^64: common.session_num is {}, micro_batch_num {}, micro_batch_size {}, "
              "selected_expert_num {}",
              what, common.session_num, common.micro_batch_num, common.micro_batch_size,
              common.selected_expert_num);
}

// Bytes that the call may touch: what the sizes come to, however large the buffers are said to be.
struct Range {
  const char* field = "";
  uint64_t begin = 0;
  uint64_t bytes = 0;
  uint64_t alignment = alignof(int32_t);

  uint64_t end() const { return begin + bytes; }
};

Status CheckAddress(const Range& range) {
  if (range.begin % range.alignment != 0) {
    return Fail(kBad, "{} is {:#x}, expected a multiple of {}", range.field, range.begin,
                range.alignment);
  }
  // The first page is never mapped; user space ends below 2^57 on the machines that we know.
  constexpr uint64_t kAddressBegin = 4096;
  constexpr uint64_t kAddressEnd = uint64_t{1} << 57;
  if (range.begin < kAddressBegin || range.begin >= kAddressEnd ||
      range.bytes > kAddressEnd - range.begin) {
    return Fail(kBad, "{} is {:#x} and {} bytes are used, expected addresses from {:#x} to {:#x}",
                range.field, range.begin, range.bytes, kAddressBegin, kAddressEnd);
  }
  return {};
}

// A range that begins in memory of ours must end there.
Status CheckMemory(const Range& range) {
  const auto* address = reinterpret_cast<const void*>(range.begin);
  if (!anyaclMayAccess(address, range.bytes)) {
    return Fail(kBad,
                "{} is {:#x} and {} bytes are used, expected device memory or registered host "
                "memory (ANYACL_STRICT=1)",
                range.field, range.begin, range.bytes);
  }
  MemoryRange memory;
  if (!anyaclFindUsableRange(address, &memory)) return {};
  const uint64_t end = reinterpret_cast<uintptr_t>(memory.begin) + memory.size;
  const uint64_t left = end - std::min(end, range.begin);
  if (range.bytes <= left) return {};
  return Fail(kBad,
              "{} is {:#x} and {} bytes are used, expected at most the {} that its "
              "allocation has left",
              range.field, range.begin, range.bytes, left);
}

Status CheckRanges(std::span<const Range> ranges) {
  for (const Range& range : ranges) {
    if (Status s = CheckAddress(range); !s.ok()) return s;
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const Range& a = ranges[k];
      const Range& b = ranges[i];
      if (a.end() <= b.begin || b.end() <= a.begin) continue;
      return Fail(kBad, "{} uses {:#x} to {:#x} and {} {:#x} to {:#x}, expected no overlap",
                  a.field, a.begin, a.end(), b.field, b.begin, b.end());
    }
  }
  for (const Range& range : ranges) {
    if (Status s = CheckMemory(range); !s.ok()) return s;
  }
  return {};
}

Range ContextRange(const ScheduleContext* context) {
  return {kContextParam.name, reinterpret_cast<uintptr_t>(context), sizeof(ScheduleContext),
          alignof(ScheduleContext)};
}

// Bytes that the sizes of an FFN context come to.
struct FfnBytes {
  uint64_t ids = 0;  // of one slot
  uint64_t window = 0;
  uint64_t per_session = 0;
  uint64_t all_ids = 0;
};

Status ComputeBytes(const ScheduleContext::Common& common, FfnBytes* bytes) {
  const uint64_t sessions = common.session_num;
  if (!Multiply(uint64_t{common.micro_batch_size} * common.selected_expert_num, sizeof(int32_t),
                &bytes->ids)) {
    return Overflow("the expert ids of one slot", common);
  }
  uint64_t slot = 0;
  if (__builtin_add_overflow(bytes->ids, kSlotHeader, &slot) ||
      !Multiply(sessions * common.micro_batch_num, slot, &bytes->window)) {
    return Overflow("the slots", common);
  }
  bytes->per_session = sessions * sizeof(int32_t);
  if (!Multiply(bytes->ids, sessions, &bytes->all_ids)) return Overflow("the expert ids", common);
  return {};
}

Status CheckCounts(const ScheduleContext::Common& common) {
  if (Status s = CheckCount("session_num", common.session_num); !s.ok()) return s;
  if (Status s = CheckCount("micro_batch_num", common.micro_batch_num); !s.ok()) return s;
  if (Status s = CheckNotZero("micro_batch_size", common.micro_batch_size); !s.ok()) return s;
  return CheckNotZero("selected_expert_num", common.selected_expert_num);
}

Status CheckBuffersGiven(const ScheduleContext::Ffn& ffn) {
  if (Status s = CheckGiven("ffn.token_info_buf", ffn.token_info_buf); !s.ok()) return s;
  // Never used here, but the operators that follow need it.
  if (Status s = CheckGiven("ffn.token_data_buf", ffn.token_data_buf); !s.ok()) return s;
  if (Status s = CheckGiven("ffn.layer_ids_buf", ffn.layer_ids_buf); !s.ok()) return s;
  if (Status s = CheckGiven("ffn.session_ids_buf", ffn.session_ids_buf); !s.ok()) return s;
  if (Status s = CheckGiven("ffn.micro_batch_ids_buf", ffn.micro_batch_ids_buf); !s.ok()) return s;
  return CheckGiven("ffn.expert_ids_buf", ffn.expert_ids_buf);
}

Status CheckSizes(const ScheduleContext::Ffn& ffn, const FfnBytes& bytes) {
  const struct {
    const char* field;
    uint64_t size;
    uint64_t needed;
  } rows[] = {
      {"ffn.token_info_buf_size", ffn.token_info_buf_size, bytes.window},
      {"ffn.layer_ids_buf_size", ffn.layer_ids_buf_size, bytes.per_session},
      {"ffn.session_ids_buf_size", ffn.session_ids_buf_size, bytes.per_session},
      {"ffn.micro_batch_ids_buf_size", ffn.micro_batch_ids_buf_size, bytes.per_session},
      {"ffn.expert_ids_buf_size", ffn.expert_ids_buf_size, bytes.all_ids},
  };
  for (const auto& row : rows) {
    if (Status s = CheckSize(row.field, row.size, row.needed); !s.ok()) return s;
  }
  return {};
}

Status CheckPolling(const ScheduleContext::Common& common, const ScheduleContext::Ffn& ffn) {
  if (ffn.polling_index < common.micro_batch_num) return {};
  return Fail(kBad, "ffn.polling_index is {}, expected less than common.micro_batch_num = {}",
              ffn.polling_index, common.micro_batch_num);
}

Status CheckSchedule(const ScheduleContext::Common& common, const ScheduleContext::Ffn& ffn,
                     int32_t sync_group_size) {
  if (Status s = CheckPolling(common, ffn); !s.ok()) return s;
  const auto group_size = static_cast<uint32_t>(sync_group_size);
  if (group_size > common.session_num || common.session_num % group_size != 0) {
    return Fail(kBad, "syncGroupSize is {}, expected a divisor of common.session_num = {}",
                sync_group_size, common.session_num);
  }
  return {};
}

// A copy that stays one: without the barrier the compiler may read the shared memory again where
// the copy is used, after its value was checked.
template <class T>
T Snapshot(const T& shared) {
  T copy = shared;
  asm volatile("" : : "r"(&copy) : "memory");
  return copy;
}

Status CheckMicroBatch(const ScheduleContext::Common& common,
                       const ScheduleContext::Attention& attention) {
  if (attention.micro_batch_id < common.micro_batch_num) return {};
  return Fail(kBad,
              "attention.micro_batch_id is {}, expected less than common.micro_batch_num = {}",
              attention.micro_batch_id, common.micro_batch_num);
}

// The attention worker's flags, `count` of them.
Status CheckFlags(const ScheduleContext* context, const ScheduleContext::Attention& attention,
                  uint64_t count) {
  uint64_t bytes = 0;
  if (!Multiply(count, sizeof(int32_t), &bytes)) {
    return Fail(kBad, "{} flags exceed 2^64 bytes", count);
  }
  if (Status s = CheckGiven("attention.token_info_buf", attention.token_info_buf); !s.ok()) {
    return s;
  }
  if (Status s = CheckSize("attention.token_info_buf_size", attention.token_info_buf_size, bytes);
      !s.ok()) {
    return s;
  }
  const Range ranges[] = {
      ContextRange(context),
      {"attention.token_info_buf", attention.token_info_buf, bytes},
  };
  return CheckRanges(ranges);
}

int32_t* Ints(uint64_t address) { return reinterpret_cast<int32_t*>(address); }

}  // namespace

Status ReadFfnCall(const ScheduleContext* context, int32_t sync_group_size, FfnCall* call) {
  if (Status s = CheckAligned(context); !s.ok()) return s;
  const auto common = Snapshot(context->common);
  const auto ffn = Snapshot(context->ffn);
  if (Status s = CheckMode(common, kFfnMode); !s.ok()) return s;
  if (Status s = CheckCounts(common); !s.ok()) return s;
  if (Status s = CheckBuffersGiven(ffn); !s.ok()) return s;
  FfnBytes bytes;
  if (Status s = ComputeBytes(common, &bytes); !s.ok()) return s;
  if (Status s = CheckSizes(ffn, bytes); !s.ok()) return s;
  if (Status s = CheckSchedule(common, ffn, sync_group_size); !s.ok()) return s;
  const Range ranges[] = {
      ContextRange(context),
      {"ffn.token_info_buf", ffn.token_info_buf, bytes.window},
      {"ffn.layer_ids_buf", ffn.layer_ids_buf, bytes.per_session},
      {"ffn.session_ids_buf", ffn.session_ids_buf, bytes.per_session},
      {"ffn.micro_batch_ids_buf", ffn.micro_batch_ids_buf, bytes.per_session},
      {"ffn.expert_ids_buf", ffn.expert_ids_buf, bytes.all_ids},
  };
  if (Status s = CheckRanges(ranges); !s.ok()) return s;

  call->window = {reinterpret_cast<unsigned char*>(ffn.token_info_buf), common.session_num,
                  common.micro_batch_num, bytes.ids};
  call->outputs = {Ints(ffn.layer_ids_buf), Ints(ffn.session_ids_buf),
                   Ints(ffn.micro_batch_ids_buf),
                   reinterpret_cast<unsigned char*>(ffn.expert_ids_buf)};
  call->group_size = static_cast<uint64_t>(sync_group_size);
  call->polling_index = ffn.polling_index;
  return {};
}

Status ReadAttentionCall(const ScheduleContext* context, AttentionCall* call) {
  if (Status s = CheckAligned(context); !s.ok()) return s;
  const auto common = Snapshot(context->common);
  const auto attention = Snapshot(context->attention);
  if (Status s = CheckMode(common, kAttentionMode); !s.ok()) return s;
  if (Status s = CheckCount("micro_batch_num", common.micro_batch_num); !s.ok()) return s;
  if (Status s = CheckNotZero("micro_batch_size", common.micro_batch_size); !s.ok()) return s;
  if (Status s = CheckNotZero("selected_expert_num", common.selected_expert_num); !s.ok()) return s;
  if (Status s = CheckGiven("attention.token_info_buf", attention.token_info_buf); !s.ok()) {
    return s;
  }
  if (Status s = CheckGiven("attention.token_data_buf", attention.token_data_buf); !s.ok()) {
    return s;
  }
  const uint64_t count = uint64_t{common.micro_batch_size} * common.selected_expert_num;
  uint64_t flags = 0;
  if (!Multiply(count, common.micro_batch_num, &flags)) return Overflow("the flags", common);
  if (Status s = CheckFlags(context, attention, flags); !s.ok()) return s;
  if (Status s = CheckMicroBatch(common, attention); !s.ok()) return s;

  call->micro_batch = (attention.micro_batch_id + 1) % common.micro_batch_num;
  call->flags = Ints(attention.token_info_buf) + call->micro_batch * count;
  call->flag_count = count;
  return {};
}

Status SentRows::Check(uint64_t used) const {
  uint64_t bytes = 0;
  if (row_bytes < used) {
    return Fail(kBad, "common.attn_to_ffn_token_size is {}, expected at least the {} of a row",
                row_bytes, used);
  }
  if (!Multiply(sessions * micro_batches, ids(), &bytes) || !Multiply(bytes, row_bytes, &bytes)) {
    return Fail(kBad, "the token rows exceed 2^64: {} sessions, {} micro batches, {} rows of {}",
                sessions, micro_batches, ids(), row_bytes);
  }
  if (Status s = CheckGiven("ffn.token_data_buf", address); !s.ok()) return s;
  if (Status s = CheckSize("ffn.token_data_buf_size", size, bytes); !s.ok()) return s;
  const Range ranges[] = {{"ffn.token_data_buf", address, bytes, 1}};
  return CheckRanges(ranges);
}

namespace {

// `sessions` of these rows go to outputs of `most` rows.
Status CheckFits(const SentRows& rows, uint64_t sessions, uint64_t most) {
  uint64_t needed = 0;
  if (Multiply(sessions, rows.ids(), &needed) && needed <= most) return {};
  return Fail(kBad,
              "{} sessions of common.micro_batch_size = {} tokens and selected_expert_num = {} are "
              "listed, expected at most the {} rows of maxOutShape",
              sessions, rows.tokens, rows.experts, most);
}

Status ReadSentRows(const ScheduleContext::Common& common, const ScheduleContext::Ffn& ffn,
                    SentRows* rows) {
  const struct {
    const char* field;
    uint32_t value;
    uint32_t most;
  } limits[] = {{"session_num", common.session_num, 1024},
                {"micro_batch_num", common.micro_batch_num, 64},
                {"micro_batch_size", common.micro_batch_size, INT32_MAX},
                {"selected_expert_num", common.selected_expert_num, 64}};
  for (const auto& limit : limits) {
    if (limit.value >= 1 && limit.value <= limit.most) continue;
    return Fail(kBad, "common.{} is {}, expected 1 to {}", limit.field, limit.value, limit.most);
  }
  *rows = {ffn.token_data_buf,           ffn.token_data_buf_size, common.session_num,
           common.micro_batch_num,       common.micro_batch_size, common.selected_expert_num,
           common.attn_to_ffn_token_size};
  return {};
}

}  // namespace

Status ReadListedCall(const ScheduleContext* context, uint64_t most, ListedCall* call) {
  if (Status s = CheckAligned(context); !s.ok()) return s;
  const auto common = Snapshot(context->common);
  const auto ffn = Snapshot(context->ffn);
  if (Status s = ReadSentRows(common, ffn, &call->rows); !s.ok()) return s;
  // Nothing is listed before the first scheduler's call: no buffer need be there.
  if (ffn.out_num == 0) return {};
  if (ffn.out_num > common.session_num) {
    return Fail(kBad, "ffn.out_num is {}, expected at most common.session_num = {}", ffn.out_num,
                common.session_num);
  }
  if (Status s = CheckFits(call->rows, ffn.out_num, most); !s.ok()) return s;
  const uint64_t listed = ffn.out_num * sizeof(int32_t);
  const uint64_t ids = listed * call->rows.ids();
  const struct {
    const char* field;
    const char* size_field;
    uint64_t address;
    uint64_t size;
    uint64_t needed;
  } rows[] = {
      {"ffn.session_ids_buf", "ffn.session_ids_buf_size", ffn.session_ids_buf,
       ffn.session_ids_buf_size, listed},
      {"ffn.micro_batch_ids_buf", "ffn.micro_batch_ids_buf_size", ffn.micro_batch_ids_buf,
       ffn.micro_batch_ids_buf_size, listed},
      {"ffn.expert_ids_buf", "ffn.expert_ids_buf_size", ffn.expert_ids_buf, ffn.expert_ids_buf_size,
       ids},
  };
  for (const auto& row : rows) {
    if (Status s = CheckGiven(row.field, row.address); !s.ok()) return s;
    if (Status s = CheckSize(row.size_field, row.size, row.needed); !s.ok()) return s;
    const Range range = {row.field, row.address, row.needed};
    if (Status s = CheckRanges({&range, 1}); !s.ok()) return s;
  }
  call->count = ffn.out_num;
  call->sessions = Ints(ffn.session_ids_buf);
  call->micro_batches = Ints(ffn.micro_batch_ids_buf);
  call->ids = Ints(ffn.expert_ids_buf);
  return {};
}

Status ReadReceivedCall(const ScheduleContext* context, uint64_t most, ReceivedCall* call) {
  if (Status s = CheckAligned(context); !s.ok()) return s;
  const auto common = Snapshot(context->common);
  const auto ffn = Snapshot(context->ffn);
  if (Status s = ReadSentRows(common, ffn, &call->rows); !s.ok()) return s;
  if (Status s = CheckFits(call->rows, common.session_num, most); !s.ok()) return s;
  if (Status s = CheckGiven("ffn.token_info_buf", ffn.token_info_buf); !s.ok()) return s;
  FfnBytes bytes;
  if (Status s = ComputeBytes(common, &bytes); !s.ok()) return s;
  if (Status s = CheckSize("ffn.token_info_buf_size", ffn.token_info_buf_size, bytes.window);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckPolling(common, ffn); !s.ok()) return s;
  const Range ranges[] = {ContextRange(context),
                          {"ffn.token_info_buf", ffn.token_info_buf, bytes.window}};
  if (Status s = CheckRanges(ranges); !s.ok()) return s;
  call->window = {reinterpret_cast<unsigned char*>(ffn.token_info_buf), common.session_num,
                  common.micro_batch_num, bytes.ids};
  call->polling_index = ffn.polling_index;
  return {};
}

Status ReadCombineCall(const ScheduleContext* context, const CombineShape& shape,
                       CombineCall* call) {
  if (Status s = CheckAligned(context); !s.ok()) return s;
  const auto common = Snapshot(context->common);
  const auto attention = Snapshot(context->attention);
  if (Status s = CheckCount("micro_batch_num", common.micro_batch_num); !s.ok()) return s;
  if (shape.tokens > common.micro_batch_size) {
    return Fail(kBad, "common.micro_batch_size is {}, expected at least the {} tokens of y",
                common.micro_batch_size, shape.tokens);
  }
  constexpr uint64_t kMaxShared = 4;
  const uint64_t experts = common.selected_expert_num;
  if (experts < shape.chosen || experts > shape.chosen + kMaxShared || experts == 0) {
    return Fail(
        kBad,
        "common.selected_expert_num is {}, expected expertScales.shape[1] = {} and up to {} "
        "shared experts",
        experts, shape.chosen, kMaxShared);
  }
  if (Status s = CheckMicroBatch(common, attention); !s.ok()) return s;
  const uint64_t count = common.micro_batch_size * experts;  // below 2^39
  uint64_t rows = 0, bytes = 0;
  if (!Multiply(count, common.micro_batch_num, &rows) || !Multiply(rows, shape.row_bytes, &bytes)) {
    return Overflow("the token rows", common);
  }
  if (Status s = CheckGiven("attention.token_data_buf", attention.token_data_buf); !s.ok()) {
    return s;
  }
  if (Status s = CheckSize("attention.token_data_buf_size", attention.token_data_buf_size, bytes);
      !s.ok()) {
    return s;
  }
  const Range data[] = {
      {"attention.token_data_buf", attention.token_data_buf, bytes, sizeof(int16_t)}};
  if (Status s = CheckRanges(data); !s.ok()) return s;
  call->experts = experts;
  call->micro_batch = attention.micro_batch_id;
  call->flag_count = count;
  if (shape.waits) {
    if (Status s = CheckFlags(context, attention, rows); !s.ok()) return s;
    call->micro_batch = (attention.micro_batch_id + 1) % common.micro_batch_num;
    call->flags = Ints(attention.token_info_buf) + call->micro_batch * count;
  }
  call->rows = reinterpret_cast<const char*>(attention.token_data_buf) +
               call->micro_batch * count * shape.row_bytes;
  return {};
}

}  // namespace anyacl::afd
