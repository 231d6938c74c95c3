// SPDX-License-Identifier: Apache-2.0
// How a task waits for memory that other workers write: hot at first, then ever more idle.
#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/rank_group.h"
#include "runtime/task.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace anyacl::ranks {

class Waiter {
 public:
  enum class Verdict { kPollAgain, kStopped, kExpired, kGroupFailed };

  // The time counts from here. `group`, if any, brings what is waited for, and fails with its
  // ranks.
  Waiter(const StopToken& stop, RankGroup* group);

  // To be called after each poll that found nothing.
  Verdict Wait() {
    // Another look follows after a pause until the block is full: a look with its pause takes 25 ns
    // and the clock as much again, so it is read once a block.
    if (++polls_ % kBlock != 0) {
      Relax();
      return Verdict::kPollAgain;
    }
    return EndBlock();
  }

  uint64_t waited_us() const;
  // After kGroupFailed.
  Status failure() const { return failure_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Of looks: 0.8 us.
  static constexpr uint32_t kBlock = 32;

  static void Relax() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  Verdict EndBlock();

  const StopToken& stop_;
  RankGroup* const group_;
  const Clock::time_point begin_;
  const Clock::time_point deadline_;
  const bool spin_;
  uint32_t polls_ = 0;
  Status failure_;
};

Status Stopped();

// Polls until the poll succeeds or somebody ends it. A poll says by Poll() that all is there, by
// Running() that somebody still wants it, and by Expire() what was missing when time was up.
template <class Poll>
Status Await(Waiter& waiter, Poll& poll) {
  while (poll.Running()) {
    if (poll.Poll()) break;
    switch (waiter.Wait()) {
      case Waiter::Verdict::kPollAgain:
        break;
      case Waiter::Verdict::kStopped:
        return Stopped();
      case Waiter::Verdict::kExpired:
        return poll.Expire(waiter);
      case Waiter::Verdict::kGroupFailed:
        return waiter.failure();
    }
  }
  return {};
}

}  // namespace anyacl::ranks
