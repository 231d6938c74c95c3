// SPDX-License-Identifier: Apache-2.0
#include "runtime/event.h"

#include <chrono>
#include <utility>

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
[[maybe_unused]] static const bool kEventMadeAtLoad = (Events(), true);

Event::Event(EventKind kind, uint32_t flags, int32_t device, const void* context,
             std::shared_ptr<SharedRecords> shared)
    : kind_(kind),
      flags_(flags),
      device_(device),
      context_(context),
      resets_(ResetsSoFar()),
      id_([] {
        static std::atomic<uint32_t> next{0};
        return next.fetch_add(1);
      }()),
      flag_((flags & ACL_EVENT_EXTERNAL) != 0 ? std::make_shared<Flag>() : nullptr),
      shared_(std::move(shared)) {}

bool Event::CanBeWaitedFor() const {
  return kind_ == EventKind::kPlain || (flags_ & ACL_EVENT_SYNC) != 0 || flag_ != nullptr ||
         shared_ != nullptr;
}

// Waits for `record`, or if that is null for the first recording from now on: a later one may stand
// behind a wait for the first.
class Event::WaitTask final : public Task {
 public:
  WaitTask(std::shared_ptr<Event> event, RecordPtr record, const Stream& stream, uint32_t timeout_s)
      : Task(TaskKind::kWait, "aclrtStreamWaitEvent"),
        event_(std::move(event)),
        wants_next_(record == nullptr),
        record_(std::move(record)),
        stream_(&stream),
        device_(stream.device()),
        timeout_s_(timeout_s) {
    ++event_->pending_waits_;
  }
  // May come with the stream's lock held, and in a forked child: takes no lock.
  ~WaitTask() override { --event_->pending_waits_; }

  // Called with the event's lock held.
  void Resolve(const RecordPtr& record) { record_ = record; }

  Status Run(const StopToken& stop) override {
    End end;
    if (timeout_s_ > 0) end = Clock::now() + std::chrono::seconds(timeout_s_);
    RecordPtr record;
    bool timed_out = false;
    {
      std::unique_lock lock(event_->mutex_);
      const auto over = [&] {
        return record_ != nullptr || event_->handle_ended_ || stop.Requested();
      };
      if (end) {
        timed_out = !event_->recorded_.wait_until(lock, *end, over);
      } else {
        event_->recorded_.wait(lock, over);
      }
      record = record_;
    }
    if (timed_out) return FailTimeout();
    if (record == nullptr && !stop.Requested()) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "event {} was destroyed before it was recorded, expected aclrtRecordEvent before",
                  event_->id());
    }
    // What comes later in this stream cannot be waited for here.
    if (record != nullptr && wants_next_ && record->stream.get() == stream_) return {};
    if (record != nullptr && record->stream->WaitAsTask(record->ticket, device_, stop, end)) {
      return {};
    }
    if (end && !stop.Requested()) return FailTimeout();
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "the wait for event {} was ended", event_->id());
  }

  // Of other kinds of events a program may ask whether the waits for them are over.
  bool MayRest() const override {
    return timeout_s_ == 0 && event_->kind_ == EventKind::kEx && Known() != nullptr;
  }

  bool IsOver() const override {
    const RecordPtr record = Known();
    return record != nullptr && record->IsDone();
  }

  void Wake() override {
    const RecordPtr record = Known();
    event_->recorded_.notify_all();
    if (record != nullptr) record->stream->WakeWaiters();
  }

 private:
  using Clock = std::chrono::steady_clock;
  using End = std::optional<Clock::time_point>;

  RecordPtr Known() const {
    std::lock_guard lock(event_->mutex_);
    return record_;
  }

  Status FailTimeout() const {
    return Fail(ACL_ERROR_RT_WAIT_TIMEOUT, "event {} is not complete after {} s", event_->id(),
                timeout_s_);
  }

  const std::shared_ptr<Event> event_;
  const bool wants_next_;
  RecordPtr record_;            // guarded by the event's mutex
  const Stream* const stream_;  // the one that waits; only to be compared
  const int32_t device_;
  const uint32_t timeout_s_;
};

Status Event::RecordOn(const std::shared_ptr<Stream>& stream) {
  if (flag_ != nullptr) {
    auto set = [flag = flag_]() -> Status {
      flag->Set();
      return {};
    };
    return stream->Enqueue(MakeTask(TaskKind::kMark, "aclrtRecordEvent", set));
  }
  if (shared_ != nullptr) {
    return stream->Enqueue(std::make_shared<SharedRecordTask>(shared_, shared_->Issue()));
  }
  auto record = std::make_shared<Record>();
  record->stream = stream;
  if (stream->Idle()) {
    record->time_us = NowUs();
  } else {
    auto stamp = [record]() -> Status {
      record->time_us = NowUs();
      return {};
    };
    auto task = MakeTask(TaskKind::kMark, "aclrtRecordEvent", stamp);
    if (Status s = stream->Enqueue(std::move(task), &record->ticket); !s.ok()) return s;
  }
  {
    std::lock_guard lock(mutex_);
    for (const std::weak_ptr<WaitTask>& known : unresolved_) {
      if (const std::shared_ptr<WaitTask> wait = known.lock()) wait->Resolve(record);
    }
    unresolved_.clear();
    record_ = std::move(record);
    reset_issued_ = false;
    reset_reached_ = false;
  }
  recorded_.notify_all();
  return {};
}

Event::RecordPtr Event::record() const {
  std::lock_guard lock(mutex_);
  return record_;
}

bool Event::IsRecordedAndDone() const {
  if (flag_ != nullptr) return flag_->IsSet();
  if (shared_ != nullptr) {
    const uint32_t last = shared_->last();
    return last == 0 || shared_->IsComplete(last);
  }
  RecordPtr record;
  {
    std::lock_guard lock(mutex_);
    if (record_ == nullptr || reset_reached_) return kind_ == EventKind::kEx;
    record = record_;
  }
  return record->IsDone();
}

Status Event::MakeWait(const std::shared_ptr<Stream>& stream, uint32_t timeout_s) {
  if (flag_ != nullptr) {
    return stream->Enqueue(std::make_shared<FlagWaitTask>("aclrtStreamWaitEvent", flag_, false,
                                                          timeout_s, ACL_ERROR_RT_WAIT_TIMEOUT));
  }
  if (shared_ != nullptr) {
    const uint32_t last = shared_->last();
    if (last == 0 || shared_->IsComplete(last)) return {};
    return stream->Enqueue(std::make_shared<SharedWaitTask>(shared_, last, timeout_s));
  }
  RecordPtr record;
  std::shared_ptr<WaitTask> task;
  {
    std::lock_guard lock(mutex_);
    if (reset_issued_ || (record_ == nullptr && kind_ == EventKind::kWithFlag)) {
      task = std::make_shared<WaitTask>(shared_from_this(), nullptr, *stream, timeout_s);
      std::erase_if(unresolved_, [](const auto& known) { return known.expired(); });
      unresolved_.push_back(task);
    }
    record = record_;
  }
  if (task == nullptr) {
    if (record == nullptr) return {};  // nothing captured yet
    if (record->stream == stream || record->IsDone()) return {};
    task = std::make_shared<WaitTask>(shared_from_this(), std::move(record), *stream, timeout_s);
  }
  return stream->Enqueue(std::move(task));
}

Status Event::ResetOn(const std::shared_ptr<Stream>& stream) {
  if (flag_ != nullptr) {
    auto clear = [flag = flag_]() -> Status {
      flag->Clear();
      return {};
    };
    return stream->Enqueue(MakeTask(TaskKind::kMark, "aclrtResetEvent", clear));
  }
  const RecordPtr known = record();
  auto reset = [self = shared_from_this(), known]() -> Status {
    std::lock_guard lock(self->mutex_);
    if (self->record_ == known) self->reset_reached_ = true;
    return {};
  };
  auto task = MakeTask(TaskKind::kMark, "aclrtResetEvent", reset);
  if (Status s = stream->Enqueue(std::move(task)); !s.ok()) return s;
  std::lock_guard lock(mutex_);
  if (record_ == known) reset_issued_ = true;
  return {};
}

void Event::EndOfHandle() {
  {
    std::lock_guard lock(mutex_);
    handle_ended_ = true;
  }
  recorded_.notify_all();
}

}  // namespace anyacl
