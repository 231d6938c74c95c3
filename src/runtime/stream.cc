// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <new>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/float_environment.h"
#include "base/fork_locks.h"
#include "runtime/error_log.h"
#include "runtime/exception_info.h"
#include "runtime/profile.h"
#include "runtime/settings.h"
#include "runtime/spin.h"

namespace anyacl {
namespace {

// The innermost.
thread_local const Stream::TaskScope* t_scope = nullptr;
thread_local uint64_t t_last_ticket = 0;

}  // namespace

// All live streams, so that a forked child can forget their threads; the queued tasks stay the
// parent's.
class ForkGuard {
 public:
  static ForkGuard& Instance() {
    static ForkGuard* guard = [] {
      auto* created = new ForkGuard;
      ForkLocks::Add(ForkOrder::kStreams,
                     {[created] { created->Lock(); }, [created] { created->Unlock(); },
                      [created] { created->InChild(); }});
      return created;
    }();
    return *guard;
  }
  void Add(const std::shared_ptr<Stream>& stream) {
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto& known) { return known.expired(); });
    streams_.push_back(stream);
  }

 private:
  // A stream ends under whatever lock its last owner holds, so ending takes no lock here: the list
  // holds weak references, and a fork owns the streams while it lasts.
  void Lock() {
    mutex_.lock();
    for (const std::weak_ptr<Stream>& known : streams_) {
      if (std::shared_ptr<Stream> stream = known.lock()) locked_.push_back(std::move(stream));
    }
    for (const auto& stream : locked_) stream->mutex_.lock();
  }
  void Unlock() {
    const auto locked = std::exchange(locked_, {});
    const auto forgotten = std::exchange(forgotten_, {});
    for (const auto& stream : locked) stream->mutex_.unlock();
    mutex_.unlock();
  }
  void InChild() {
    for (const auto& stream : locked_) forgotten_.push_back(stream->ResetAfterFork());
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_;
  std::vector<std::shared_ptr<Stream>> locked_;  // by the current fork
  // The queues that a child gave up; destroyed without the locks.
  std::vector<std::deque<Stream::Entry>> forgotten_;
};

[[maybe_unused]] static const bool kStreamMadeAtLoad = (ForkGuard::Instance(), true);

std::shared_ptr<Stream> Stream::Create(int32_t device, const void* context) {
  std::shared_ptr<Stream> stream(new Stream(device, context, Env().launch_blocking));
  ForkGuard::Instance().Add(stream);
  return stream;
}

std::shared_ptr<Stream> Stream::CreateRunner(int32_t device) {
  std::shared_ptr<Stream> stream(new Stream(device, nullptr, false));
  ForkGuard::Instance().Add(stream);
  return stream;
}

Stream::Stream(int32_t device, const void* context, bool launch_blocks)
    : device_(device),
      context_(context),
      id_([] {
        static std::atomic<int32_t> next{0};
        return next.fetch_add(1);
      }()),
      launch_blocks_(launch_blocks) {}

Stream::Lock Stream::Locked() const {
  Lock lock(mutex_, std::defer_lock);
  LockSpinning(lock);
  return lock;
}

std::deque<Stream::Entry> Stream::ResetAfterFork() {
  // A condition variable may remember waiters that do not exist here.
  new (&work_) std::condition_variable;
  new (&done_) std::condition_variable;
  new (&unheld_) std::condition_variable;
  awaited_ = UINT64_MAX;
  started_ = false;
  holds_ = 0;
  // The parent's thread was in the middle of the running task: its state cannot be destroyed here.
  static_cast<void>(new std::shared_ptr<Task>(std::move(running_)));
  running_.reset();
  completed_ = submitted_.load();
  worker_alive_ = false;
  dozes_ = rests_ = false;
  ++life_;
  return std::exchange(queue_, {});
}

Status Stream::Enqueue(std::shared_ptr<Task> task, uint64_t* ticket) {
  const bool may_rest = task->MayRest();
  if (may_rest) EndRestingWaits();
  Lock lock = Locked();
  while (sink_ != nullptr) {
    const std::shared_ptr<TaskSink> sink = sink_;
    lock.unlock();
    if (ticket != nullptr) *ticket = 0;
    if (const std::optional<Status> taken = sink->Take(*this, task)) return *taken;
    lock.lock();
    if (sink_ == sink) break;
  }
  if (failure_) {
    return Fail(failure_->code,
                "stream {} stopped at its first failure and takes no more tasks: {}", id_,
                failure_->message);
  }
  // Nobody else waits for what a task appends to its own stream.
  const bool by_enqueuer = launch_blocks_ && !RunsInThisThread();
  const bool here = !by_enqueuer && RunsHere(*task);
  if (!worker_alive_ && !by_enqueuer && !here) StartWorker();
  ReserveDropped();
  const bool touches_memory = task->kind() == TaskKind::kCompute ||
                              task->kind() == TaskKind::kHost || task->kind() == TaskKind::kGraph;
  const uint64_t mine = submitted_.load(std::memory_order_relaxed) + 1;
  rests_ = may_rest && !launch_blocks_ && running_ == nullptr && (queue_.empty() || rests_);
  queue_.push_back(
      {std::move(task), mine, by_enqueuer, ThisThread(), ProfileRuns() ? ProfiledCall() : 0});
  submitted_.store(mine, std::memory_order_release);
  if (touches_memory) last_memory_ticket_ = mine;
  t_last_ticket = mine;
  if (ticket != nullptr) *ticket = mine;
  if (by_enqueuer) return RunInTurn(lock, mine);
  if (here) {
    RunHead(lock);
    WakeWorker();  // what came meanwhile found the head taken
    return {};
  }
  left_.store(mine, std::memory_order_release);
  const bool wakes = !rests_ && !(dozes_ && IsLeftToWaiter());
  lock.unlock();
  if (wakes) work_.notify_one();
  return {};
}

// A small task behind nothing: to hand over one of 256 numbers takes the client 0.7 us more than to
// run it, and its memory would be another thread's to free.
bool Stream::RunsHere(const Task& task) const {
  return task.small() && queue_.empty() && running_ == nullptr && holds_ == 0;
}

void Stream::ReserveDropped() {
  const size_t needed = dropped_.size() + (submitted_.load() - completed_.load()) + 1;
  if (needed > dropped_.capacity()) dropped_.reserve(2 * needed);
}

Status Stream::RunInTurn(Lock& lock, uint64_t ticket) {
  const auto passed = [&] { return completed_.load(std::memory_order_relaxed) >= ticket; };
  const auto my_turn = [&] { return HeadIsFor(true) && queue_.front().ticket == ticket; };
  Await(lock, ticket - 1, [&] { return passed() || my_turn(); });
  if (!passed()) RunHead(lock);
  WakeWorker();
  if (IsDropped(ticket)) {
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "stream {} was aborted before the task was done", id_);
  }
  return error_ && error_->ticket == ticket ? TakeError() : Status();
}

void Stream::Divert(std::shared_ptr<TaskSink> sink) {
  Lock lock = Locked();
  sink_.swap(sink);  // the old one ends after the lock
}

bool Stream::Diverted() const {
  Lock lock = Locked();
  return sink_ != nullptr;
}

// Before a thread that is no worker leaves the queue or waits: what it does not run, the worker
// does, whose last wake-up may have found the head taken.
void Stream::WakeWorker() {
  rests_ = false;  // also for the thread that runs the head now and looks at the next one then
  if (!HeadIsFor(false)) return;
  dozes_ = false;
  work_.notify_one();
}

void Stream::RunHeadForWaiter(Lock& lock) {
  until_doze_ = std::max(until_doze_ - 1, 0);
  RunHead(lock);
}

// Runs the first task of the queue without the lock. The caller holds the lock and has seen that
// the queue is not empty and nothing runs.
void Stream::RunHead(Lock& lock) {
  const Entry head = std::move(queue_.front());
  queue_.pop_front();
  running_ = head.task;
  const TaskKind kind = head.task->kind();
  unheld_.wait(lock, [&] { return holds_ == 0; });
  started_ = true;
  const uint64_t life = life_;
  lock.unlock();

  const StopToken stop(aborted_through_,
                       kind == TaskKind::kPoll ? polls_ended_through_ : drained_through_,
                       head.ticket);
  std::optional<Error> error;
  bool ended_early = false;
  {
    const TaskScope scope(this);
    ErrorCapture capture;
    const int code = anyacl::Entry(head.task->name(), [&] {
      const DefaultFloatEnvironment environment;
      const ProfiledTask profiled(*head.task, device_, id_, head.ticket, head.call);
      return head.task->Run(stop);
    });
    ended_early = code != 0 && stop.Requested();
    if (code != 0 && !ended_early) {
      error = Error{code, capture.TakeNewest(), head.ticket};
      TellFailure(head, code);
    }
  }

  LockSpinning(lock);
  // In a child that the task forked nothing is outstanding any more.
  if (life_ == life) RecordOutcome(head.ticket, kind, ended_early, std::move(error));
}

// Before the task counts as done, so that who waits for it finds the program told. The task itself
// is over: two callbacks that hold each other's stream must not wait for one another.
void Stream::TellFailure(const Entry& failed, int code) {
  {
    Lock lock = Locked();
    started_ = false;
  }
  done_.notify_all();
  TellTaskFailure({static_cast<uint32_t>(failed.ticket), static_cast<uint32_t>(id_), failed.thread,
                   static_cast<uint32_t>(device_), static_cast<uint32_t>(code)});
}

// Must not allocate: there is nobody who could be told that memory is exhausted.
void Stream::RecordOutcome(uint64_t ticket, TaskKind kind, bool ended_early,
                           std::optional<Error> error) {
  running_.reset();
  started_ = false;
  if (ended_early) AddDropped(ticket, ticket);
  completed_.store(ticket, std::memory_order_release);
  if (error && stop_on_failure_ && !failure_) {
    failure_ = Error{error->code, {}, ticket};
    try {
      failure_->message = error->message;
    } catch (const std::bad_alloc&) {
      // The code is what matters.
    }
  }
  if (error && !error_) error_ = std::move(error);
  if (ended_early &&
      (kind == TaskKind::kWait || kind == TaskKind::kGraph || kind == TaskKind::kHost)) {
    // What waited with it must not run without what it waited for.
    const uint64_t through = std::max(aborted_through_.load(), drained_through_.load());
    aborted_through_.store(through, std::memory_order_release);
  }
  if (failure_ || aborted_through_.load(std::memory_order_relaxed) >= ticket) DropQueue();
  if (completed_.load(std::memory_order_relaxed) < awaited_) return;
  awaited_ = UINT64_MAX;  // who wakes up and goes on waiting says so again
  done_.notify_all();
}

// The queued tasks up to the last abort, or all of them once the stream has failed for good.
void Stream::DropQueue() {
  const uint64_t through = failure_ ? submitted_.load() : aborted_through_.load();
  if (queue_.empty() || queue_.front().ticket > through) return;
  const uint64_t first = queue_.front().ticket;
  uint64_t last = first;
  while (!queue_.empty() && queue_.front().ticket <= through) {
    last = queue_.front().ticket;
    queue_.pop_front();
  }
  AddDropped(first, last);
  completed_.store(last, std::memory_order_release);
}

void Stream::AddDropped(uint64_t first, uint64_t last) {
  if (!dropped_.empty() && dropped_.back().second + 1 == first) {
    dropped_.back().second = last;
  } else {
    dropped_.emplace_back(first, last);
  }
}

bool Stream::IsDropped(uint64_t ticket) const {
  const auto after =
      std::upper_bound(dropped_.begin(), dropped_.end(), ticket,
                       [](uint64_t value, const auto& range) { return value < range.first; });
  return after != dropped_.begin() && ticket <= std::prev(after)->second;
}

bool Stream::IsDoneLocked(uint64_t ticket) const {
  return completed_.load(std::memory_order_relaxed) >= ticket && !IsDropped(ticket);
}

bool Stream::IsDone(uint64_t ticket) const {
  if (completed_.load(std::memory_order_acquire) < ticket) return false;
  Lock lock = Locked();
  return IsDoneLocked(ticket);
}

bool Stream::Idle() {
  EndRestingWaits();
  Lock lock = Locked();
  if (rests_) WakeWorker();
  return completed_.load() == submitted_.load();
}

uint64_t Stream::LastMemoryTicket() const {
  Lock lock = Locked();
  return last_memory_ticket_;
}

// Whether the first task can be run now by the thread that enqueued it, or by any other.
bool Stream::HeadIsFor(bool enqueuer) const {
  return !queue_.empty() && running_ == nullptr && queue_.front().by_enqueuer == enqueuer;
}

bool Stream::HeadMayRunHere(bool patient) const {
  if (!HeadIsFor(false)) return false;
  const TaskKind kind = queue_.front().task->kind();
  return kind == TaskKind::kCompute || kind == TaskKind::kMark ||
         (patient && kind == TaskKind::kGraph);
}

bool Stream::IsLeftToWaiter() const { return queue_.size() == 1 && HeadMayRunHere(true); }

void Stream::Abort() {
  std::shared_ptr<Task> running;
  {
    Lock lock = Locked();
    ++aborts_;
    aborted_through_.store(submitted_.load(), std::memory_order_release);
    error_.reset();
    failure_.reset();
    running = running_;
    // While a task runs, its end drops the queue, so that tickets complete in order.
    if (running == nullptr) DropQueue();
    done_.notify_all();
  }
  if (running == nullptr) return;
  running->Wake();
  if (running->kind() == TaskKind::kHost || RunsInThisThread()) return;
  Lock lock = Locked();
  Await(lock, completed_.load() + 1, [&] { return running_ != running; });
}

void Stream::EndTask(std::atomic<uint64_t>& through) {
  std::shared_ptr<Task> running;
  {
    Lock lock = Locked();
    through.store(submitted_.load(), std::memory_order_release);
    running = running_;
  }
  if (running != nullptr) running->Wake();
}

void Stream::StartDraining() {
  EndPolls();
  EndTask(drained_through_);
}

void Stream::EndPolls() { EndTask(polls_ended_through_); }

void Stream::StopOnFailure(bool stop) {
  Lock lock = Locked();
  stop_on_failure_ = stop;
}

uint64_t Stream::LastTicketOfThisThread() { return t_last_ticket; }

bool Stream::StopsOnFailure() const {
  Lock lock = Locked();
  return stop_on_failure_;
}

bool Stream::RunsInThisThread() const {
  // A child that a task forked has left the task's stream: there it is idle.
  for (const TaskScope* scope = t_scope; scope != nullptr; scope = scope->outer_) {
    if (scope->stream_ == this && scope->life_ == life_) return true;
  }
  return false;
}

bool Stream::RunsTaskInThisThread() { return t_scope != nullptr; }

Stream::TaskScope::TaskScope(const Stream* stream)
    : stream_(stream), life_(stream->life_), outer_(std::exchange(t_scope, this)) {}

Stream::TaskScope::~TaskScope() { t_scope = outer_; }

}  // namespace anyacl
