// SPDX-License-Identifier: Apache-2.0
#include "runtime/shared_records.h"

#include <sys/mman.h>

#include <array>
#include <new>

#include "acl/acl_rt.h"

namespace anyacl {
namespace {

constexpr uint32_t kRecordMagic = 0x65766e74;  // "evnt"
constexpr size_t kBytes = 4096;

}  // namespace

// Of every kSlots-th recording the newest that is complete: one that is so much older than the last
// is taken for complete with it.
struct SharedRecords::State {
  static constexpr uint32_t kSlots = 1000;

  uint32_t magic = kRecordMagic;
  EventCount changes;
  std::atomic<uint32_t> last{0};
  std::array<std::atomic<uint32_t>, kSlots> completed{};
};

Status SharedRecords::New(int32_t device, std::shared_ptr<SharedRecords>* records) {
  static_assert(sizeof(State) <= kBytes);
  std::shared_ptr<SharedExtent> extent = SharedExtent::New(kBytes, device);
  void* bytes = extent == nullptr ? nullptr : extent->Map(nullptr, kBytes);
  if (bytes == nullptr) {
    return Fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the system has no shared memory");
  }
  records->reset(new SharedRecords(std::move(extent), new (bytes) State));
  return {};
}

Status SharedRecords::Import(uint64_t token, std::shared_ptr<SharedRecords>* records) {
  std::shared_ptr<SharedExtent> extent;
  if (Status s = SharedExtent::Import(token, &extent); !s.ok()) return s;
  void* bytes = extent->size() == kBytes ? extent->Map(nullptr, kBytes) : nullptr;
  if (bytes != nullptr && static_cast<State*>(bytes)->magic == kRecordMagic) {
    records->reset(new SharedRecords(std::move(extent), static_cast<State*>(bytes)));
    return {};
  }
  if (bytes != nullptr) munmap(bytes, kBytes);
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "shared memory {:#x} is no event", token);
}

SharedRecords::~SharedRecords() { munmap(static_cast<void*>(state_), kBytes); }

uint32_t SharedRecords::Issue() { return state_->last.fetch_add(1, std::memory_order_acq_rel) + 1; }

uint32_t SharedRecords::last() const { return state_->last.load(std::memory_order_acquire); }

void SharedRecords::Complete(uint32_t number) {
  std::atomic<uint32_t>& newest = state_->completed[number % State::kSlots];
  uint32_t known = newest.load(std::memory_order_acquire);
  while (static_cast<int32_t>(number - known) > 0) {
    if (!newest.compare_exchange_weak(known, number, std::memory_order_acq_rel)) continue;
    state_->changes.WakeAll();
    return;
  }
}

bool SharedRecords::IsComplete(uint32_t number) const {
  const uint32_t newest = state_->completed[number % State::kSlots].load(std::memory_order_acquire);
  return static_cast<int32_t>(newest - number) >= 0;
}

SharedRecords::Wait SharedRecords::Await(uint32_t number, const StopToken* stop,
                                         std::optional<EventCount::Clock::time_point> end) {
  for (;;) {
    const uint32_t seen = state_->changes.Look();
    if (IsComplete(number)) return Wait::kDone;
    if (stop != nullptr && stop->Requested()) return Wait::kStopped;
    if (end && EventCount::Clock::now() >= *end) return Wait::kTimeout;
    state_->changes.Sleep(seen, end);
  }
}

void SharedRecords::WakeAll() { state_->changes.WakeAll(); }

Status SharedWaitTask::Run(const StopToken& stop) {
  std::optional<EventCount::Clock::time_point> end;
  if (timeout_s_ > 0) end = EventCount::Clock::now() + std::chrono::seconds(timeout_s_);
  switch (records_->Await(number_, &stop, end)) {
    case SharedRecords::Wait::kTimeout:
      return Fail(ACL_ERROR_RT_WAIT_TIMEOUT, "the event is not complete after {} s", timeout_s_);
    case SharedRecords::Wait::kStopped:
      return Fail(ACL_ERROR_RT_STREAM_ABORT, "the wait was ended");
    case SharedRecords::Wait::kDone:
      break;
  }
  return {};
}

}  // namespace anyacl
