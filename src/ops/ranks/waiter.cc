// SPDX-License-Identifier: Apache-2.0
#include "ops/ranks/waiter.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "acl/acl_base.h"
#include "ops/ranks/options.h"
#include "runtime/exports.h"

namespace anyacl::ranks {
namespace {

using std::chrono::microseconds;

// Three stages by the time waited. A decode step at 50 ms a token leaves 61 layers of 3 micro
// batches 270 us each: what comes within a stage finds the thread spinning or yielding.
//
// Spinning keeps the CPU; for as long as Stream's own waits do, because waking up a sleeper costs
// 4 us or more.
constexpr microseconds kSpin{50};
// Yielding keeps the CPU only if nobody else wants it: eight blocked schedulers leave two cores to
// whoever works there.
constexpr microseconds kYield{1000};
// A sleep of a sixteenth of the time waited so far adds at most that share to the wait. A constant
// 50 us, with the kernel's slack of 50 us, takes 12 % of a core, 1 ms 1.4 %: reached after 16 ms,
// it stays below the 5 % that an idle worker may cost and ends within 10 ms of a stop.
constexpr int kShare = 16;
constexpr microseconds kShortestSleep{50};
constexpr microseconds kLongestSleep{1000};

constexpr uint64_t kLongestTimeoutUs = uint64_t{1} << 50;  // 35 years: the clock does not overflow

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

Waiter::Waiter(const StopToken& stop, RankGroup* group)
    : stop_(stop),
      group_(group),
      begin_(Clock::now()),
      deadline_(begin_ + microseconds(std::min(anyaclOpExecuteTimeoutUs(), kLongestTimeoutUs))),
      spin_(Options::Get().spin) {}

uint64_t Waiter::waited_us() const {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<microseconds>(Clock::now() - begin_).count());
}

Waiter::Verdict Waiter::EndBlock() {
  if (stop_.Requested()) return Verdict::kStopped;
  if (group_ != nullptr) {
    group_->Progress();
    failure_ = group_->Failure();
    if (!failure_.ok()) return Verdict::kGroupFailed;
  }
  const Clock::time_point now = Clock::now();
  if (now >= deadline_) return Verdict::kExpired;
  const Clock::duration waited = now - begin_;
  slept_ = waited >= kYield;
  if (spin_ || waited < kSpin) return Verdict::kPollAgain;
  // From here on every poll ends a block: a look at the clock is cheap beside a system call.
  polls_ = kBlock - 1;
  if (waited < kYield) {
    std::this_thread::yield();
  } else {
    const Clock::duration sleep =
        std::clamp<Clock::duration>(waited / kShare, kShortestSleep, kLongestSleep);
    std::this_thread::sleep_for(std::min(sleep, deadline_ - now));
  }
  return Verdict::kPollAgain;
}

}  // namespace anyacl::ranks
