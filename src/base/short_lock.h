// SPDX-License-Identifier: Apache-2.0
// A lock for a few instructions, where there are many: a fork holds those of all tables at once,
// some 40, and ThreadSanitizer ends a program, a client's too, whose thread holds more than 64
// mutexes. It follows what a lock like this one orders, and does not count it.
#pragma once

#include <atomic>
#include <cstdint>

namespace anyacl {

class ShortLock {
 public:
  void lock() {
    uint32_t free = kFree;
    if (state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire)) return;
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) state_.wait(kAwaited);
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }

 private:
  enum : uint32_t { kFree, kHeld, kAwaited };
  std::atomic<uint32_t> state_{kFree};
};

}  // namespace anyacl
