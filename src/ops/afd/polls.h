// SPDX-License-Identifier: Apache-2.0
// What tasks wait for.
#pragma once

#include "ops/afd/context.h"
#include "ops/ranks/waiter.h"

namespace anyacl::afd {

inline bool IsRunning(const ScheduleContext* context) {
  return __atomic_load_n(&context->control.run_flag, __ATOMIC_ACQUIRE) != 0;
}

using ranks::Await;
using ranks::Stopped;
using ranks::Waiter;

Status Expired(const Waiter& waiter, uint64_t session, uint64_t micro_batch, int32_t flag);

template <class Poll>
Status Await(const StopToken& stop, RankGroup* group, Poll& poll) {
  Waiter waiter(stop, group);
  return Await(waiter, poll);
}

// One micro batch of all sessions.
class SessionsPoll {
 public:
  SessionsPoll(const ScheduleContext* context, const Window& window, uint64_t micro_batch)
      : context_(context), window_(window), micro_batch_(micro_batch) {}

  bool Running() const { return IsRunning(context_); }
  bool Poll() {
    cursor_ = SkipReady(window_, micro_batch_, cursor_, window_.sessions);
    return ready();
  }
  bool ready() const { return cursor_ == window_.sessions; }
  Status Expire(const Waiter& waiter) const {
    return Expired(waiter, cursor_, micro_batch_, LoadFlag(window_.Slot(cursor_, micro_batch_)));
  }

 private:
  const ScheduleContext* const context_;
  const Window window_;
  const uint64_t micro_batch_;
  uint64_t cursor_ = 0;  // the first session whose flag has not been seen up
};

// Flags of one micro batch that lie side by side, one for each token and expert.
class FlagsPoll {
 public:
  FlagsPoll(const ScheduleContext* context, const int32_t* flags, uint64_t count,
            uint64_t micro_batch)
      : context_(context), flags_(flags), count_(count), micro_batch_(micro_batch) {}

  bool Running() const { return IsRunning(context_); }
  bool Poll() {
    cursor_ = SkipReadyFlags(flags_, cursor_, count_);
    return ready();
  }
  bool ready() const { return cursor_ == count_; }
  Status Expire(const Waiter& waiter) const;

 private:
  const ScheduleContext* const context_;
  const int32_t* const flags_;
  const uint64_t count_;
  const uint64_t micro_batch_;
  uint64_t cursor_ = 0;
};

// The communicator in whose window of this rank the address lies, if there is one: who waits for
// memory that its ranks write learns from it that one is lost.
std::shared_ptr<RankGroup> GroupOf(const void* window);

}  // namespace anyacl::afd
