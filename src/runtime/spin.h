// SPDX-License-Identifier: Apache-2.0
// Waiting without sleep, for what is about to happen.
#pragma once

#include <sched.h>

#include <chrono>
#include <mutex>

#include "runtime/cpus.h"

namespace anyacl {

inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();  // <immintrin.h> takes 0.3 s to compile
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waking a sleeping thread costs 4 us or more; a call that follows within this time finds the other
// side awake. Kept short because a spinning thread takes a CPU from the pool.
inline constexpr std::chrono::microseconds kSpin{50};

// True if it became ready.
template <class Ready>
bool SpinUntil(Ready ready, std::chrono::microseconds most = kSpin) {
  if (ProcessCpus().count() == 1) return false;
  const auto end = std::chrono::steady_clock::now() + most;
  while (!ready()) {
    for (int i = 0; i < 32 && !ready(); ++i) Pause();
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

// Longer than nearly all gaps between the calls of a client that is busy itself: of a transformer
// that generates by calls of 23 us each, one in eleven came more than 50 us after the last, and to
// wake the stream's thread for them took a twentieth of the client's time.
inline constexpr std::chrono::microseconds kYield{300};

// Within this time a thread that waits for its own task has begun with it, and has done a small
// one.
inline constexpr std::chrono::microseconds kTakesItself{2};

// The same for kYield, without keeping others from the CPU. True if it became ready.
template <class Ready>
bool YieldUntil(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + kYield;
  while (!ready()) {
    if (ProcessCpus().count() == 1 || std::chrono::steady_clock::now() > end) return false;
    sched_yield();
  }
  return true;
}

// For a mutex that is nearly always held for less than a microsecond: who sleeps on it runs 20 to
// 40 us after it is free.
template <class Mutex>
void LockSpinning(std::unique_lock<Mutex>& lock) {
  const int tries = ProcessCpus().count() == 1 ? 0 : 200;
  for (int i = 0; i < tries; ++i) {
    if (lock.try_lock()) return;
    Pause();
  }
  lock.lock();
}

}  // namespace anyacl
