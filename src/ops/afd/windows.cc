// SPDX-License-Identifier: Apache-2.0
#include "ops/afd/windows.h"

#include <algorithm>

namespace anyacl::afd {

Status FindWindow(RankGroup& group, uint32_t rank, uint64_t needed, RankWindow* window) {
  if (Status s = group.Window(rank, window); !s.ok()) return s;
  if (window->size < needed) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "the window of rank {} in communicator \"{}\" has {} bytes, expected at least the "
                "{} of the tables",
                rank, group.name(), window->size, needed);
  }
  if (reinterpret_cast<uintptr_t>(window->base) % alignof(int32_t) != 0) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "the window of rank {} in communicator \"{}\" is at {}, expected a multiple of {}",
                rank, group.name(), static_cast<const void*>(window->base), alignof(int32_t));
  }
  return {};
}

bool SendPoll::Poll() {
  for (; sent_ < messages_.size(); ++sent_) {
    const RankMessage& m = messages_[sent_];
    bool taken = false;
    status_ = group_.Send(m.rank, {m.guard, m.pieces, m.words}, &taken);
    if (!status_.ok()) return true;
    if (!taken) return false;
  }
  return messages_.empty() || group_.Delivered();
}

Status SendPoll::Expire(const Waiter& waiter) const {
  return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
              "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; rank {} of "
              "communicator \"{}\" has not taken {} message",
              waiter.waited_us(), messages_[std::min(sent_, messages_.size() - 1)].rank,
              group_.name(), sent_ < messages_.size() ? "an earlier" : "the");
}

Status SendAll(Waiter& waiter, RankGroup& group, std::span<const RankMessage> messages) {
  SendPoll poll(group, messages);
  if (Status s = Await(waiter, poll); !s.ok()) return s;
  return poll.status();
}

}  // namespace anyacl::afd
