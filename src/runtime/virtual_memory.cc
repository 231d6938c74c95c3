// SPDX-License-Identifier: Apache-2.0
// Virtual memory management for clients' memory pools: address ranges are PROT_NONE mappings,
// physical memory is an anonymous file, mapping one to the other is mmap with MAP_FIXED.
#include <sys/mman.h>
#include <unistd.h>

#include <iterator>
#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/handle_table.h"
#include "runtime/memory.h"

namespace anyacl {
namespace {

// Upstream's huge page; sizes and addresses must be multiples of it there, too.
constexpr size_t kGranularity = size_t{2} << 20;

class PhysicalMemory {
 public:
  PhysicalMemory(int file, size_t size, int32_t device)
      : file_(file), size_(size), device_(device), resets_(ResetsSoFar()) {}
  // The kernel keeps the pages as long as they are mapped somewhere.
  ~PhysicalMemory() {
    close(file_);
    ReturnDeviceBytes(device_, size_);
  }
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  int file() const { return file_; }
  size_t size() const { return size_; }
  int32_t device() const { return device_; }
  bool EndsWith(int32_t device, uint64_t reset) const {
    return device_ == device && resets_ < reset;
  }

 private:
  const int file_;
  const size_t size_;
  const int32_t device_;
  const uint64_t resets_;
};

using PhysicalTable = HandleTable<PhysicalMemory, HandleKind::kPhysicalMemory>;

PhysicalTable& PhysicalMemories() {
  static PhysicalTable* table = PhysicalTable::NewGlobal();
  return *table;
}

struct AddressSpace {
  std::mutex mutex;
  std::map<uintptr_t, size_t> reserved;
  std::map<uintptr_t, std::pair<size_t, std::shared_ptr<PhysicalMemory>>> mapped;
};

AddressSpace& Space() {
  static AddressSpace* space = [] {
    auto* created = new AddressSpace;
    ForkLocks::Add(ForkOrder::kAddressSpace, created->mutex);
    return created;
  }();
  return *space;
}
[[maybe_unused]] const bool kMadeAtLoad = (PhysicalMemories(), Space(), true);

Status CheckSize(size_t size, const char* parameter) {
  if (size > 0 && size % kGranularity == 0) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, expected a positive multiple of {}", parameter,
              size, kGranularity);
}

Status CheckZero(uint64_t value, const char* parameter) {
  if (value == 0) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, expected 0", parameter, value);
}

Status CheckProperties(const aclrtPhysicalMemProp* prop) {
  if (Status s = NotNull(prop, "prop"); !s.ok()) return s;
  if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "prop->handleType is {}, expected ACL_MEM_HANDLE_TYPE_NONE (0): physical memory "
                "cannot be shared between processes",
                static_cast<int>(prop->handleType));
  }
  if (prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "prop->allocationType is {}, expected ACL_MEM_ALLOCATION_TYPE_PINNED (0)",
                static_cast<int>(prop->allocationType));
  }
  const aclrtMemLocationType type = prop->location.type;
  if (type != ACL_MEM_LOCATION_TYPE_DEVICE && type != ACL_MEM_LOCATION_TYPE_HOST) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "prop->location.type is {}, expected ACL_MEM_LOCATION_TYPE_HOST (0) or _DEVICE (1)",
                static_cast<int>(type));
  }
  return type == ACL_MEM_LOCATION_TYPE_DEVICE ? CheckDevice(static_cast<int32_t>(prop->location.id))
                                              : Status();
}

Status ReserveAddress(void** address, size_t size) {
  // Over-reserve to cut out an aligned piece: huge pages need the alignment.
  const size_t total = size + kGranularity;
  void* base = total < size ? MAP_FAILED
                            : mmap(nullptr, total, PROT_NONE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "size is {} bytes, for which the system has no addresses", size);
  }
  const auto start = reinterpret_cast<uintptr_t>(base);
  const uintptr_t aligned = (start + kGranularity - 1) / kGranularity * kGranularity;
  const size_t before = aligned - start;
  if (before > 0) munmap(base, before);
  if (before < kGranularity) {
    munmap(reinterpret_cast<void*>(aligned + size), kGranularity - before);
  }
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  space.reserved[aligned] = size;
  *address = reinterpret_cast<void*>(aligned);
  return {};
}

Status ReleaseAddress(void* address) {
  const auto base = reinterpret_cast<uintptr_t>(address);
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto it = space.reserved.find(base);
  if (it == space.reserved.end()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {} is not the start of a reservation of aclrtReserveMemAddress", address);
  }
  const auto mapping = space.mapped.lower_bound(base);
  if (mapping != space.mapped.end() && mapping->first < base + it->second) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {} has memory mapped at offset {}, expected aclrtUnmapMem before", address,
                mapping->first - base);
  }
  munmap(address, it->second);
  space.reserved.erase(it);
  return {};
}

Status AllocatePhysical(size_t size, const aclrtPhysicalMemProp& prop, void** handle) {
  const auto device = prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE
                          ? static_cast<int32_t>(prop.location.id)
                          : 0;
  if (Status s = ReserveDeviceBytes(device, size); !s.ok()) return s;
  const int file = memfd_create("anyacl", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
    if (file >= 0) close(file);
    ReturnDeviceBytes(device, size);
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "size is {} bytes, which the system does not have",
                size);
  }
  *handle = PhysicalMemories().Add(std::make_shared<PhysicalMemory>(file, size, device));
  return {};
}

Status Map(void* address, size_t size, const std::shared_ptr<PhysicalMemory>& memory) {
  const auto base = reinterpret_cast<uintptr_t>(address);
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  auto range = space.reserved.upper_bound(base);
  const bool known =
      range != space.reserved.begin() && base - std::prev(range)->first < std::prev(range)->second;
  if (!known) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {} lies in no reservation of aclrtReserveMemAddress", address);
  }
  const size_t left = std::prev(range)->first + std::prev(range)->second - base;
  if (size > left) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "size is {}, expected at most the {} bytes left in the reservation", size, left);
  }
  if (Status s = AddRegion({base, size, size, MemoryKind::kMapped, memory->device()}); !s.ok()) {
    return s;
  }
  if (mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory->file(), 0) ==
      MAP_FAILED) {
    RemoveRegion(address, MemoryKind::kMapped);
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system cannot map {} bytes", size);
  }
  space.mapped[base] = {size, memory};
  return {};
}

using Mapping = std::map<uintptr_t, std::pair<size_t, std::shared_ptr<PhysicalMemory>>>::iterator;

// Back to reserved addresses, in one step: no other mapping can slip in. Called with the lock held.
Mapping RemoveMapping(AddressSpace& space, Mapping mapping) {
  auto* address = reinterpret_cast<void*>(mapping->first);
  RemoveRegion(address, MemoryKind::kMapped);
  mmap(address, mapping->second.first, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return space.mapped.erase(mapping);
}

Status Unmap(void* address) {
  // Tasks enqueued before may still use the memory; without it they would crash.
  for (const std::shared_ptr<Stream>& stream : LiveStreams()) {
    if (!stream->RunsInThisThread()) stream->WaitFor(stream->LastMemoryTicket(), -1);
  }
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto it = space.mapped.find(reinterpret_cast<uintptr_t>(address));
  if (it == space.mapped.end()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {} is not an address at which aclrtMapMem mapped memory", address);
  }
  RemoveMapping(space, it);
  return {};
}

}  // namespace

void ReleasePhysicalMemory(int32_t device, uint64_t reset) {
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  for (auto it = space.mapped.begin(); it != space.mapped.end();) {
    it = it->second.second->EndsWith(device, reset) ? RemoveMapping(space, it) : std::next(it);
  }
  PhysicalMemories().RemoveIf(
      [&](const PhysicalMemory& memory) { return memory.EndsWith(device, reset); });
}

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
    if (Status s = CheckSize(size, "size"); !s.ok()) return s;
    if (Status s = CheckZero(alignment, "alignment"); !s.ok()) return s;
    if (expectPtr != nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "expectPtr is {}, expected null", expectPtr);
    }
    if (flags > 1) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {}, expected 0 or 1 (huge pages)", flags);
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
    if (Status s = CheckSize(size, "size"); !s.ok()) return s;
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
  return Entry("aclrtMapMem", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    const std::shared_ptr<PhysicalMemory> memory = PhysicalMemories().Find(handle);
    if (memory == nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "handle {} is not live physical memory", handle);
    }
    if (Status s = CheckSize(size, "size"); !s.ok()) return s;
    if (Status s = CheckZero(offset, "offset"); !s.ok()) return s;
    if (Status s = CheckZero(flags, "flags"); !s.ok()) return s;
    if (size > memory->size()) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}, expected at most the handle's {} bytes",
                  size, memory->size());
    }
    if (reinterpret_cast<uintptr_t>(virPtr) % kGranularity != 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "virPtr is {}, expected a multiple of {}", virPtr,
                  kGranularity);
    }
    return Map(virPtr, size, memory);
  });
}

aclError aclrtUnmapMem(void* virPtr) {
  return Entry("aclrtUnmapMem", [&]() -> Status {
    if (Status s = NotNull(virPtr, "virPtr"); !s.ok()) return s;
    return Unmap(virPtr);
  });
}
}
