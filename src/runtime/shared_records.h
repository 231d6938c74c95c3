// SPDX-License-Identifier: Apache-2.0
// SharedRecords: the recordings of an event made with ACL_EVENT_IPC, in memory that several
// processes share. The n-th recording has number n, whoever makes it.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"
#include "runtime/event_count.h"
#include "runtime/shared_extent.h"
#include "runtime/task.h"

namespace anyacl {

class SharedRecords {
 public:
  static Status New(int32_t device, std::shared_ptr<SharedRecords>* records);
  static Status Import(uint64_t token, std::shared_ptr<SharedRecords>* records);
  ~SharedRecords();
  SharedRecords(const SharedRecords&) = delete;
  SharedRecords& operator=(const SharedRecords&) = delete;

  Status Export(uint64_t* token) { return extent_->Export(true, token); }

  // Begins a recording.
  uint32_t Issue();
  // The last one that was begun; 0: none.
  uint32_t last() const;
  void Complete(uint32_t number);
  bool IsComplete(uint32_t number) const;

  enum class Wait { kDone, kTimeout, kStopped };
  Wait Await(uint32_t number, const StopToken* stop,
             std::optional<EventCount::Clock::time_point> end);
  void WakeAll();

 private:
  struct State;

  SharedRecords(std::shared_ptr<SharedExtent> extent, State* state)
      : extent_(std::move(extent)), state_(state) {}

  const std::shared_ptr<SharedExtent> extent_;
  State* const state_;
};

// The stream's part of a recording. What is dropped from the stream counts as complete: another
// process could not learn of it.
class SharedRecordTask final : public Task {
 public:
  SharedRecordTask(std::shared_ptr<SharedRecords> records, uint32_t number)
      : Task(TaskKind::kMark, "aclrtRecordEvent"), records_(std::move(records)), number_(number) {}
  // A forked child gives up the queue of its parent, whose tasks they stay.
  ~SharedRecordTask() override {
    if (getpid() == holder_) records_->Complete(number_);
  }
  Status Run(const StopToken&) override {
    records_->Complete(number_);
    return {};
  }

 private:
  const std::shared_ptr<SharedRecords> records_;
  const uint32_t number_;
  const pid_t holder_ = getpid();
};

class SharedWaitTask final : public Task {
 public:
  SharedWaitTask(std::shared_ptr<SharedRecords> records, uint32_t number, uint32_t timeout_s)
      : Task(TaskKind::kWait, "aclrtStreamWaitEvent"),
        records_(std::move(records)),
        number_(number),
        timeout_s_(timeout_s) {}
  Status Run(const StopToken& stop) override;
  void Wake() override { records_->WakeAll(); }

 private:
  const std::shared_ptr<SharedRecords> records_;
  const uint32_t number_;
  const uint32_t timeout_s_;
};

}  // namespace anyacl
