// SPDX-License-Identifier: Apache-2.0
#include "runtime/write_barrier.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "runtime/device.h"
#include "runtime/system_memory.h"

namespace anyacl {

WriteBarrier::WriteBarrier(void* base, size_t size) {
  if (ProtectPages(base, size)) return;
  for (const std::shared_ptr<Stream>& stream : LiveStreams()) {
    if (stream->RunsInThisThread()) continue;
    stream->Hold();
    held_.push_back(stream);
  }
}

WriteBarrier::~WriteBarrier() {
  // Closing wakes whoever waits.
  if (faults_ >= 0) close(faults_);
  for (const std::shared_ptr<Stream>& stream : held_) stream->Unhold();
}

bool WriteBarrier::ProtectPages(void* base, size_t size) {
#if defined(UFFDIO_WRITEPROTECT) && defined(UFFD_USER_MODE_ONLY)
  faults_ = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
  if (faults_ < 0) return false;
  // Only pages that exist can be protected.
  for (size_t offset = 0; offset < size; offset += PageSize()) {
    auto& byte = *reinterpret_cast<unsigned char*>(static_cast<char*>(base) + offset);
    std::atomic_ref<unsigned char>(byte).fetch_or(0);
  }
  const auto start = reinterpret_cast<uintptr_t>(base);
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = UFFD_FEATURE_PAGEFAULT_FLAG_WP;
  uffdio_register region{};
  region.range = {start, size};
  region.mode = UFFDIO_REGISTER_MODE_WP;
  uffdio_writeprotect protect{};
  protect.range = {start, size};
  protect.mode = UFFDIO_WRITEPROTECT_MODE_WP;
  if (ioctl(faults_, UFFDIO_API, &api) == 0 && ioctl(faults_, UFFDIO_REGISTER, &region) == 0 &&
      ioctl(faults_, UFFDIO_WRITEPROTECT, &protect) == 0) {
    return true;
  }
  close(faults_);
  faults_ = -1;
#else
  static_cast<void>(base);
  static_cast<void>(size);
#endif
  return false;
}

}  // namespace anyacl
