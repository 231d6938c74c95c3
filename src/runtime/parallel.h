// SPDX-License-Identifier: Apache-2.0
// ParallelFor: the calling thread and the workers of one pool share the chunks of a loop.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "runtime/exports.h"

namespace anyacl {

// Calls f(begin, end) once for each chunk [k * grain, min((k + 1) * grain, count)), in any order
// and from several threads at once, and returns when all calls have returned. Nothing happens for
// count <= 0; a grain below 1 counts as 1.
//
// The chunks depend on count and grain alone: what is computed per chunk and combined in the order
// of the chunks has the same bits for every number of threads. Choose a grain of at least 2 us of
// work (a chunk costs 0.02 us to hand out) and, where the sizes allow, several chunks per thread.
//
// f may take a third argument, the slot of the thread that calls it, below ThreadCount() and below
// the number of chunks; no two threads of one ParallelFor have the same. It stands for a piece of
// scratch memory; nothing else may depend on it. A ParallelFor inside of f passes f's own slot on.
//
// f must neither throw nor block nor wait for another chunk. Inside of f, ParallelFor runs in the
// thread that calls it. Threads may call it at the same time; they share the workers, and none
// waits for a worker that has not begun one of its chunks.
template <class Function>
void ParallelFor(int64_t count, int64_t grain, const Function& f) {
  constexpr bool kTakesSlot = std::is_invocable_v<const Function&, int64_t, int64_t, int64_t>;
  if constexpr (!kTakesSlot) {
    if (count <= grain) {  // not worth a look at the pool
      if (count > 0) f(int64_t{0}, count);
      return;
    }
  }
  anyaclParallelFor(
      count, grain,
      [](const void* context, int64_t begin, int64_t end, [[maybe_unused]] int64_t slot) noexcept {
        if constexpr (kTakesSlot) {
          (*static_cast<const Function*>(context))(begin, end, slot);
        } else {
          (*static_cast<const Function*>(context))(begin, end);
        }
      },
      std::addressof(f));
}

// How many threads a ParallelFor may use, the caller included. Only for what cannot change results,
// such as the number of scratch buffers. It never grows, nor in a child that is forked.
inline int64_t ThreadCount() { return anyaclThreadCount(); }

// Said once by a stream's thread: a thread of the client works beside it and keeps a CPU. Only
// within libascendcl.
void ThisThreadServesClient();

}  // namespace anyacl
