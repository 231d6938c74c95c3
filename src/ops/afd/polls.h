// SPDX-License-Identifier: Apache-2.0
// What tasks wait for.
#pragma once

#include <memory>
#include <optional>

#include "ops/afd/context.h"
#include "ops/afd/sources.h"
#include "ops/ranks/waiter.h"

namespace anyacl::afd {

inline bool IsRunning(const ScheduleContext* context) {
  return __atomic_load_n(&context->control.run_flag, __ATOMIC_ACQUIRE) != 0;
}

using ranks::Await;
using ranks::Stopped;
using ranks::Waiter;

Status Expired(const Waiter& waiter, const RankGroup* group, uint64_t session, uint64_t micro_batch,
               int32_t flag);

template <class Poll>
Status Await(const StopToken& stop, RankGroup* group, Poll& poll) {
  Waiter waiter(stop, group);
  return Await(waiter, poll);
}

// The communicator in whose window of this rank an address lies, if there is one: who waits for
// memory that its ranks write learns from it that they are lost or have left, and the memory stays
// until this ends.
class WindowHold {
 public:
  Status Acquire(const void* window);
  RankGroup* group() const { return group_.get(); }

 private:
  std::shared_ptr<RankGroup> group_;
  std::optional<RankGroup::Task> task_;
};

// One micro batch of all sessions.
class SessionsPoll {
 public:
  SessionsPoll(const ScheduleContext* context, const Window& window, uint64_t micro_batch,
               const RankGroup* group)
      : context_(context), window_(window), micro_batch_(micro_batch), group_(group) {}

  bool Running() const { return IsRunning(context_); }
  bool Poll() {
    cursor_ = SkipReady(window_, micro_batch_, cursor_, window_.sessions);
    return ready();
  }
  bool ready() const { return cursor_ == window_.sessions; }
  // A worker is idle until one session has sent: which others have left does not matter before.
  uint32_t Awaited() const {
    for (uint64_t s = 0; s < window_.sessions; ++s) {
      if (LoadFlag(window_.Slot(s, micro_batch_)) == kReady) return RankOfSession(group_, cursor_);
    }
    return RankGroup::kAnyRank;
  }
  Status Expire(const Waiter& waiter) const {
    return Expired(waiter, group_, cursor_, micro_batch_,
                   LoadFlag(window_.Slot(cursor_, micro_batch_)));
  }

 private:
  const ScheduleContext* const context_;
  const Window window_;
  const uint64_t micro_batch_;
  const RankGroup* const group_;
  uint64_t cursor_ = 0;  // the first session whose flag has not been seen up
};

// Flags of one micro batch that lie side by side, one for each token and expert.
class FlagsPoll {
 public:
  FlagsPoll(const ScheduleContext* context, const int32_t* flags, uint64_t count,
            uint64_t micro_batch, const RankGroup* group)
      : context_(context), flags_(flags), count_(count), micro_batch_(micro_batch), group_(group) {}

  bool Running() const { return IsRunning(context_); }
  bool Poll() {
    cursor_ = SkipReadyFlags(flags_, cursor_, count_);
    return ready();
  }
  bool ready() const { return cursor_ == count_; }
  uint32_t Awaited() const { return RankOfRow(group_, micro_batch_, cursor_); }
  Status Expire(const Waiter& waiter) const;

 private:
  const ScheduleContext* const context_;
  const int32_t* const flags_;
  const uint64_t count_;
  const uint64_t micro_batch_;
  const RankGroup* const group_;
  uint64_t cursor_ = 0;
};

}  // namespace anyacl::afd
