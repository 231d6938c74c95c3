// SPDX-License-Identifier: Apache-2.0
// What a stream's own thread does: it runs the queue, spins, dozes and sleeps.
#include <algorithm>
#include <chrono>

#include "base/thread.h"
#include "runtime/parallel.h"
#include "runtime/spin.h"
#include "runtime/stream.h"

namespace anyacl {
namespace {

// Once it left a task to a thread that waits, and none did, it dozes only after so many: the task
// would have run beside what the client did meanwhile.
constexpr int kSynchronousAgain = 1000;
constexpr std::chrono::microseconds kDoze{200};

}  // namespace

void Stream::StartWorker() {
  StartThread([self = shared_from_this()] {
    // The pool's workers begin with the second CPU.
    static std::atomic<uint32_t> streams{0};
    ProcessCpus().Bind(streams++);
    ThisThreadServesClient();
    self->WorkerLoop();
  });
  worker_alive_ = true;
  retire_worker_ = false;
}

void Stream::WorkerLoop() {
  Lock lock = Locked();
  const uint64_t life = life_;
  bool yields = false;  // before it sleeps
  bool was_idle = true;
  for (;;) {
    if (was_idle && IsLeftToWaiter()) LeaveToWaiter(lock);
    was_idle = false;
    if (HeadIsForWorker()) {
      until_doze_ = std::max(until_doze_, kSynchronous);
      RunHead(lock);
      if (life_ != life) return;  // the task forked, and the child's stream has other workers
      continue;
    }
    was_idle = true;
    if (retire_worker_ && queue_.empty()) break;
    if (until_doze_ == 0 && Doze(lock)) continue;
    if (queue_.empty()) {
      const uint64_t seen = left_.load(std::memory_order_relaxed);
      lock.unlock();
      const bool came = AwaitTask(seen, &yields);
      LockSpinning(lock);
      if (came) continue;
    }
    const auto asleep = std::chrono::steady_clock::now();
    work_.wait(lock, [&] { return HeadIsForWorker() || (retire_worker_ && queue_.empty()); });
    // Yielding has its price where calls come once in a millisecond: it is for those that came
    // soon.
    yields = yields || std::chrono::steady_clock::now() - asleep < kYield;
  }
  worker_alive_ = false;
}

// Without the lock. True: a task came after the one `seen`.
bool Stream::AwaitTask(uint64_t seen, bool* yields) const {
  const auto more = [&] { return left_.load(std::memory_order_acquire) != seen; };
  const auto end = std::chrono::steady_clock::now() + kYield;
  // Small tasks, which the client runs itself, tell that others will follow.
  for (uint64_t before = 0; submitted_.load(std::memory_order_relaxed) != before;) {
    before = submitted_.load(std::memory_order_relaxed);
    if (SpinUntil(more)) return true;
    if (std::chrono::steady_clock::now() > end) break;
  }
  return *yields && (*yields = YieldUntil(more));
}

// A client that waits for its call runs it in its own thread, which takes 1 us less than a race for
// it.
void Stream::LeaveToWaiter(Lock& lock) {
  const uint64_t head = queue_.front().ticket;
  lock.unlock();
  SpinUntil([&] { return HasPassed(head); }, kTakesItself);
  LockSpinning(lock);
}

// Beside a client that waits for each call, and so runs it: to wake this thread for each would cost
// the client more than a small call, and to spin would cost the pool a CPU. A task that nobody
// takes waits here for the next one or for kDoze. False: no call came meanwhile.
bool Stream::Doze(Lock& lock) {
  const uint64_t seen = left_.load(std::memory_order_relaxed);
  dozes_ = true;
  work_.wait_for(lock, kDoze, [&] {
    return (HeadIsForWorker() && !(dozes_ && IsLeftToWaiter())) || retire_worker_;
  });
  if (dozes_ && IsLeftToWaiter()) until_doze_ = kSynchronousAgain;
  dozes_ = false;
  return left_.load(std::memory_order_relaxed) != seen;
}

void Stream::RetireWorker() {
  {
    Lock lock = Locked();
    retire_worker_ = worker_alive_;
    rests_ = false;
  }
  work_.notify_one();
}

bool Stream::HeadIsForWorker() const { return HeadIsFor(false) && !rests_; }

}  // namespace anyacl
