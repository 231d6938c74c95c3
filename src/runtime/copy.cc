// SPDX-License-Identifier: Apache-2.0
// Copies and sets. The direction follows from the addresses; `kind` is only checked to be one, as
// upstream. Within our own allocations a copy cannot leave the allocation in which it begins.
#include "runtime/copy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace anyacl {
namespace {

// Whether one store can write it all: flags that other threads poll are set by small copies.
bool IsWord(const void* address, size_t size) {
  return (size == 4 || size == 8) && reinterpret_cast<uintptr_t>(address) % size == 0;
}

template <class Word>
void StoreWord(void* dst, const void* src) {
  Word value;
  std::memcpy(&value, src, sizeof(value));
  std::atomic_ref<Word>(*static_cast<Word*>(dst)).store(value, std::memory_order_release);
}

// What is written before an aligned word of 4 or 8 bytes is visible to whoever sees the word, and
// the word is never seen half written.
void CopyBytes(void* dst, const void* src, size_t size) {
  if (!IsWord(dst, size)) {
    std::memmove(dst, src, size);
  } else if (size == 4) {
    StoreWord<uint32_t>(dst, src);
  } else {
    StoreWord<uint64_t>(dst, src);
  }
}

void SetBytes(void* dst, int32_t value, size_t size) {
  if (!IsWord(dst, size)) {
    std::memset(dst, value & 0xff, size);
    return;
  }
  unsigned char bytes[8];
  std::memset(bytes, value & 0xff, sizeof(bytes));
  CopyBytes(dst, bytes, size);
}

Status CheckKind(aclrtMemcpyKind kind) {
  if (kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "kind is {}, expected 0..{}", static_cast<int>(kind),
              static_cast<int>(ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE));
}

// Bytes that take less time than to hand a task to another thread.
constexpr size_t kSmall = 16384;

Status CheckCount(size_t count, size_t max, const char* max_name) {
  if (count <= max) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "count is {} bytes, expected at most {} = {}", count,
              max_name, max);
}

Status RequireContext() {
  CurrentContext current;
  return GetCurrentContext(&current);
}

}  // namespace

Status Copy::Check() const {
  if (Status s = CheckRange(dst, (height - 1) * dst_pitch + width, "dst"); !s.ok()) return s;
  return CheckRange(src, (height - 1) * src_pitch + width, "src");
}

Status Copy::CheckAsync() const {
  const std::optional<Allocation> to = FindAllocation(dst);
  const std::optional<Allocation> from = FindAllocation(src);
  if ((to && to->on_device()) || (from && from->on_device())) return {};
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "dst {} and src {} are both host memory, expected device memory on one side",
              static_cast<const void*>(dst), static_cast<const void*>(src));
}

void Copy::Run() const {
  if (dst == src && dst_pitch == src_pitch) return;
  for (size_t row = 0; row < height; ++row) {
    CopyBytes(dst + row * dst_pitch, src + row * src_pitch, width);
  }
}

namespace {

template <class Copies>
Status EnqueueAll(Copies copies, const char* api, aclrtStream handle) {
  std::shared_ptr<Stream> stream;
  if (Status s = FindStream(handle, &stream); !s.ok()) return s;
  const auto pageable = std::find_if(copies.begin(), copies.end(), [](const Copy& copy) {
    return !FindAllocation(copy.dst) || !FindAllocation(copy.src);
  });
  const bool waits = pageable != copies.end();
  if (waits) {
    if (CaptureInfoOf(*stream).status != ACL_MODEL_RI_CAPTURE_STATUS_NONE) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "stream {} is being captured and {} is neither registered nor allocated by "
                  "aclrtMallocHost, which a graph's copy needs",
                  stream->id(), FindAllocation(pageable->dst) ? "src" : "dst");
    }
    if (Status s = CheckUncapturedCall(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC); !s.ok()) return s;
  }
  size_t bytes = 0;
  for (const Copy& copy : copies) bytes += copy.width * copy.height;
  auto run = [copies = std::move(copies)]() -> Status {
    for (const Copy& copy : copies) copy.Run();
    return {};
  };
  uint64_t ticket = 0;
  auto task = MakeTask(TaskKind::kCompute, api, std::move(run), bytes <= kSmall);
  if (Status s = stream->Enqueue(std::move(task), &ticket); !s.ok()) return s;
  if (waits && !stream->RunsInThisThread() &&
      stream->WaitFor(ticket, -1) == Stream::Wait::kAborted) {
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "stream {} was aborted during the copy", stream->id());
  }
  return {};
}

Status CheckSynchronous() { return CheckUncapturedCall(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT); }

Status Enqueue(const Copy& copy, const char* api, aclrtStream stream) {
  if (Status s = copy.CheckAsync(); !s.ok()) return s;
  if (Status s = copy.Check(); !s.ok()) return s;
  return EnqueueAll(std::array<Copy, 1>{copy}, api, stream);
}

Status MemcpyAsync(const char* api, void* dst, size_t max, const void* src, size_t count,
                   aclrtMemcpyKind kind, aclrtStream stream) {
  if (count == 0) return {};
  if (Status s = NotNull(dst, "dst"); !s.ok()) return s;
  if (Status s = NotNull(src, "src"); !s.ok()) return s;
  if (Status s = CheckKind(kind); !s.ok()) return s;
  if (Status s = RequireContext(); !s.ok()) return s;
  if (Status s = CheckCount(count, max, "destMax"); !s.ok()) return s;
  return Enqueue({static_cast<char*>(dst), 0, static_cast<const char*>(src), 0, count, 1}, api,
                 stream);
}

Status CheckSet(const void* address, size_t max, size_t count) {
  if (Status s = NotNull(address, "devPtr"); !s.ok()) return s;
  if (Status s = RequireContext(); !s.ok()) return s;
  if (Status s = CheckCount(count, max, "maxCount"); !s.ok()) return s;
  return CheckRange(address, count, "devPtr");
}

Status CheckCopy2d(const Copy& copy, aclrtMemcpyKind kind) {
  if (Status s = NotNull(copy.dst, "dst"); !s.ok()) return s;
  if (Status s = NotNull(copy.src, "src"); !s.ok()) return s;
  if (Status s = CheckKind(kind); !s.ok()) return s;
  if (copy.width > copy.dst_pitch || copy.width > copy.src_pitch) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "width is {}, expected at most dpitch = {} and spitch = {}", copy.width,
                copy.dst_pitch, copy.src_pitch);
  }
  if (Status s = RequireContext(); !s.ok()) return s;
  const size_t pitch = std::max(copy.dst_pitch, copy.src_pitch);
  if (copy.height > SIZE_MAX / pitch) {
    return Fail(ACL_ERROR_INVALID_PARAM, "height is {}, expected at most {} rows of {} bytes",
                copy.height, SIZE_MAX / pitch, pitch);
  }
  return {};
}

}  // namespace

Status EnqueueCopies(std::vector<Copy> copies, const char* api, aclrtStream stream) {
  return EnqueueAll(std::move(copies), api, stream);
}

}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return Entry("aclrtMemcpy", [&]() -> Status {
    if (count == 0) return {};
    if (Status s = NotNull(dst, "dst"); !s.ok()) return s;
    if (Status s = NotNull(src, "src"); !s.ok()) return s;
    if (Status s = CheckKind(kind); !s.ok()) return s;
    if (Status s = RequireContext(); !s.ok()) return s;
    if (Status s = CheckCount(count, destMax, "destMax"); !s.ok()) return s;
    const Copy copy{static_cast<char*>(dst), 0, static_cast<const char*>(src), 0, count, 1};
    if (Status s = copy.Check(); !s.ok()) return s;
    if (Status s = CheckSynchronous(); !s.ok()) return s;
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return Entry("aclrtMemcpyAsync", [&] {
    return MemcpyAsync("aclrtMemcpyAsync", dst, destMax, src, count, kind, stream);
  });
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return Entry("aclrtMemcpyAsyncWithCondition", [&] {
    return MemcpyAsync("aclrtMemcpyAsyncWithCondition", dst, destMax, src, count, kind, stream);
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return Entry("aclrtMemcpy2d", [&]() -> Status {
    if (width == 0 || height == 0) return {};
    const Copy copy{
        static_cast<char*>(dst), dpitch, static_cast<const char*>(src), spitch, width, height};
    if (Status s = CheckCopy2d(copy, kind); !s.ok()) return s;
    if (Status s = copy.Check(); !s.ok()) return s;
    if (Status s = CheckSynchronous(); !s.ok()) return s;
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return Entry("aclrtMemcpy2dAsync", [&]() -> Status {
    if (width == 0 || height == 0) return {};
    const Copy copy{
        static_cast<char*>(dst), dpitch, static_cast<const char*>(src), spitch, width, height};
    if (Status s = CheckCopy2d(copy, kind); !s.ok()) return s;
    return Enqueue(copy, "aclrtMemcpy2dAsync", stream);
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return Entry("aclrtMemset", [&]() -> Status {
    if (count == 0) return {};
    if (Status s = CheckSet(devPtr, maxCount, count); !s.ok()) return s;
    if (Status s = CheckSynchronous(); !s.ok()) return s;
    SetBytes(devPtr, value, count);
    return {};
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return Entry("aclrtMemsetAsync", [&]() -> Status {
    if (count == 0) return {};
    if (Status s = CheckSet(devPtr, maxCount, count); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    const auto run = [=]() -> Status {
      SetBytes(devPtr, value, count);
      return {};
    };
    const bool small = count <= kSmall;
    return found->Enqueue(MakeTask(TaskKind::kCompute, "aclrtMemsetAsync", run, small));
  });
}
}
