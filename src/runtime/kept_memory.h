// SPDX-License-Identifier: Apache-2.0
// KeptMemory: blocks that were freed while graphs live. A graph may hold their addresses and write
// there at every replay, as those of llama.cpp do to buffers that a larger batch has replaced: an
// NPU hides it, where the system's allocator would be damaged.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include "runtime/system_memory.h"

namespace anyacl {

class KeptMemory {
 public:
  static constexpr size_t kMostBytes = size_t{256} << 20;

  // And gives back the oldest ones beyond kMostBytes.
  void Keep(void* block, size_t bytes) {
    blocks_.emplace_back(block, bytes);
    bytes_ += bytes;
    Trim(kMostBytes);
  }
  void Clear() { Trim(0); }

 private:
  void Trim(size_t most) {
    while (bytes_ > most) {
      SystemFree(blocks_.front().first);
      bytes_ -= blocks_.front().second;
      blocks_.pop_front();
    }
  }

  std::deque<std::pair<void*, size_t>> blocks_;
  size_t bytes_ = 0;
};

}  // namespace anyacl
