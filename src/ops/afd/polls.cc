// SPDX-License-Identifier: Apache-2.0
#include "ops/afd/polls.h"

#include <cstdlib>
#include <string_view>

#include "ops/afd/options.h"

namespace anyacl::afd {
namespace {

bool IsChosen(const char* name, std::string_view chosen, std::string_view other) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0' || value == other) return false;
  if (value == chosen) return true;
  Warn("{} is \"{}\", expected {} or {}; ignored", name, value, chosen, other);
  return false;
}

}  // namespace

const Options& Options::Get() {
  static const Options options = [] {
    Options read;
    read.spin = IsChosen("ANYACL_POLL", "spin", "backoff");
    read.fair = IsChosen("ANYACL_FAIR_GROUPS", "1", "0");
    return read;
  }();
  return options;
}

Status Stopped() {
  return Fail(ACL_ERROR_RT_STREAM_ABORT, "the stream was aborted or its device reset");
}

Status Expired(const Waiter& waiter, uint64_t session, uint64_t micro_batch, int32_t flag) {
  return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
              "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; the first "
              "missing is session {}, micro batch {} with flag {}, expected {}",
              waiter.waited_us(), session, micro_batch, flag, kReady);
}

Status FlagsPoll::Expire(const Waiter& waiter) const {
  return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
              "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; the first "
              "missing is token and expert {} of micro batch {} with flag {}, expected {}",
              waiter.waited_us(), cursor_, micro_batch_, LoadFlag(&flags_[cursor_]), kReady);
}

std::shared_ptr<RankGroup> GroupOf(const void* window) {
  std::shared_ptr<RankGroup> group;
  (void)anyaclFindWindowGroup(window, &group);
  return group;
}

}  // namespace anyacl::afd
