// SPDX-License-Identifier: Apache-2.0
// A worker as tests need it: a context with its buffers in guarded memory, producers' stores, and
// calls of the scheduler.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "reference/ffn_worker_scheduler.h"
#include "support/device_test.h"

namespace anyacl::test {

inline constexpr int kContextError = 507018;
inline constexpr int kTimeoutError = 507017;
inline constexpr int kAborted = 107023;
inline constexpr int kSyncTimeout = 507046;
inline constexpr int32_t kEmptyId = 2139062143;

// Where the fields of a context are, in bytes.
struct Field {
  const char* name;
  size_t offset;
  size_t bytes;
};
namespace field {
inline constexpr Field kSessionNum{"session_num", 0, 4};
inline constexpr Field kMicroBatchNum{"micro_batch_num", 4, 4};
inline constexpr Field kMicroBatchSize{"micro_batch_size", 8, 4};
inline constexpr Field kSelectedExpertNum{"selected_expert_num", 12, 4};
inline constexpr Field kScheduleMode{"schedule_mode", 28, 4};
inline constexpr Field kRunFlag{"run_flag", 128, 4};
inline constexpr Field kAttentionInfo{"token_info_buf", 256, 8};
inline constexpr Field kAttentionInfoSize{"token_info_buf_size", 264, 8};
inline constexpr Field kAttentionData{"token_data_buf", 272, 8};
inline constexpr Field kAttentionDataSize{"token_data_buf_size", 280, 8};
inline constexpr Field kMicroBatchId{"micro_batch_id", 288, 4};
inline constexpr Field kTokenInfo{"token_info_buf", 384, 8};
inline constexpr Field kTokenInfoSize{"token_info_buf_size", 392, 8};
inline constexpr Field kTokenData{"token_data_buf", 400, 8};
inline constexpr Field kTokenDataSize{"token_data_buf_size", 408, 8};
inline constexpr Field kPollingIndex{"polling_index", 416, 8};
inline constexpr Field kLayerIds{"layer_ids_buf", 512, 8};
inline constexpr Field kLayerIdsSize{"layer_ids_buf_size", 520, 8};
inline constexpr Field kSessionIds{"session_ids_buf", 528, 8};
inline constexpr Field kSessionIdsSize{"session_ids_buf_size", 536, 8};
inline constexpr Field kMicroBatchIds{"micro_batch_ids_buf", 544, 8};
inline constexpr Field kMicroBatchIdsSize{"micro_batch_ids_buf_size", 552, 8};
inline constexpr Field kExpertIds{"expert_ids_buf", 560, 8};
inline constexpr Field kExpertIdsSize{"expert_ids_buf_size", 568, 8};
inline constexpr Field kOutNum{"out_num", 576, 4};
}  // namespace field
// Every field that an FFN call reads or writes.
extern const std::vector<Field> kFfnFields;

// Device memory with guards around it.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t size) : memory_(size + 2 * kGuard), size_(size) {}
  uint8_t* data() const { return memory_.data() + kGuard; }
  int32_t* ints() const { return reinterpret_cast<int32_t*>(data()); }
  size_t size() const { return size_; }
  bool GuardsIntact() const;

 private:
  static constexpr size_t kGuard = 64;
  DeviceBuffer memory_;
  size_t size_;
};

struct FfnShape {
  uint32_t sessions = 2;
  uint32_t micro_batches = 2;
  uint32_t batch = 2;
  uint32_t experts = 5;

  size_t ids() const { return size_t{batch} * experts; }
  size_t slot_ints() const { return 2 + ids(); }
  size_t window_bytes() const { return 4 * slot_ints() * sessions * micro_batches; }
};

// The i-th id that a producer writes in its sequence-th round.
int32_t IdOf(uint32_t session, uint32_t micro_batch, int32_t sequence, size_t i);

class FfnWorker {
 public:
  // Slots are empty, with the ids that clients begin with. `window`, if given, is memory
  // of the caller, for example shared with other processes.
  explicit FfnWorker(const FfnShape& shape, int32_t* window = nullptr);
  ~FfnWorker();
  FfnWorker(const FfnWorker&) = delete;
  FfnWorker& operator=(const FfnWorker&) = delete;

  const FfnShape& shape() const { return shape_; }
  aclTensor* tensor() const { return tensor_; }
  uint8_t* context() const { return context_.data(); }

  uint64_t Get(const Field& field) const;
  void Set(const Field& field, uint64_t value);
  // As another thread does during a call.
  void SetRunFlag(int32_t value);
  // True once a call that began after ResetOutNum() waits or has ended.
  void ResetOutNum() { Set(field::kOutNum, 9); }
  void AwaitStart() const;

  int32_t* Slot(uint32_t session, uint32_t micro_batch) const;
  int32_t Flag(uint32_t session, uint32_t micro_batch) const;
  // Ids, layer, then the flag with release. The slot must be free.
  void Publish(uint32_t session, uint32_t micro_batch, int32_t layer, int32_t flag = 1);
  void PublishAll(int32_t layer);

  const int32_t* layer_ids() const { return layer_ids_.ints(); }
  const int32_t* session_ids() const { return session_ids_.ints(); }
  const int32_t* micro_batch_ids() const { return micro_batch_ids_.ints(); }
  const int32_t* expert_ids() const { return expert_ids_.ints(); }
  uint32_t out_num() const { return static_cast<uint32_t>(Get(field::kOutNum)); }

  // Both phases without a wait.
  aclnnStatus Launch(int32_t sync_group_size, aclrtStream stream) const;
  // Both phases and the wait; the code of the first that fails.
  int Run(int32_t sync_group_size, aclrtStream stream) const;

  // Every byte of context and buffers.
  std::vector<uint8_t> Bytes() const;
  bool GuardsIntact() const;
  // As the reference sees it, with the sizes that the context names.
  FfnState State() const;

 private:
  FfnShape shape_;
  GuardedBuffer context_;
  GuardedBuffer own_window_;
  GuardedBuffer token_data_;
  GuardedBuffer layer_ids_;
  GuardedBuffer session_ids_;
  GuardedBuffer micro_batch_ids_;
  GuardedBuffer expert_ids_;
  int32_t* window_;
  aclTensor* tensor_;
};

class FfnTest : public DeviceTest {
 protected:
  void TearDown() override;

  // The call fails with 507018 and such a message, and leaves every byte as it was.
  void ExpectRefusedLater(const FfnWorker& worker, int32_t sync_group_size,
                          std::initializer_list<std::string_view> words);
  // The call does what the reference does.
  void ExpectAsReference(FfnWorker& worker, int32_t sync_group_size, bool fair = false);
};

}  // namespace anyacl::test
