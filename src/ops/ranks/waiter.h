// SPDX-License-Identifier: Apache-2.0
// How a task waits for memory that other workers write: hot at first, then ever more idle.
#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/rank_group.h"
#include "runtime/spin.h"
#include "runtime/task.h"

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
      Pause();
      return Verdict::kPollAgain;
    }
    return EndBlock();
  }

  // Between polls: a failure if the rank that is awaited has left. Free while the wait is hot.
  template <class Poll>
  Status LookFor(const Poll& poll) {
    if (!slept_ || group_ == nullptr) return {};
    slept_ = false;
    return group_->Missing(poll.Awaited());
  }

  uint64_t waited_us() const;
  // After kGroupFailed.
  Status failure() const { return failure_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Of looks: 0.8 us.
  static constexpr uint32_t kBlock = 32;

  Verdict EndBlock();

  const StopToken& stop_;
  RankGroup* const group_;
  const Clock::time_point begin_;
  const Clock::time_point deadline_;
  const bool spin_;
  uint32_t polls_ = 0;
  bool slept_ = false;  // since the last LookFor, or spun for as long
  Status failure_;
};

Status Stopped();

// Polls until the poll succeeds or somebody ends it. A poll says by Poll() that all is there, by
// Running() that somebody still wants it, by Expire() what was missing when time was up, and, if
// ranks bring it, by Awaited() which one, or kAnyRank.
template <class Poll>
Status Await(Waiter& waiter, Poll& poll) {
  while (poll.Running()) {
    if (poll.Poll()) break;
    switch (waiter.Wait()) {
      case Waiter::Verdict::kPollAgain:
        if constexpr (requires { poll.Awaited(); }) {
          if (Status s = waiter.LookFor(poll); !s.ok()) return s;
        }
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
