// SPDX-License-Identifier: Apache-2.0
// EventCount: lets threads, of several processes if it lies in shared memory, sleep until something
// has changed. A waiter looks at the count, then at what it waits for, then sleeps.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>
#include <optional>

namespace anyacl {

class EventCount {
 public:
  using Clock = std::chrono::steady_clock;

  uint32_t Look() const { return changes_.load(std::memory_order_acquire); }

  // Sleeps unless something has changed since the look. May return early.
  void Sleep(uint32_t seen, const std::optional<Clock::time_point>& end) {
    if (!end) {
      syscall(SYS_futex, Word(), FUTEX_WAIT, seen, nullptr, nullptr, 0);
      return;
    }
    const auto left = std::chrono::ceil<std::chrono::nanoseconds>(*end - Clock::now()).count();
    if (left <= 0) return;
    const timespec time = {static_cast<time_t>(left / 1000000000), left % 1000000000};
    syscall(SYS_futex, Word(), FUTEX_WAIT, seen, &time, nullptr, 0);
  }

  void WakeAll() {
    changes_.fetch_add(1, std::memory_order_acq_rel);
    syscall(SYS_futex, Word(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }

 private:
  uint32_t* Word() { return reinterpret_cast<uint32_t*>(&changes_); }

  std::atomic<uint32_t> changes_{0};
};
static_assert(sizeof(EventCount) == sizeof(uint32_t));

}  // namespace anyacl
