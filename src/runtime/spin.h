// SPDX-License-Identifier: Apache-2.0
// Waiting without sleep, for what is about to happen.
#pragma once

#include <chrono>

#include "runtime/cpus.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace anyacl {

inline void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waking a sleeping thread costs 4 us or more; a call that follows within this time finds the other
// side awake. Kept short because a spinning thread takes a CPU from the pool.
template <class Ready>
void SpinUntil(Ready ready) {
  if (ProcessCpus().count() == 1) return;
  constexpr std::chrono::microseconds kSpin{50};
  const auto end = std::chrono::steady_clock::now() + kSpin;
  while (!ready()) {
    for (int i = 0; i < 32 && !ready(); ++i) Pause();
    if (std::chrono::steady_clock::now() > end) return;
  }
}

}  // namespace anyacl
