// SPDX-License-Identifier: Apache-2.0
// Address ranges are PROT_NONE mappings, physical memory is a part of a file, mapping one to the
// other is mmap with MAP_FIXED.
#include "runtime/virtual_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/fork_locks.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/outstanding_tasks.h"
#include "runtime/settings.h"
#include "runtime/system_memory.h"

namespace anyacl {
namespace {

struct Mapping {
  size_t size;
  std::shared_ptr<PhysicalMemory> memory;
  aclrtMemAccessFlags access;              // of the memory's own device and the host
  std::map<int32_t, uint64_t> set_access;  // by device, -1 for the host
};

// Taken back by the client while tasks might use it.
struct DeferredUnmap {
  uintptr_t base;
  size_t size;
  std::shared_ptr<PhysicalMemory> memory;
  OutstandingTasks users;
  bool released = false;  // the reservation around it is gone

  bool Overlaps(uintptr_t begin, size_t bytes) const {
    return begin < base + size && base < begin + bytes;
  }
};

struct AddressSpace {
  std::mutex mutex;
  std::map<uintptr_t, size_t> reserved;
  std::map<uintptr_t, Mapping> mapped;
  std::deque<DeferredUnmap> deferred;  // the oldest first, which is free first
};

AddressSpace& Space() {
  static AddressSpace* space = [] {
    auto* created = new AddressSpace;
    ForkLocks::Add(ForkOrder::kAddressSpace, created->mutex);
    return created;
  }();
  return *space;
}
[[maybe_unused]] const bool kVirtualMemoryMadeAtLoad = (PhysicalMemories(), Space(), true);

// Back to reserved addresses, in one step: no other mapping can slip in.
void ReserveAgain(uintptr_t base, size_t size) {
  mmap(reinterpret_cast<void*>(base), size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void EndMapping(const DeferredUnmap& mapping) {
  if (mapping.released) {
    munmap(reinterpret_cast<void*>(mapping.base), mapping.size);
  } else {
    ReserveAgain(mapping.base, mapping.size);
  }
}

// Called with the lock held; what is returned is to be destroyed without it.
[[nodiscard]] std::vector<DeferredUnmap> EndPassed(AddressSpace& space) {
  std::vector<DeferredUnmap> ended;
  while (!space.deferred.empty() && space.deferred.front().users.Passed()) {
    EndMapping(space.deferred.front());
    ended.push_back(std::move(space.deferred.front()));
    space.deferred.pop_front();
  }
  return ended;
}

// Waits until nothing is mapped there any more that was taken back while tasks might use it.
void WaitForUnmap(uintptr_t base, size_t size) {
  AddressSpace& space = Space();
  for (;;) {
    ReclaimMappings();
    uintptr_t found = 0;
    OutstandingTasks users;
    const auto overlaps = [&](const DeferredUnmap& each) { return each.Overlaps(base, size); };
    {
      std::lock_guard lock(space.mutex);
      const auto it = std::find_if(space.deferred.begin(), space.deferred.end(), overlaps);
      if (it == space.deferred.end()) return;
      found = it->base;
      users = it->users;
    }
    users.Wait();
    // A host function that calls us stays outstanding itself.
    std::shared_ptr<PhysicalMemory> memory;  // destroyed without the lock
    std::lock_guard lock(space.mutex);
    const auto it = std::find_if(
        space.deferred.begin(), space.deferred.end(),
        [&](const DeferredUnmap& each) { return each.base == found && each.users == users; });
    if (it == space.deferred.end()) continue;
    EndMapping(*it);
    memory = std::move(it->memory);
    space.deferred.erase(it);
  }
}

Status NotMapped(const void* address) {
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "virPtr {} is not an address at which aclrtMapMem mapped memory", address);
}

// The reservation around the address.
Status CheckReserved(const AddressSpace& space, uintptr_t base, size_t size) {
  const auto next = space.reserved.upper_bound(base);
  if (next == space.reserved.begin() || base - std::prev(next)->first >= std::prev(next)->second) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {:#x} lies in no reservation of aclrtReserveMemAddress", base);
  }
  const size_t left = std::prev(next)->first + std::prev(next)->second - base;
  if (size <= left) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "size is {}, expected at most the {} bytes left in the reservation", size, left);
}

}  // namespace

PhysicalTable& PhysicalMemories() {
  static PhysicalTable* table = PhysicalTable::NewGlobal();
  return *table;
}

PhysicalMemory::PhysicalMemory(std::shared_ptr<SharedExtent> extent,
                               const aclrtPhysicalMemProp& prop)
    : extent_(std::move(extent)),
      prop_(prop),
      device_(extent_->device()),
      counted_(true),
      resets_(ResetsSoFar()) {}

PhysicalMemory::PhysicalMemory(std::shared_ptr<SharedExtent> extent, int32_t device)
    : extent_(std::move(extent)),
      prop_{ACL_MEM_HANDLE_TYPE_NONE,
            ACL_MEM_ALLOCATION_TYPE_PINNED,
            ACL_HBM_MEM_HUGE,
            {static_cast<uint32_t>(device), ACL_MEM_LOCATION_TYPE_DEVICE},
            0},
      device_(device),
      counted_(false),
      resets_(ResetsSoFar()) {}

PhysicalMemory::~PhysicalMemory() {
  if (counted_) ReturnDeviceBytes(device_, size());
}

int32_t DeviceOf(const aclrtPhysicalMemProp& prop) {
  return prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE ? static_cast<int32_t>(prop.location.id)
                                                            : 0;
}

Status FindPhysical(aclrtDrvMemHandle handle, std::shared_ptr<PhysicalMemory>* memory) {
  *memory = PhysicalMemories().Find(handle);
  if (*memory != nullptr) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "handle {} is not live physical memory", handle);
}

Status AllocatePhysical(size_t size, const aclrtPhysicalMemProp& prop, void** handle) {
  const int32_t device = DeviceOf(prop);
  const size_t rounded = size <= SIZE_MAX - kGranularity ? RoundUp(size, kGranularity) : size;
  if (Status s = ReserveDeviceBytes(device, rounded); !s.ok()) return s;
  std::shared_ptr<SharedExtent> extent = SharedExtent::New(rounded, device);
  // The kernel's pages are zero; this asks for others.
  void* pages = extent != nullptr && Env().fill ? extent->Map(nullptr, rounded) : nullptr;
  if (extent == nullptr || (Env().fill && pages == nullptr)) {
    ReturnDeviceBytes(device, rounded);
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "size is {} bytes, which the system does not have",
                size);
  }
  if (pages != nullptr) {
    std::memset(pages, *Env().fill, rounded);
    munmap(pages, rounded);
  }
  *handle = PhysicalMemories().Add(std::make_shared<PhysicalMemory>(std::move(extent), prop));
  return {};
}

Status ReserveAddress(void** address, size_t size) {
  // Over-reserve to cut out an aligned piece: huge pages need the alignment.
  const bool fits = size <= SIZE_MAX - 2 * kGranularity;
  const size_t rounded = fits ? RoundUp(size, kGranularity) : size;
  const size_t total = rounded + kGranularity;
  void* base =
      !fits ? MAP_FAILED
            : mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "size is {} bytes, for which the system has no addresses", size);
  }
  const auto start = reinterpret_cast<uintptr_t>(base);
  const uintptr_t aligned = RoundUp(start, kGranularity);
  const size_t before = aligned - start;
  if (before > 0) munmap(base, before);
  if (before < kGranularity) {
    munmap(reinterpret_cast<void*>(aligned + rounded), kGranularity - before);
  }
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  space.reserved[aligned] = rounded;
  *address = reinterpret_cast<void*>(aligned);
  return {};
}

Status ReleaseAddress(void* address) {
  const auto base = reinterpret_cast<uintptr_t>(address);
  ReclaimMappings();
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto it = space.reserved.find(base);
  if (it == space.reserved.end()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {} is not the start of a reservation of aclrtReserveMemAddress", address);
  }
  const uintptr_t end = base + it->second;
  const auto mapping = space.mapped.lower_bound(base);
  if (mapping != space.mapped.end() && mapping->first < end) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "virPtr {} has memory mapped at offset {}, expected aclrtUnmapMem before", address,
                mapping->first - base);
  }
  std::map<uintptr_t, uintptr_t> kept;  // begin to end: what tasks may still use
  for (DeferredUnmap& each : space.deferred) {
    if (!each.Overlaps(base, it->second)) continue;
    each.released = true;
    kept[each.base] = each.base + each.size;
  }
  uintptr_t begin = base;
  for (const auto& [kept_begin, kept_end] : kept) {
    if (begin < kept_begin) munmap(reinterpret_cast<void*>(begin), kept_begin - begin);
    begin = kept_end;
  }
  if (begin < end) munmap(reinterpret_cast<void*>(begin), end - begin);
  space.reserved.erase(it);
  return {};
}

Status Map(void* address, size_t size, const std::shared_ptr<PhysicalMemory>& memory,
           aclrtMemAccessFlags access) {
  const auto base = reinterpret_cast<uintptr_t>(address);
  AddressSpace& space = Space();
  {
    std::lock_guard lock(space.mutex);
    if (Status s = CheckReserved(space, base, size); !s.ok()) return s;
  }
  WaitForUnmap(base, size);
  std::lock_guard lock(space.mutex);
  if (Status s = CheckReserved(space, base, size); !s.ok()) return s;
  if (Status s = AddRegion({base, size, size, MemoryKind::kMapped, memory->device()}); !s.ok()) {
    return s;
  }
  if (memory->extent().Map(address, size) == nullptr) {
    RemoveRegion(address, MemoryKind::kMapped);
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system cannot map {} bytes", size);
  }
  space.mapped[base] = {size, memory, access, {}};
  return {};
}

Status Unmap(void* address) {
  OutstandingTasks users = OutstandingTasks::Now();
  std::vector<DeferredUnmap> ended;
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto it = space.mapped.find(reinterpret_cast<uintptr_t>(address));
  if (it == space.mapped.end()) return NotMapped(address);
  RemoveRegion(address, MemoryKind::kMapped);
  space.deferred.push_back(
      {it->first, it->second.size, std::move(it->second.memory), std::move(users)});
  space.mapped.erase(it);
  ended = EndPassed(space);
  return {};
}

void ReclaimMappings() {
  std::vector<DeferredUnmap> ended;
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  ended = EndPassed(space);
}

Status SetAccess(void* address, size_t size, int32_t device, aclrtMemAccessFlags access) {
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto it = space.mapped.find(reinterpret_cast<uintptr_t>(address));
  if (it == space.mapped.end()) return NotMapped(address);
  if (size != it->second.size) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}, expected the {} bytes mapped at virPtr {}",
                size, it->second.size, address);
  }
  it->second.set_access[device] = access;
  return {};
}

Status GetAccess(void* address, int32_t device, uint64_t* access) {
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto it = space.mapped.find(reinterpret_cast<uintptr_t>(address));
  if (it == space.mapped.end()) return NotMapped(address);
  const Mapping& mapping = it->second;
  const auto set = mapping.set_access.find(device);
  if (set != mapping.set_access.end()) {
    *access = set->second;
  } else {
    const bool own = device == mapping.memory->device() || device < 0;
    *access = own ? mapping.access : ACL_RT_MEM_ACCESS_FLAGS_NONE;
  }
  return {};
}

Status RetainPhysical(const void* address, void** handle) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  AddressSpace& space = Space();
  std::lock_guard lock(space.mutex);
  const auto next = space.mapped.upper_bound(at);
  if (next == space.mapped.begin() || at - std::prev(next)->first >= std::prev(next)->second.size) {
    return NotMapped(address);
  }
  *handle = PhysicalMemories().Add(std::prev(next)->second.memory);
  return {};
}

void ReleasePhysicalMemory(int32_t device, uint64_t reset) {
  {
    std::vector<std::shared_ptr<PhysicalMemory>> released;  // destroyed without the lock
    AddressSpace& space = Space();
    std::lock_guard lock(space.mutex);
    for (auto it = space.mapped.begin(); it != space.mapped.end();) {
      if (!it->second.memory->EndsWith(device, reset)) {
        ++it;
        continue;
      }
      RemoveRegion(reinterpret_cast<void*>(it->first), MemoryKind::kMapped);
      ReserveAgain(it->first, it->second.size);
      released.push_back(std::move(it->second.memory));
      it = space.mapped.erase(it);
    }
  }
  ReclaimMappings();
  PhysicalMemories().RemoveIf(
      [&](const PhysicalMemory& memory) { return memory.EndsWith(device, reset); });
}

}  // namespace anyacl
