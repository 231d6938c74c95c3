// SPDX-License-Identifier: Apache-2.0
#include "runtime/event.h"

#include <chrono>

#include "acl/acl_rt.h"
#include "runtime/device.h"

namespace anyacl {
namespace {

int64_t NowUs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace

EventTable& Events() {
  static EventTable* table = EventTable::NewGlobal();
  return *table;
}
[[maybe_unused]] static const bool kMadeAtLoad = (Events(), true);

Event::Event(EventKind kind, uint32_t flags, int32_t device)
    : kind_(kind), flags_(flags), device_(device), resets_(ResetsSoFar()), id_([] {
        static std::atomic<uint32_t> next{0};
        return next.fetch_add(1);
      }()) {}

Status Event::RecordOn(const std::shared_ptr<Stream>& stream) {
  auto record = std::make_shared<Record>();
  record->stream = stream;
  if (stream->Idle()) {
    record->time_us = NowUs();
  } else {
    auto stamp = [record]() -> Status {
      record->time_us = NowUs();
      return {};
    };
    auto task =
        std::make_shared<FunctionTask<decltype(stamp)>>(TaskKind::kMark, "aclrtRecordEvent", stamp);
    if (Status s = stream->Enqueue(std::move(task), &record->ticket); !s.ok()) return s;
  }
  {
    std::lock_guard lock(mutex_);
    record_ = std::move(record);
  }
  recorded_.notify_all();
  return {};
}

Event::RecordPtr Event::record() const {
  std::lock_guard lock(mutex_);
  return record_;
}

class Event::WaitTask final : public Task {
 public:
  WaitTask(std::shared_ptr<Event> event, RecordPtr record, int32_t device)
      : Task(TaskKind::kWait, "aclrtStreamWaitEvent"),
        event_(std::move(event)),
        record_(std::move(record)),
        device_(device) {
    ++event_->pending_waits_;
  }
  ~WaitTask() override { --event_->pending_waits_; }

  Status Run(const StopToken& stop) override {
    const RecordPtr record = AwaitRecord(stop);
    if (record != nullptr && record->stream->WaitAsTask(record->ticket, device_, stop)) return {};
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "the wait for event {} was ended", event_->id());
  }

  void Wake() override {
    RecordPtr record;
    {
      std::lock_guard lock(event_->mutex_);
      record = record_;
    }
    event_->recorded_.notify_all();
    if (record != nullptr) record->stream->WakeWaiters();
  }

 private:
  RecordPtr AwaitRecord(const StopToken& stop) {
    std::unique_lock lock(event_->mutex_);
    if (record_ == nullptr) {
      event_->recorded_.wait(lock, [&] { return event_->record_ != nullptr || stop.Requested(); });
      record_ = event_->record_;
    }
    return record_;
  }

  const std::shared_ptr<Event> event_;
  RecordPtr record_;  // guarded by the event's mutex
  const int32_t device_;
};

Status Event::MakeWait(const std::shared_ptr<Stream>& stream) {
  const RecordPtr record = this->record();
  if (record == nullptr && kind_ == EventKind::kEx) return {};  // nothing captured yet
  if (record != nullptr && (record->stream == stream || record->IsDone())) return {};
  return stream->Enqueue(std::make_shared<WaitTask>(shared_from_this(), record, stream->device()));
}

Status Event::ResetOn(const std::shared_ptr<Stream>& stream) {
  auto reset = [self = shared_from_this(), known = record()]() -> Status {
    std::lock_guard lock(self->mutex_);
    if (self->record_ == known) self->record_ = nullptr;
    return {};
  };
  return stream->Enqueue(
      std::make_shared<FunctionTask<decltype(reset)>>(TaskKind::kMark, "aclrtResetEvent", reset));
}

}  // namespace anyacl
