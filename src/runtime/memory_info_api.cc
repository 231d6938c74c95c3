// SPDX-License-Identifier: Apache-2.0
// aclrt* functions that describe memory and register the program's own.
#include <algorithm>
#include <cstring>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/settings.h"
#include "runtime/system_memory.h"

namespace anyacl {
namespace {

Status Register(void* address, uint64_t size) {
  if (size == 0 || size > UINTPTR_MAX - reinterpret_cast<uintptr_t>(address)) {
    return Fail(ACL_ERROR_INVALID_PARAM, "size is {}, expected 1 up to the end of the addresses",
                size);
  }
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  return RegisterHost(address, size, current.context->device());
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

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
    attributes->pageSize = static_cast<uint32_t>(PageSize());
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

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  return Entry("aclrtGetMemUsageInfo", [&]() -> Status {
    if (Status s = NotNull(memUsageInfo, "memUsageInfo"); !s.ok()) return s;
    if (Status s = NotNull(outputNum, "outputNum"); !s.ok()) return s;
    *outputNum = 0;
    if (inputNum == 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "inputNum is 0, expected at least 1");
    }
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    *memUsageInfo = {};
    std::strncpy(memUsageInfo->name, "APP", sizeof(memUsageInfo->name) - 1);
    memUsageInfo->curMemSize = DeviceBytesInUse(deviceId);
    memUsageInfo->memPeakSize = PeakDeviceBytes(deviceId);
    *outputNum = 1;
    return {};
  });
}

aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return Entry("aclrtMemGetAddressRange", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    const std::optional<Allocation> allocation = FindAllocation(ptr);
    if (!allocation || !allocation->on_device()) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "ptr {} lies in no device memory", ptr);
    }
    if (pbase != nullptr) *pbase = reinterpret_cast<void*>(allocation->base);
    if (psize != nullptr) *psize = allocation->requested;
    return {};
  });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return Entry("aclrtHostRegister", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (Status s = NotNull(devPtr, "devPtr"); !s.ok()) return s;
    constexpr int kKnown = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
    if ((static_cast<int>(type) & ~kKnown) != 0) {
      return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "type is {}, expected ACL_HOST_REGISTER_MAPPED (0) or a combination of _IOMEMORY "
                  "(4) and _READONLY (8)",
                  static_cast<int>(type));
    }
    if (Status s = Register(ptr, size); !s.ok()) return s;
    *devPtr = ptr;
    return {};
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return Entry("aclrtHostRegisterV2", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    constexpr uint32_t kKnown =
        ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
    if (flag == 0 || (flag & ~kKnown) != 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected a combination of {:#x}",
                  flag, kKnown);
    }
    return Register(ptr, size);
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return Entry("aclrtHostUnregister", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (UnregisterHost(ptr)) return {};
    return Fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
                "ptr {} is not registered, expected the start of registered memory", ptr);
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return Entry("aclrtHostGetDevicePointer", [&]() -> Status {
    if (Status s = NotNull(pHost, "pHost"); !s.ok()) return s;
    if (Status s = NotNull(pDevice, "pDevice"); !s.ok()) return s;
    if (flag != 0) return Fail(ACL_ERROR_INVALID_PARAM, "flag is {}, expected 0", flag);
    const std::optional<Allocation> found = FindAllocation(pHost);
    if (!found || found->on_device()) {
      return Fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
                  "pHost {} is neither registered nor of aclrtMallocHost", pHost);
    }
    *pDevice = pHost;
    return {};
  });
}
}
