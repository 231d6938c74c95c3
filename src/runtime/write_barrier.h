// SPDX-License-Identifier: Apache-2.0
// WriteBarrier: while it lives, threads that write to the pages wait; they go on, after its end,
// with what is mapped there then.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/stream.h"

namespace anyacl {

class WriteBarrier {
 public:
  // Whole pages of private memory. Holds up all writers where the kernel lets us (userfaultfd,
  // which some containers forbid), else the computing tasks of all streams. Must be called without
  // the locks of memory.
  WriteBarrier(void* base, size_t size);
  ~WriteBarrier();
  WriteBarrier(const WriteBarrier&) = delete;
  WriteBarrier& operator=(const WriteBarrier&) = delete;

 private:
  bool ProtectPages(void* base, size_t size);

  int faults_ = -1;  // of userfaultfd
  std::vector<std::shared_ptr<Stream>> held_;
};

}  // namespace anyacl
