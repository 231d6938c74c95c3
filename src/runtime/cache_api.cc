// SPDX-License-Identifier: Apache-2.0
// aclrtCmo*: hints to the cache ("cache maintenance operations").
#include <algorithm>
#include <cstring>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace anyacl {
namespace {

// In device memory.
struct Description {
  uint64_t address;
  uint64_t size;
  uint8_t reserved[48];  // a line of the cache, as upstream's is
};

constexpr size_t kLine = 64;
constexpr size_t kPrefetched = size_t{256} << 10;  // the least L2 of a core

Status CheckType(aclrtCmoType type) {
  const int number = static_cast<int>(type);
  if (number >= ACL_RT_CMO_TYPE_PREFETCH && number <= ACL_RT_CMO_TYPE_FLUSH) return {};
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "cmoType is {}, expected 0..3", number);
}

Status CheckBytes(const void* src, size_t size) {
  if (Status s = NotNull(src, "src"); !s.ok()) return s;
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "size is 0, expected at least 1");
  return CheckDeviceMemory(src, size, 1, "src");
}

void Prefetch(const void* src, size_t size, aclrtCmoType type) {
  if (type != ACL_RT_CMO_TYPE_PREFETCH) return;
  for (size_t i = 0; i < std::min(size, kPrefetched); i += kLine) {
    __builtin_prefetch(static_cast<const char*>(src) + i);
  }
}

template <class Body>
Status Enqueue(const char* api, aclrtStream stream, Body body) {
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s;
  return on->Enqueue(MakeTask(TaskKind::kCompute, api, std::move(body)));
}

Status RefuseBarrier() {
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "not offered, as on the products that anyacl stands for: expected aclrtCmoAsync");
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return Entry("aclrtCmoAsync", [&]() -> Status {
    if (Status s = CheckType(cmoType); !s.ok()) return s;
    if (Status s = CheckBytes(src, size); !s.ok()) return s;
    return Enqueue("aclrtCmoAsync", stream, [=]() -> Status {
      Prefetch(src, size, cmoType);
      return {};
    });
  });
}

aclError aclrtCmoGetDescSize(size_t* size) {
  return Entry("aclrtCmoGetDescSize", [&]() -> Status {
    if (Status s = NotNull(size, "size"); !s.ok()) return s;
    *size = sizeof(Description);
    return {};
  });
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  return Entry("aclrtCmoSetDesc", [&]() -> Status {
    if (Status s = NotNull(cmoDesc, "cmoDesc"); !s.ok()) return s;
    if (Status s = CheckBytes(src, size); !s.ok()) return s;
    if (Status s = CheckDeviceMemory(cmoDesc, sizeof(Description), 1, "cmoDesc"); !s.ok()) return s;
    const Description description{reinterpret_cast<uintptr_t>(src), size, {}};
    std::memcpy(cmoDesc, &description, sizeof(description));
    return {};
  });
}

aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                               const void* reserve) {
  return Entry("aclrtCmoAsyncWithDesc", [&]() -> Status {
    if (Status s = NotNull(cmoDesc, "cmoDesc"); !s.ok()) return s;
    if (reserve != nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "reserve is {}, expected null", reserve);
    }
    if (Status s = CheckType(cmoType); !s.ok()) return s;
    if (Status s = CheckDeviceMemory(cmoDesc, sizeof(Description), 1, "cmoDesc"); !s.ok()) return s;
    return Enqueue("aclrtCmoAsyncWithDesc", stream, [=]() -> Status {
      Description description;
      std::memcpy(&description, cmoDesc, sizeof(description));
      const auto* src = reinterpret_cast<const void*>(description.address);
      if (Status s = CheckBytes(src, description.size); !s.ok()) return s;
      Prefetch(src, description.size, cmoType);
      return {};
    });
  });
}

aclError aclrtCmoAsyncWithBarrier(void*, size_t, aclrtCmoType, uint32_t, aclrtStream) {
  return Entry("aclrtCmoAsyncWithBarrier", [] { return RefuseBarrier(); });
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo*, aclrtStream, uint32_t) {
  return Entry("aclrtCmoWaitBarrier", [] { return RefuseBarrier(); });
}
}
