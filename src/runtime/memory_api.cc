// SPDX-License-Identifier: Apache-2.0
// aclrt* functions that allocate, free and describe memory.
#include <unistd.h>

#include <algorithm>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/settings.h"

namespace anyacl {
namespace {

Status MallocIn(MemoryKind kind, void** address, const char* parameter, size_t size,
                Padding padding) {
  if (Status s = NotNull(address, parameter); !s.ok()) return s;
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "size is 0, expected at least 1");
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  return Allocate(size, kind, current.context->device(), padding, address);
}

// The huge-page policies of one gigabyte get no padding upstream.
Padding PaddingOf(aclrtMemMallocPolicy policy) {
  return policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P
             ? Padding::kRound32
             : Padding::kRound32Plus32;
}

Status FreeMemory(void* address, const char* parameter, MemoryKind kind, bool synchronize) {
  if (address == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} is null, expected the address of an allocation",
                parameter);
  }
  if (synchronize) {
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    if (Status s = SynchronizeDevice(current.context->device(), -1); !s.ok()) return s;
  }
  return Free(address, parameter, kind);
}

Status CheckCacheRange(const void* address, size_t size) {
  if (Status s = NotNull(address, "devPtr"); !s.ok()) return s;
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "size is 0, expected at least 1");
  return CheckRange(address, size, "devPtr");
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return Entry("aclrtMalloc", [&] {
    return MallocIn(MemoryKind::kDevice, devPtr, "devPtr", size, PaddingOf(policy));
  });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/) {
  return Entry("aclrtMallocAlign32", [&] {
    return MallocIn(MemoryKind::kDevice, devPtr, "devPtr", size, Padding::kRound32);
  });
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return Entry("aclrtMallocCached", [&] {
    return MallocIn(MemoryKind::kDevice, devPtr, "devPtr", size, PaddingOf(policy));
  });
}

aclError aclrtFree(void* devPtr) {
  return Entry("aclrtFree",
               [&] { return FreeMemory(devPtr, "devPtr", MemoryKind::kDevice, false); });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return Entry("aclrtFreeWithDevSync",
               [&] { return FreeMemory(devPtr, "devPtr", MemoryKind::kDevice, true); });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return Entry("aclrtMallocHost", [&] {
    return MallocIn(MemoryKind::kHost, hostPtr, "hostPtr", size, Padding::kNone);
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return Entry("aclrtFreeHost",
               [&] { return FreeMemory(hostPtr, "hostPtr", MemoryKind::kHost, false); });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return Entry("aclrtFreeHostWithDevSync",
               [&] { return FreeMemory(hostPtr, "hostPtr", MemoryKind::kHost, true); });
}

// A CPU's caches are coherent: the calls only check their arguments.
aclError aclrtMemFlush(void* devPtr, size_t size) {
  return Entry("aclrtMemFlush", [&] { return CheckCacheRange(devPtr, size); });
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return Entry("aclrtMemInvalidate", [&] { return CheckCacheRange(devPtr, size); });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* freeSize, size_t* totalSize) {
  return Entry("aclrtGetMemInfo", [&]() -> Status {
    if (Status s = NotNull(freeSize, "freeSize"); !s.ok()) return s;
    if (Status s = NotNull(totalSize, "totalSize"); !s.ok()) return s;
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
      return Fail(ACL_ERROR_INVALID_PARAM, "attr is {}, expected 0..{}", static_cast<int>(attr),
                  static_cast<int>(ACL_MEM_P2P_HUGE1G));
    }
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    const size_t total = Env().device_memory;
    const size_t used = std::min(DeviceBytesInUse(current.context->device()), total);
    *totalSize = total;
    *freeSize = total - used;
    return {};
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return Entry("aclrtPointerGetAttributes", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (Status s = NotNull(attributes, "attributes"); !s.ok()) return s;
    const std::optional<Allocation> allocation = FindAllocation(ptr);
    *attributes = {};
    attributes->pageSize = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
    if (!allocation) {
      attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    } else if (allocation->on_device()) {
      attributes->location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
      attributes->location.id = static_cast<uint32_t>(allocation->device);
    } else {
      attributes->location.type = ACL_MEM_LOCATION_TYPE_HOST;
    }
    return {};
  });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return Entry("aclrtHostRegister", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (Status s = NotNull(devPtr, "devPtr"); !s.ok()) return s;
    if (size == 0 || size > UINTPTR_MAX - reinterpret_cast<uintptr_t>(ptr)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "size is {}, expected 1 up to the end of the addresses",
                  size);
    }
    if (type != ACL_HOST_REGISTER_MAPPED) {
      return Fail(ACL_ERROR_INVALID_PARAM, "type is {}, expected ACL_HOST_REGISTER_MAPPED (0)",
                  static_cast<int>(type));
    }
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    const auto base = reinterpret_cast<uintptr_t>(ptr);
    if (Status s =
            AddRegion({base, size, size, MemoryKind::kRegistered, current.context->device()});
        !s.ok()) {
      return s;
    }
    *devPtr = ptr;
    return {};
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return Entry("aclrtHostUnregister", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (RemoveRegion(ptr, MemoryKind::kRegistered)) return {};
    return Fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
                "ptr {} is not registered, expected the start of registered memory", ptr);
  });
}
}
