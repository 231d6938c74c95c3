// SPDX-License-Identifier: Apache-2.0
// What the workers of the pipeline agree on: who is which rank, and what lies where in the windows
// through which they exchange micro batches.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../afd/schedule_context.h"
#include "hccl/hccl.h"
#include "model.h"

// Ranks: attention workers, then FFN workers.
struct Pipeline {
  int64_t attention = 2;
  int64_t ffn = 2;
  int64_t steps = 64;
  bool log = false;  // a line for each step

  int64_t rank = 0;
  aclrtStream stream = nullptr;
  HcclComm comm = nullptr;
  std::string group;  // the communicator's name, by which operators find it

  int64_t ranks() const { return attention + ffn; }

  // Routed experts go round the FFN workers; each worker has all shared ones.
  std::vector<int64_t> ExpertsOf(int64_t worker) const {
    std::vector<int64_t> experts;
    for (int64_t e = worker; e < kRouted; e += ffn) experts.push_back(e);
    for (int64_t e = kRouted; e < kExperts; ++e) experts.push_back(e);
    return experts;
  }
  // For each expert the number of its ranks, then rank and local id of each, padded to the longest.
  std::vector<int32_t> RankTable() const {
    std::vector<int32_t> table;
    for (int64_t e = 0; e < kExperts; ++e) {
      const size_t row = table.size();
      table.resize(row + static_cast<size_t>(1 + 2 * ffn), 0);
      for (int64_t worker = 0; worker < ffn; ++worker) {
        const std::vector<int64_t> experts = ExpertsOf(worker);
        for (size_t id = 0; id < experts.size(); ++id) {
          if (experts[id] != e) continue;
          const auto entry = row + 1 + 2 * static_cast<size_t>(table[row]++);
          table[entry] = static_cast<int32_t>(attention + worker);
          table[entry + 1] = static_cast<int32_t>(id);
        }
      }
    }
    return table;
  }
};

// The windows. Tables of flags come first, rows of tokens behind them.
constexpr int64_t kIds = kTokens * kRows;  // rows of a micro batch
constexpr int64_t kRowBytes = kHidden * 2;
constexpr int64_t BehindTable(int64_t bytes) { return (bytes + 511) / 512 * 512; }

inline uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// int32 flags[kMicroBatches][kTokens][kRows], rows in the same order.
class AttentionWindow {
 public:
  AttentionWindow()
      : memory_(ACL_INT8, {kBytes}, std::vector<int8_t>(kBytes, 0)), context_(ACL_INT8, {1024}) {
    ScheduleContext context;
    std::memset(&context, 0, sizeof(context));
    context.common.session_num = 1;
    context.common.micro_batch_num = kMicroBatches;
    context.common.micro_batch_size = kTokens;
    context.common.selected_expert_num = kRows;
    context.common.schedule_mode = 1;
    context.control.run_flag = 1;
    context.attention.token_info_buf = Address(memory_.data());
    context.attention.token_info_buf_size = kTable;
    context.attention.token_data_buf = Address(Rows(0));
    context.attention.token_data_buf_size = kBytes - kTable;
    context.attention.micro_batch_id = kMicroBatches - 1;  // so 0 is the next
    Check(aclrtMemcpy(context_.data(), 1024, &context, 1024, ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy of the context");
  }

  static constexpr int64_t kTable = BehindTable(4 * kMicroBatches * kIds);
  static constexpr int64_t kBytes = kTable + kMicroBatches * kIds * kRowBytes;
  void* data() const { return memory_.data(); }
  void* Rows(int64_t m) const {
    return static_cast<char*>(memory_.data()) + kTable + m * kIds * kRowBytes;
  }
  const DeviceTensor& context() const { return context_; }

 private:
  DeviceTensor memory_;
  DeviceTensor context_;
};

// int32 {flag, layer, ids[kTokens][kRows]} [workers][kMicroBatches], then the rows of each.
class FfnWindow {
 public:
  explicit FfnWindow(int64_t workers)
      : table_(BehindTable(4 * workers * kMicroBatches * (2 + kIds))),
        bytes_(table_ + workers * kMicroBatches * kIds * kRowBytes),
        memory_(ACL_INT8, {bytes_}, std::vector<int8_t>(static_cast<size_t>(bytes_), 0)),
        context_(ACL_INT8, {1024}),
        layers_(ACL_INT32, {workers}),
        sessions_(ACL_INT32, {workers}),
        micro_batches_(ACL_INT32, {workers}),
        ids_(ACL_INT32, {workers, kIds}) {
    // Nothing has come: no flag, no layer, and ids of no expert.
    std::vector<int32_t> slots;
    for (int64_t slot = 0; slot < workers * kMicroBatches; ++slot) {
      slots.insert(slots.end(), 2, 0);
      slots.insert(slots.end(), kIds, INT32_MAX);
    }
    Upload(memory_, slots);
    ScheduleContext context;
    std::memset(&context, 0, sizeof(context));
    context.common.session_num = static_cast<uint32_t>(workers);
    context.common.micro_batch_num = kMicroBatches;
    context.common.micro_batch_size = kTokens;
    context.common.selected_expert_num = kRows;
    context.common.attn_to_ffn_token_size = kRowBytes;
    context.common.ffn_to_attn_token_size = kRowBytes;
    context.control.run_flag = 1;
    context.ffn.token_info_buf = Address(memory_.data());
    context.ffn.token_info_buf_size = static_cast<uint64_t>(table_);
    context.ffn.token_data_buf = Address(memory_.data()) + static_cast<uint64_t>(table_);
    context.ffn.token_data_buf_size = static_cast<uint64_t>(bytes_ - table_);
    context.ffn.layer_ids_buf = Address(layers_.data());
    context.ffn.session_ids_buf = Address(sessions_.data());
    context.ffn.micro_batch_ids_buf = Address(micro_batches_.data());
    context.ffn.expert_ids_buf = Address(ids_.data());
    context.ffn.layer_ids_buf_size = context.ffn.session_ids_buf_size =
        context.ffn.micro_batch_ids_buf_size = 4 * static_cast<uint64_t>(workers);
    context.ffn.expert_ids_buf_size = 4 * static_cast<uint64_t>(workers) * kIds;
    Check(aclrtMemcpy(context_.data(), 1024, &context, 1024, ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy of the context");
  }

  void* data() const { return memory_.data(); }
  int64_t bytes() const { return bytes_; }
  const DeviceTensor& context() const { return context_; }
  const DeviceTensor& layers() const { return layers_; }  // of the micro batches that were taken

 private:
  const int64_t table_;
  const int64_t bytes_;
  DeviceTensor memory_;
  DeviceTensor context_;
  DeviceTensor layers_, sessions_, micro_batches_, ids_;
};

// Makes `bytes` at `window` this rank's window and meets the ranks from `first` on, `count` of
// them. Returns when they have theirs ready, too.
inline void ShareWindow(const Pipeline& pipeline, void* window, int64_t bytes, int64_t first,
                        int64_t count) {
  void* handle = nullptr;
  Check(HcclCommRegister(pipeline.comm, window, static_cast<uint64_t>(bytes), &handle, 0),
        "HcclCommRegister");
  std::vector<uint32_t> peers;
  for (int64_t i = 0; i < count; ++i) peers.push_back(static_cast<uint32_t>(first + i));
  Check(HcclCommExchangeMem(pipeline.comm, handle, peers.data(), static_cast<uint32_t>(count)),
        "HcclCommExchangeMem");
}

// Seconds since the last look.
class Clock {
 public:
  float Lap() {
    const auto now = std::chrono::steady_clock::now();
    const float seconds = std::chrono::duration<float>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// What a worker reports, to be added up: what attention workers have made in how many seconds, and
// the seconds of the stages of attention workers, then of FFN workers.
enum Figure {
  kTokensMade,
  kSeconds,
  kAttending,
  kSending,
  kAwaiting,
  kCombining,
  kScheduling,
  kBatching,
  kComputing,
  kReturning,
  kFigures
};
using Figures = std::vector<float>;

// What a micro batch's sequences are at after a step.
struct Decoded {
  std::vector<int32_t> tokens;
  std::vector<aclFloat16> hidden;  // from which the tokens were chosen
  std::vector<float> gain;         // what the last norm has learnt
};

// The same decoder in one process. Result [step * kMicroBatches + m].
std::vector<Decoded> DecodeAlone(int64_t worker, int64_t steps, aclrtStream stream);

// The two sides of the pipeline. An attention worker ends the program if one bit of what it decodes
// is not that of `alone`, which repeats after kPeriod steps.
Figures RunAttentionWorker(const Pipeline& pipeline, const std::vector<Decoded>& alone);
Figures RunFfnWorker(const Pipeline& pipeline);
