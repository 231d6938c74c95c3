// SPDX-License-Identifier: Apache-2.0
// What threads and other streams do that wait for a stream's tasks.
#include <chrono>

#include "acl/acl_rt.h"
#include "runtime/error_log.h"
#include "runtime/spin.h"
#include "runtime/stream.h"

namespace anyacl {

// torch_npu lets a stream on which it computes next to nothing wait for the other before each
// attention: to wake its thread for that cost the client 18 us, and a CPU for which the pool waits.
void Stream::EndRestingWaits() {
  for (;;) {
    std::shared_ptr<Task> head;
    {
      Lock lock = Locked();
      if (!rests_ || !HeadIsFor(false)) return;
      head = queue_.front().task;
    }
    if (!head->IsOver()) return;  // asks another stream, hence without this one's lock
    Lock lock = Locked();
    // Who runs a task here does not wait for what holds the stream.
    if (!rests_ || holds_ > 0 || !HeadIsFor(false) || queue_.front().task != head) return;
    RunHead(lock);
    if (!rests_) WakeWorker();  // what came meanwhile found the head taken
  }
}

Stream::Wait Stream::WaitFor(uint64_t ticket, int64_t timeout_ms) {
  EndRestingWaits();
  Lock lock = Locked();
  return WaitFor(lock, ticket, timeout_ms);
}

Stream::Wait Stream::WaitFor(Lock& lock, uint64_t ticket, int64_t timeout_ms) {
  const uint64_t aborts = aborts_;
  // An abort does not end the wait: what is running may still use the caller's memory.
  const auto over = [&] { return completed_.load(std::memory_order_relaxed) >= ticket; };
  if (timeout_ms < 0) {
    // Running the queue here saves the hand-over to the worker and back.
    while (!over() && HeadMayRunHere(true)) RunHeadForWaiter(lock);
  }
  WakeWorker();
  if (!over()) {
    lock.unlock();
    SpinUntil([&] { return completed_.load(std::memory_order_acquire) >= ticket; });
    LockSpinning(lock);
  }
  std::optional<Time> end;
  if (timeout_ms >= 0) end = Time::clock::now() + std::chrono::milliseconds(timeout_ms);
  if (!Await(lock, ticket, over, end)) return Wait::kTimeout;
  return aborts_ != aborts || IsDropped(ticket) ? Wait::kAborted : Wait::kDone;
}

bool Stream::WaitWhileComputing(uint64_t ticket) {
  if (RunsInThisThread()) return HasPassed(ticket);
  // A wait for an event, also one in a graph, may end by itself as well; how long it may take to
  // show that it does.
  constexpr std::chrono::milliseconds kPatience{100};
  Lock lock = Locked();
  for (;;) {
    while (!HasPassed(ticket) && HeadMayRunHere(false)) RunHeadForWaiter(lock);
    WakeWorker();
    if (HasPassed(ticket)) return true;
    const Task& next = running_ != nullptr ? *running_ : *queue_.front().task;
    const TaskKind kind = next.kind();
    if (kind == TaskKind::kHost || kind == TaskKind::kPoll) return false;
    const uint64_t before = completed_.load(std::memory_order_relaxed);
    const auto moved = [&] { return completed_.load(std::memory_order_relaxed) != before; };
    if (kind != TaskKind::kWait && kind != TaskKind::kGraph) {
      Await(lock, before + 1, moved);
    } else if (impatient_at_ == before ||
               !Await(lock, before + 1, moved, Time::clock::now() + kPatience)) {
      impatient_at_ = before;
      return false;
    }
  }
}

void Stream::Hold() {
  Lock lock = Locked();
  ++holds_;
  Await(lock, completed_.load() + 1,
        [&] { return !started_ || running_->kind() != TaskKind::kCompute; });
}

void Stream::Unhold() {
  {
    Lock lock = Locked();
    --holds_;
  }
  unheld_.notify_all();
}

bool Stream::WaitAsTask(uint64_t ticket, int32_t waiter_device, const StopToken& stop,
                        const std::optional<Time>& end) {
  Lock lock = Locked();
  const auto hopeless = [&] {
    return stop.Aborted() || (stop.Requested() && (IsDropped(ticket) || waiter_device != device_));
  };
  const auto over = [&] { return IsDoneLocked(ticket) || hopeless(); };
  WakeWorker();
  Await(lock, ticket, over, end);
  return IsDoneLocked(ticket);
}

void Stream::WakeWaiters() {
  // Empty critical section: a waiter is either before its look at the condition or asleep.
  { Lock lock = Locked(); }
  done_.notify_all();
}

Status Stream::Synchronize(int64_t timeout_ms) {
  if (RunsInThisThread()) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "called from a task of stream {}, which would wait for itself", id_);
  }
  EndRestingWaits();
  Lock lock = Locked();
  const uint64_t aborts = aborts_;
  const Wait wait = WaitFor(lock, submitted_.load(), timeout_ms);
  if (wait == Wait::kTimeout) {
    return Fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                "stream {} has not finished after {} ms: {} of {} tasks are done", id_, timeout_ms,
                completed_.load(), submitted_.load());
  }
  // A range dropped by an earlier abort is no news; one dropped by a failure is told by the error.
  if (aborts_ != aborts) {
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "stream {} was aborted during the wait", id_);
  }
  return TakeError();
}

void Stream::Drain() {
  Lock lock = Locked();
  WaitFor(lock, submitted_.load(), -1);
}

Status Stream::TakeError() {
  if (!error_) return {};
  const Error error = std::move(*error_);
  error_.reset();
  if (error.message.empty()) {
    return Fail(error.code, "a task of stream {} failed, and memory was too short to say how", id_);
  }
  RecordCarriedError(error.code, error.message);
  return Replay(error.code);
}

}  // namespace anyacl
