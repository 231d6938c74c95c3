// SPDX-License-Identifier: Apache-2.0
// Memory that is read soon. Inlined wherever it is called: kernels of every instruction set are
// among the callers.
#pragma once

#include <cstdint>

namespace anyacl {

// Asks for the first lines of a run: runs that lie anywhere, or columns in pages of their own, no
// hardware foresees, and it finds the rest of a long one by itself.
[[gnu::always_inline]] inline void AskForRun(const char* run, int64_t bytes) {
  constexpr int64_t kMost = 512;
  for (int64_t i = 0; i < (bytes < kMost ? bytes : kMost); i += 64) __builtin_prefetch(run + i);
}

}  // namespace anyacl
