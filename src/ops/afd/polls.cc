// SPDX-License-Identifier: Apache-2.0
#include "ops/afd/polls.h"

#include <string>

#include "acl/acl_base.h"

namespace anyacl::afd {

namespace {

// " from rank 1 on host-a", if it is known who sends.
std::string From(const RankGroup* group, uint32_t rank) {
  if (group == nullptr || rank == RankGroup::kAnyRank) return "";
  return " from " + group->NameOf(rank);
}

}  // namespace

Status Expired(const Waiter& waiter, const RankGroup* group, uint64_t session, uint64_t micro_batch,
               int32_t flag) {
  return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
              "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; the first "
              "missing is session {}{}, micro batch {} with flag {}, expected {}",
              waiter.waited_us(), session, From(group, RankOfSession(group, session)), micro_batch,
              flag, kReady);
}

Status FlagsPoll::Expire(const Waiter& waiter) const {
  return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
              "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; the first "
              "missing is token and expert {} of micro batch {}{} with flag {}, expected {}",
              waiter.waited_us(), cursor_, micro_batch_, From(group_, Awaited()),
              LoadFlag(&flags_[cursor_]), kReady);
}

Status WindowHold::Acquire(const void* window) {
  if (!anyaclFindWindowGroup(window, &group_)) return {};
  task_.emplace(*group_);
  return group_->Failure();
}

}  // namespace anyacl::afd
