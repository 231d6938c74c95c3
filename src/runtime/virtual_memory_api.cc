// SPDX-License-Identifier: Apache-2.0
// aclrt* functions of virtual memory management.
#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/system_memory.h"
#include "runtime/virtual_memory.h"

namespace anyacl {
namespace {

Status CheckPositive(size_t size) {
  if (size > 0) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "size is 0, expected at least 1");
}

Status CheckZero(uint64_t value, const char* parameter) {
  if (value == 0) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "{} is {}, expected 0", parameter, value);
}

Status CheckProperties(const aclrtPhysicalMemProp* prop) {
  if (Status s = NotNull(prop, "prop"); !s.ok()) return s;
  if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "prop->handleType is {}, expected ACL_MEM_HANDLE_TYPE_NONE (0)",
                static_cast<int>(prop->handleType));
  }
  if (prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "prop->allocationType is {}, expected ACL_MEM_ALLOCATION_TYPE_PINNED (0)",
                static_cast<int>(prop->allocationType));
  }
  const aclrtMemLocationType type = prop->location.type;
  if (type != ACL_MEM_LOCATION_TYPE_DEVICE && type != ACL_MEM_LOCATION_TYPE_HOST &&
      type != ACL_MEM_LOCATION_TYPE_HOST_NUMA) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "prop->location.type is {}, expected ACL_MEM_LOCATION_TYPE_HOST (0), _DEVICE (1) "
                "or _HOST_NUMA (4)",
                static_cast<int>(type));
  }
  return type == ACL_MEM_LOCATION_TYPE_DEVICE ? CheckDevice(static_cast<int32_t>(prop->location.id))
                                              : Status();
}

Status MapPhysical(void* address, size_t size, size_t offset, aclrtDrvMemHandle handle,
                   uint64_t flags, aclrtMemAccessFlags access) {
  if (Status s = NotNull(address, "virPtr"); !s.ok()) return s;
  if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
  if (Status s = CheckPositive(size); !s.ok()) return s;
  if (Status s = CheckZero(flags, "flags"); !s.ok()) return s;
  std::shared_ptr<PhysicalMemory> memory;
  if (Status s = FindPhysical(handle, &memory); !s.ok()) return s;
  if (Status s = CheckZero(offset, "offset"); !s.ok()) return s;
  if (size > memory->size()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}, expected at most the handle's {} bytes",
                size, memory->size());
  }
  if (reinterpret_cast<uintptr_t>(address) % kGranularity != 0) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "virPtr is {}, expected a multiple of {}", address,
                kGranularity);
  }
  return Map(address, RoundUp(size, kGranularity), memory, access);
}

// -1 for the host, whose memory is every device's.
Status DeviceAt(const aclrtMemLocation& location, const char* parameter, int32_t* device) {
  *device = -1;
  if (location.type == ACL_MEM_LOCATION_TYPE_HOST) return {};
  if (location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "{}.type is {}, expected ACL_MEM_LOCATION_TYPE_HOST (0) or _DEVICE (1)", parameter,
                static_cast<int>(location.type));
  }
  *device = static_cast<int32_t>(location.id);
  return CheckDevice(*device);
}

Status CheckAccess(aclrtMemAccessFlags flags) {
  switch (flags) {
    case ACL_RT_MEM_ACCESS_FLAGS_NONE:
    case ACL_RT_MEM_ACCESS_FLAGS_READ:
    case ACL_RT_MEM_ACCESS_FLAGS_READWRITE:
      return {};
  }
  return Fail(ACL_ERROR_INVALID_PARAM,
              "desc->flags is {}, expected 0 (none), 1 (read) or 3 "
              "(read and write)",
              static_cast<int>(flags));
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                          aclrtMemGranularityOptions option, size_t* granularity) {
  return Entry("aclrtMemGetAllocationGranularity", [&]() -> Status {
    if (Status s = CheckProperties(prop); !s.ok()) return s;
    if (Status s = NotNull(granularity, "granularity"); !s.ok()) return s;
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "option is {}, expected 0 (minimum) or 1 (recommended)",
                  static_cast<int>(option));
    }
    *granularity = kGranularity;
    return {};
  });
}

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  return Entry("aclrtReserveMemAddress", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    if (Status s = CheckPositive(size); !s.ok()) return s;
    if (Status s = CheckZero(alignment, "alignment"); !s.ok()) return s;
    if (expectPtr != nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "expectPtr is {}, expected null", expectPtr);
    }
    if (flags > 1) {
      return Fail(ACL_ERROR_INVALID_PARAM, "flags is {}, expected 0 or 1 (huge pages)", flags);
    }
    return ReserveAddress(virPtr, size);
  });
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return Entry("aclrtReleaseMemAddress", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    return ReleaseAddress(virPtr);
  });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* prop, uint64_t flags) {
  return Entry("aclrtMallocPhysical", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    if (Status s = CheckProperties(prop); !s.ok()) return s;
    if (Status s = CheckPositive(size); !s.ok()) return s;
    if (Status s = CheckZero(flags, "flags"); !s.ok()) return s;
    return AllocatePhysical(size, *prop, handle);
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return Entry("aclrtFreePhysical", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    if (PhysicalMemories().Remove(handle) != nullptr) return {};
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "handle {} is not live physical memory", handle);
  });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
  return Entry("aclrtMapMem", [&] {
    return MapPhysical(virPtr, size, offset, handle, flags, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  });
}

aclError aclrtUnmapMem(void* virPtr) {
  return Entry("aclrtUnmapMem", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    return Unmap(virPtr);
  });
}

aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  return Entry("aclrtMemSetAccess", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    if (Status s = NotNull(desc, "desc"); !s.ok()) return s;
    int32_t device = 0;
    for (size_t i = 0; i < count; ++i) {
      if (Status s = CheckAccess(desc[i].flags); !s.ok()) return s;
      if (Status s = DeviceAt(desc[i].location, "desc->location", &device); !s.ok()) return s;
    }
    for (size_t i = 0; i < count; ++i) {
      if (Status s = DeviceAt(desc[i].location, "desc->location", &device); !s.ok()) return s;
      if (Status s = SetAccess(virPtr, RoundUp(size, kGranularity), device, desc[i].flags);
          !s.ok()) {
        return s;
      }
    }
    return {};
  });
}

aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  return Entry("aclrtMemGetAccess", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    if (Status s = NotNull(location, "location"); !s.ok()) return s;
    if (Status s = NotNull(flag, "flag"); !s.ok()) return s;
    int32_t device = 0;
    if (Status s = DeviceAt(*location, "location", &device); !s.ok()) return s;
    return GetAccess(virPtr, device, flag);
  });
}

aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  return Entry("aclrtMemRetainAllocationHandle", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    return RetainPhysical(virPtr, handle);
  });
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                   aclrtPhysicalMemProp* prop) {
  return Entry("aclrtMemGetAllocationPropertiesFromHandle", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    if (Status s = NotNull(prop, "prop"); !s.ok()) return s;
    std::shared_ptr<PhysicalMemory> memory;
    if (Status s = FindPhysical(handle, &memory); !s.ok()) return s;
    *prop = memory->prop();
    return {};
  });
}
aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags) {
  return Entry("aclrtMemMapNoAccess", [&] {
    return MapPhysical(virPtr, size, offset, handle, flags, ACL_RT_MEM_ACCESS_FLAGS_NONE);
  });
}
}
