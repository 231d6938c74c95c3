// SPDX-License-Identifier: Apache-2.0
// Copies and sets. The direction follows from the addresses; `kind` is only checked to be one, as
// upstream. Within our own allocations a copy cannot leave the allocation in which it begins.
#include <algorithm>
#include <atomic>
#include <cstring>

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

Status CheckCount(size_t count, size_t max, const char* max_name) {
  if (count <= max) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "count is {} bytes, expected at most {} = {}", count,
              max_name, max);
}

Status RequireContext() {
  CurrentContext current;
  return GetCurrentContext(&current);
}

struct Copy {
  char* dst;
  size_t dst_pitch;
  const char* src;
  size_t src_pitch;
  size_t width;
  size_t height;

  // From the first byte to the last.
  size_t DstSpan() const { return (height - 1) * dst_pitch + width; }
  size_t SrcSpan() const { return (height - 1) * src_pitch + width; }

  Status Check() const {
    if (Status s = CheckRange(dst, DstSpan(), "dst"); !s.ok()) return s;
    return CheckRange(src, SrcSpan(), "src");
  }
  void Run() const {
    if (dst == src && dst_pitch == src_pitch) return;
    for (size_t row = 0; row < height; ++row) {
      CopyBytes(dst + row * dst_pitch, src + row * src_pitch, width);
    }
  }
};

// Memory that neither this library allocated nor the client registered may be gone when the stream
// gets there: the copy is complete before the call returns, as upstream.
Status Enqueue(const Copy& copy, const char* api, aclrtStream handle) {
  const std::optional<Allocation> dst = FindAllocation(copy.dst);
  const std::optional<Allocation> src = FindAllocation(copy.src);
  if ((!dst || !dst->on_device()) && (!src || !src->on_device())) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "dst {} and src {} are both host memory, expected device memory on one side",
                static_cast<const void*>(copy.dst), static_cast<const void*>(copy.src));
  }
  std::shared_ptr<Stream> stream;
  if (Status s = FindStream(handle, &stream); !s.ok()) return s;
  if (Status s = copy.Check(); !s.ok()) return s;
  const bool pageable = !dst || !src;
  if (pageable) {
    if (CaptureInfoOf(*stream).status != ACL_MODEL_RI_CAPTURE_STATUS_NONE) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "stream {} is being captured and {} is neither registered nor allocated by "
                  "aclrtMallocHost, which a graph's copy needs",
                  stream->id(), dst ? "src" : "dst");
    }
    if (Status s = CheckUncapturedCall(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC); !s.ok()) return s;
  }
  const auto run = [copy]() -> Status {
    copy.Run();
    return {};
  };
  uint64_t ticket = 0;
  auto task = std::make_shared<FunctionTask<decltype(run)>>(TaskKind::kCompute, api, run);
  if (Status s = stream->Enqueue(std::move(task), &ticket); !s.ok()) return s;
  if (pageable && !stream->RunsInThisThread() &&
      stream->WaitFor(ticket, -1) == Stream::Wait::kAborted) {
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "stream {} was aborted during the copy", stream->id());
  }
  return {};
}

Status CheckSynchronous() { return CheckUncapturedCall(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT); }

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
  if (copy.height > 0 && copy.height > SIZE_MAX / pitch) {
    return Fail(ACL_ERROR_INVALID_PARAM, "height is {}, expected at most {} rows of {} bytes",
                copy.height, SIZE_MAX / pitch, pitch);
  }
  return {};
}

}  // namespace
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
  return Entry("aclrtMemcpyAsync", [&]() -> Status {
    if (count == 0) return {};
    if (Status s = NotNull(dst, "dst"); !s.ok()) return s;
    if (Status s = NotNull(src, "src"); !s.ok()) return s;
    if (Status s = CheckKind(kind); !s.ok()) return s;
    if (Status s = RequireContext(); !s.ok()) return s;
    if (Status s = CheckCount(count, destMax, "destMax"); !s.ok()) return s;
    return Enqueue({static_cast<char*>(dst), 0, static_cast<const char*>(src), 0, count, 1},
                   "aclrtMemcpyAsync", stream);
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return Entry("aclrtMemcpy2d", [&]() -> Status {
    const Copy copy{
        static_cast<char*>(dst), dpitch, static_cast<const char*>(src), spitch, width, height};
    if (Status s = CheckCopy2d(copy, kind); !s.ok()) return s;
    if (width == 0 || height == 0) return {};
    if (Status s = copy.Check(); !s.ok()) return s;
    if (Status s = CheckSynchronous(); !s.ok()) return s;
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return Entry("aclrtMemcpy2dAsync", [&]() -> Status {
    const Copy copy{
        static_cast<char*>(dst), dpitch, static_cast<const char*>(src), spitch, width, height};
    if (Status s = CheckCopy2d(copy, kind); !s.ok()) return s;
    if (width == 0 || height == 0) return {};
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
    return found->Enqueue(
        std::make_shared<FunctionTask<decltype(run)>>(TaskKind::kCompute, "aclrtMemsetAsync", run));
  });
}
}
