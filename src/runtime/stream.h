// SPDX-License-Identifier: Apache-2.0
// Stream: a FIFO of tasks with a thread of its own, which may block. The n-th task of a stream has
// ticket n; order across streams is expressed as {stream, ticket}.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "runtime/task.h"
#include "runtime/task_sink.h"

namespace anyacl {

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  // `context` is the handle of the context that owns the stream.
  static std::shared_ptr<Stream> Create(int32_t device, const void* context);

  // A thread for a lane of a graph: no client sees it, and ACL_LAUNCH_BLOCKING does not hold there.
  static std::shared_ptr<Stream> CreateRunner(int32_t device);

  int32_t id() const { return id_; }
  int32_t device() const { return device_; }
  const void* context() const { return context_; }
  // What the client sets and reads back, for a hardware scheduler and tools: nothing depends on it.
  struct Attributes {
    std::atomic<uint32_t> priority{0};
    std::atomic<uint32_t> flags{0};
    std::atomic<uint32_t> overflow_switch{0};
    std::atomic<uint32_t> user_tag{0};
    std::atomic<uint32_t> cache_op_info{0};
  };
  Attributes& attributes() { return attributes_; }

  // Appends a task; `ticket`, if given, receives its number. When ACL_LAUNCH_BLOCKING=1 the calling
  // thread runs it, in its turn, before this returns the task's own failure. What a task of this
  // stream appends runs after it, in the stream's own thread.
  Status Enqueue(std::shared_ptr<Task> task, uint64_t* ticket = nullptr);

  // Hands the tasks enqueued from now on to `sink`; null: to the queue again.
  void Divert(std::shared_ptr<TaskSink> sink);
  bool Diverted() const;

  // Waits for all tasks enqueued so far and reports the first error since the last report. A
  // negative timeout is none. 107023 if the stream was aborted meanwhile: but not before the task
  // that was running is over.
  Status Synchronize(int64_t timeout_ms);

  // Waits until no task is left, and reports nothing: for the end of a stream.
  void Drain();

  enum class Wait { kDone, kTimeout, kAborted };
  // Waits until the task has passed. kAborted: it was dropped, or the stream was aborted meanwhile.
  Wait WaitFor(uint64_t ticket, int64_t timeout_ms);
  // As a task of a stream of `waiter_device`: true once done, false if `stop`, the waiting
  // stream's, ended the wait. A ticket that was dropped is never done. A stream whose wait was
  // ended drops what waited with it.
  // Also false after `end`.
  bool WaitAsTask(uint64_t ticket, int32_t waiter_device, const StopToken& stop,
                  const std::optional<std::chrono::steady_clock::time_point>& end = {});
  void WakeWaiters();

  // Waits for one task as long as the stream gets on by itself: false once the next step is a task
  // that another party may have to end.
  bool WaitWhileComputing(uint64_t ticket);

  // Between the two no computing task runs; those that run are waited for. Not in a task of the
  // stream.
  void Hold();
  void Unhold();

  bool IsDone(uint64_t ticket) const;
  // The task has run or will never run.
  bool HasPassed(uint64_t ticket) const {
    return completed_.load(std::memory_order_acquire) >= ticket;
  }
  bool Idle();

  // The ticket after which no task enqueued so far can still use memory. Tasks that wait do not
  // count: one polling task would otherwise hold back every deferred free.
  uint64_t LastMemoryTicket() const;

  // Drops the queued tasks and ends the running one as far as it can be ended. A stream that had
  // stopped at a failure takes tasks again.
  void Abort();
  // Ends tasks that wait for other parties and lets everything else finish: for a device reset.
  void StartDraining();
  // Ends tasks that poll memory, which nobody may write any more. What waits for a stream or for a
  // thread goes on: they are still there.
  void EndPolls();

  void StopOnFailure(bool stop);
  bool StopsOnFailure() const;

  // The number of the last task that this thread has appended to a stream; 0: none.
  static uint64_t LastTicketOfThisThread();

  // Lets the worker end when the queue is empty; the next Enqueue starts another.
  void RetireWorker();

  // True in a task of this stream, and in what such a task waits for in this thread: waiting for
  // the stream there would wait for itself.
  bool RunsInThisThread() const;
  // True in a task of any stream.
  static bool RunsTaskInThisThread();

  // Says that this thread executes a task of the stream, or what one waits for.
  class TaskScope {
   public:
    explicit TaskScope(const Stream* stream);
    ~TaskScope();
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;

   private:
    friend class Stream;
    const Stream* const stream_;
    const uint64_t life_;
    const TaskScope* const outer_;
  };

 private:
  struct Error {
    int code;
    std::string message;  // empty if memory was too short to keep it
    uint64_t ticket;
  };
  struct Entry {
    std::shared_ptr<Task> task;
    uint64_t ticket;
    bool by_enqueuer;  // the thread that enqueued it waits to run it
    uint32_t thread;   // that enqueued it
    uint64_t call;     // that enqueued it, in a profile
  };
  using Lock = std::unique_lock<std::mutex>;
  using Time = std::chrono::steady_clock::time_point;

  Stream(int32_t device, const void* context, bool launch_blocks);
  Lock Locked() const;
  bool RunsHere(const Task& task) const;
  void StartWorker();
  void WorkerLoop();
  void LeaveToWaiter(Lock& lock);
  bool Doze(Lock& lock);
  bool AwaitTask(uint64_t seen, bool* yields) const;
  void WakeWorker();
  void EndRestingWaits();
  void RunHead(Lock& lock);
  void RunHeadForWaiter(Lock& lock);
  void TellFailure(const Entry& failed, int code);
  void RecordOutcome(uint64_t ticket, TaskKind kind, bool ended_early, std::optional<Error> error);
  Status RunInTurn(Lock& lock, uint64_t ticket);
  bool HeadIsFor(bool enqueuer) const;
  bool HeadIsForWorker() const;
  // Whether the thread that waits may run the first task; a patient one also what waits for others.
  bool HeadMayRunHere(bool patient) const;
  // Nothing else stands in the queue, and a thread that waits for it may run it.
  bool IsLeftToWaiter() const;
  Wait WaitFor(Lock& lock, uint64_t ticket, int64_t timeout_ms);
  // Sleeps until `over`, which changes when `ticket` passes or where done_ is notified of something
  // else. False: not before `end`.
  template <class Over>
  bool Await(Lock& lock, uint64_t ticket, Over over, const std::optional<Time>& end = {}) {
    while (!over()) {
      awaited_ = std::min(awaited_, ticket);
      if (!end) {
        done_.wait(lock);
      } else if (done_.wait_until(lock, *end) == std::cv_status::timeout) {
        return over();
      }
    }
    return true;
  }
  void EndTask(std::atomic<uint64_t>& through);
  void DropQueue();
  void AddDropped(uint64_t first, uint64_t last);
  bool IsDropped(uint64_t ticket) const;
  bool IsDoneLocked(uint64_t ticket) const;
  Status TakeError();
  // Room for the tickets that are outstanding: the end of a task cannot report a lack of memory.
  void ReserveDropped();

  friend class ForkGuard;
  // Makes the stream usable in a forked child; returns the queue, which stays the parent's.
  std::deque<Entry> ResetAfterFork();

  const int32_t device_;
  const void* const context_;
  const int32_t id_;
  const bool launch_blocks_;
  Attributes attributes_;

  mutable std::mutex mutex_;
  std::condition_variable work_;  // for the worker
  std::condition_variable done_;  // for everybody who waits for tasks
  // The first ticket that one of them waits for. To wake a waiting client after every task took a
  // part of a CPU from the pool: 384 x 384 sums in fp32 took 12.9 us each and take 11.9.
  uint64_t awaited_ = UINT64_MAX;
  std::deque<Entry> queue_;
  std::shared_ptr<TaskSink> sink_;  // if tasks are diverted
  std::shared_ptr<Task> running_;
  bool started_ = false;  // the running task has not been held up
  int holds_ = 0;
  std::condition_variable unheld_;
  // Tickets are handed out and completed in order; read without the lock by spinning waiters.
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> completed_{0};
  // What it was when WaitWhileComputing last gave up: nobody waits for the same task once more.
  uint64_t impatient_at_ = UINT64_MAX;
  uint64_t last_memory_ticket_ = 0;
  std::atomic<uint64_t> aborted_through_{0};
  std::atomic<uint64_t> drained_through_{0};
  std::atomic<uint64_t> polls_ended_through_{0};
  std::atomic<uint64_t> life_{0};  // how many forks the stream has survived as a child's
  std::vector<std::pair<uint64_t, uint64_t>> dropped_;  // ranges of tickets that never ran
  uint64_t aborts_ = 0;
  std::optional<Error> error_;
  std::optional<Error> failure_;  // in stop-on-failure mode, what stopped the stream
  bool stop_on_failure_ = false;
  // After so many tasks in a row that were run by threads that waited for them, the worker leaves
  // the next to such a thread, for a while.
  static constexpr int kSynchronous = 8;
  int until_doze_ = kSynchronous;  // tasks that waiting threads have to run first
  bool dozes_ = false;             // the worker, which leaves a single task to who waits for it
  bool rests_ = false;             // the worker, since nothing stands behind the queue's waits
  bool worker_alive_ = false;
  bool retire_worker_ = false;
  // The last task that its enqueuer left to others. In a line of its own, which the worker watches
  // and small tasks do not touch.
  alignas(64) std::atomic<uint64_t> left_{0};
};

}  // namespace anyacl
