// SPDX-License-Identifier: Apache-2.0
// SharedExtent: memory that can be mapped several times and by several processes. All extents of a
// process lie in one sparse anonymous file, so that thousands cost one file descriptor; a process
// that imports one opens the file of the other through /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"

namespace anyacl {

class SharedFile;

class SharedExtent {
 public:
  // Null if the system has no memory or no file for it. The size is a multiple of a page.
  static std::shared_ptr<SharedExtent> New(size_t size, int32_t device);

  // The extent behind a token, of this process or another that lives.
  static Status Import(uint64_t token, std::shared_ptr<SharedExtent>* extent);

  // The pages go when no process holds the extent and nothing maps it.
  ~SharedExtent();
  SharedExtent(const SharedExtent&) = delete;
  SharedExtent& operator=(const SharedExtent&) = delete;

  size_t size() const { return size_; }
  int32_t device() const { return device_; }

  // Maps the first `size` bytes at the address, or where there is room if it is null. Null if the
  // system refuses.
  void* Map(void* address, size_t size) const;
  // Copies the bytes of memory into the extent and maps it in their place. Other threads may read
  // them meanwhile, and write them if a WriteBarrier holds the memory. False if the system refuses.
  bool Replace(void* memory, size_t size) const;

  // Lets other processes import it: all of the user, or those named by Allow. The token stays the
  // same as long as the extent lives.
  Status Export(bool anyone, uint64_t* token);
  // No import from now on; what is imported stays.
  void CloseExport();

  // Names processes that may import what this process exported as `token`.
  static Status Allow(uint64_t token, const int32_t* pids, size_t count);

 private:
  SharedExtent(std::shared_ptr<SharedFile> file, uint64_t offset, size_t size, int32_t device);

  const std::shared_ptr<SharedFile> file_;
  const uint64_t offset_;
  const size_t size_;
  const int32_t device_;
  const pid_t holder_;  // a forked child holds nothing
  bool imported_ = false;
  std::optional<uint32_t> slot_;  // in the file's table of exports
};

}  // namespace anyacl
