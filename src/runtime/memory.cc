// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "base/fork_locks.h"
#include "base/format.h"
#include "runtime/address_ranges.h"
#include "runtime/device.h"
#include "runtime/graph.h"
#include "runtime/kept_memory.h"
#include "runtime/outstanding_tasks.h"
#include "runtime/settings.h"
#include "runtime/system_memory.h"
#include "runtime/write_barrier.h"

namespace anyacl {
namespace {

// Memory that was freed while the same tasks were outstanding.
struct DeferredFrees {
  std::vector<Allocation> allocations;
  OutstandingTasks users;
};

struct Memory {
  std::mutex mutex;
  std::map<uintptr_t, Allocation> by_base;     // none overlaps another
  std::map<uintptr_t, Allocation> registered;  // host memory; may lie in an allocation
  AddressRanges mapped;                        // the allocations of kind kMapped
  std::deque<DeferredFrees> deferred;          // the oldest first, which is free first
  std::atomic<bool> any_deferred{false};
  KeptMemory kept;                         // not in device_bytes
  std::map<int32_t, size_t> device_bytes;  // with what is deferred
  std::map<int32_t, size_t> peak_bytes;
};

// Leaked on purpose: streams may run while the process exits.
Memory& AllMemory() {
  static Memory* memory = [] {
    auto* created = new Memory;
    ForkLocks::Add(ForkOrder::kMemory, created->mutex);
    return created;
  }();
  return *memory;
}
[[maybe_unused]] const bool kMemoryMadeAtLoad = (AllMemory(), true);

size_t Padded(size_t size, Padding padding) {
  switch (padding) {
    case Padding::kNone:
      return size;
    case Padding::kRound32:
      return RoundUp(size, 32);
    case Padding::kRound32Plus32:
      return RoundUp(size, 32) + 32;
  }
  return size;
}

// Gives the memory back to the system, unless a graph may use it. Called with the lock held.
void Release(Memory& memory, const Allocation& allocation) {
  auto* base = reinterpret_cast<void*>(allocation.base);
  memory.device_bytes[allocation.device] -= allocation.counted;
  if (allocation.kind == MemoryKind::kImported) {
    munmap(base, allocation.shared->size());
    return;
  }
  if (allocation.shared != nullptr) {
    // The allocator gets private pages back, as it gave them.
    mmap(base, allocation.shared->size(), PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  }
  if (allocation.kind == MemoryKind::kDevice && Graph::AnyLives()) {
    return memory.kept.Keep(allocation.block, allocation.counted);
  }
  SystemFree(allocation.block);
}

// Now, or when no task can use it any more. Called with the lock held.
void ReleaseAfter(Memory& memory, Allocation allocation, OutstandingTasks users) {
  if (users.Passed()) {
    Release(memory, allocation);
  } else if (!memory.deferred.empty() && memory.deferred.back().users == users) {
    memory.deferred.back().allocations.push_back(std::move(allocation));
  } else {
    memory.deferred.push_back({{std::move(allocation)}, std::move(users)});
    memory.any_deferred.store(true, std::memory_order_relaxed);
  }
}

// Frees what no task can use any more: tasks pass in the order in which frees were deferred, so a
// look at the oldest is enough. Called with the lock held.
void ReclaimDeferred(Memory& memory) {
  if (!Graph::AnyLives()) memory.kept.Clear();
  while (!memory.deferred.empty() && memory.deferred.front().users.Passed()) {
    for (const Allocation& allocation : memory.deferred.front().allocations) {
      Release(memory, allocation);
    }
    memory.deferred.pop_front();
    if (memory.deferred.empty()) memory.any_deferred.store(false, std::memory_order_relaxed);
  }
}

// A deferred block of the device that is large enough, the smallest. Called with the lock held.
std::optional<Allocation> TakeDeferred(Memory& memory, int32_t device, size_t size) {
  DeferredFrees* best_batch = nullptr;
  std::vector<Allocation>::iterator best;
  for (DeferredFrees& batch : memory.deferred) {
    for (auto it = batch.allocations.begin(); it != batch.allocations.end(); ++it) {
      const bool fits = it->kind == MemoryKind::kDevice && it->device == device &&
                        it->shared == nullptr && it->counted >= size;
      if (fits && (best_batch == nullptr || it->counted < best->counted)) {
        best_batch = &batch;
        best = it;
      }
    }
  }
  if (best_batch == nullptr) return std::nullopt;
  Allocation taken = std::move(*best);
  best_batch->allocations.erase(best);
  return taken;
}

bool TryReserve(int32_t device, size_t size) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  size_t& used = memory.device_bytes[device];
  const size_t total = Env().device_memory;
  if (size > total - std::min(used, total)) return false;
  used += size;
  size_t& peak = memory.peak_bytes[device];
  peak = std::max(peak, used);
  return true;
}

// What can be had without the help of another party: the end of all tasks that compute.
void WaitForMemory() {
  for (const std::shared_ptr<Stream>& stream : LiveStreams()) {
    stream->WaitWhileComputing(stream->LastMemoryTicket());
  }
  ReclaimMappings();
  ReclaimMemory();
}

Status NoRoom(int32_t device, size_t size) {
  const size_t total = Env().device_memory;
  const size_t used = std::min(DeviceBytesInUse(device), total);
  return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "size is {} bytes, expected at most the {} that device {} has free of {}", size,
              total - used, device, total);
}

const Allocation* FindIn(const std::map<uintptr_t, Allocation>& by_base, uintptr_t address) {
  auto it = by_base.upper_bound(address);
  if (it == by_base.begin()) return nullptr;
  const Allocation& allocation = (--it)->second;
  return address - allocation.base < allocation.padded ? &allocation : nullptr;
}

const Allocation* Find(const Memory& memory, uintptr_t address) {
  const Allocation* found = FindIn(memory.by_base, address);
  return found != nullptr ? found : FindIn(memory.registered, address);
}

// The first of them that the bytes overlap, or null.
const Allocation* Overlapped(const std::map<uintptr_t, Allocation>& by_base, uintptr_t base,
                             size_t size) {
  const Allocation* around = FindIn(by_base, base);
  if (around != nullptr) return around;
  const auto next = by_base.lower_bound(base);
  return next != by_base.end() && next->first - base < size ? &next->second : nullptr;
}

const char* NameOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
      return "device memory of aclrtMalloc";
    case MemoryKind::kHost:
      return "host memory of aclrtMallocHost";
    case MemoryKind::kRegistered:
      return "registered host memory";
    case MemoryKind::kMapped:
      return "mapped physical memory";
    case MemoryKind::kImported:
      return "memory of aclrtIpcMemImportByKey";
  }
  return "";
}

}  // namespace

Status ReserveDeviceBytes(int32_t device, size_t size) {
  if (TryReserve(device, size)) return {};
  if (size <= Env().device_memory) {
    WaitForMemory();
    if (TryReserve(device, size)) return {};
  }
  return NoRoom(device, size);
}

void ReturnDeviceBytes(int32_t device, size_t size) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  memory.device_bytes[device] -= size;
}

size_t DeviceBytesInUse(int32_t device) {
  ReclaimMappings();
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  return memory.device_bytes[device];
}

size_t PeakDeviceBytes(int32_t device) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  return memory.peak_bytes[device];
}

void ReclaimMemory() {
  Memory& memory = AllMemory();
  if (!memory.any_deferred.load(std::memory_order_relaxed)) return;
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
}

namespace {

// A block for the device: of the system, or one whose free is deferred.
Status AllocateDevice(size_t size, size_t padded, int32_t device, Allocation* allocation) {
  allocation->counted = padded;
  void* base = nullptr;
  for (const bool last : {false, true}) {
    if (TryReserve(device, padded)) {
      if ((base = SystemAllocate(padded, &allocation->block)) != nullptr) break;
      ReturnDeviceBytes(device, padded);
    }
    if (padded > Env().device_memory) break;
    if (!last) WaitForMemory();
  }
  if (base == nullptr) {
    Memory& memory = AllMemory();
    std::unique_lock lock(memory.mutex);
    const std::optional<Allocation> taken = TakeDeferred(memory, device, padded);
    if (!taken) {
      lock.unlock();
      return NoRoom(device, size);
    }
    allocation->counted = taken->counted;
    allocation->block = taken->block;
    base = reinterpret_cast<void*>(taken->base);
  }
  allocation->base = reinterpret_cast<uintptr_t>(base);
  return {};
}

}  // namespace

Status Allocate(size_t size, MemoryKind kind, int32_t device, Padding padding, void** address) {
  const bool fits = size <= SIZE_MAX - 4 * kHugePage;  // the padding does not overflow
  const size_t padded = fits ? Padded(size, padding) : size;
  Allocation allocation{0, size, padded, kind, device, ResetsSoFar()};
  if (kind == MemoryKind::kDevice) {
    if (!fits) return NoRoom(device, size);
    if (Status s = AllocateDevice(size, padded, device, &allocation); !s.ok()) return s;
  } else {
    allocation.base =
        reinterpret_cast<uintptr_t>(fits ? SystemAllocate(padded, &allocation.block) : nullptr);
    if (allocation.base == 0) {
      return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                  "size is {} bytes, which the system does not have", size);
    }
  }
  auto* base = reinterpret_cast<void*>(allocation.base);
  if (Env().fill) {
    CloseBehind(base, padded, padded);  // a block that comes back is closed behind its last size
    std::memset(base, *Env().fill, padded);
  }
  if (Env().strict) CloseBehind(base, size, padded);
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  memory.by_base[allocation.base] = std::move(allocation);
  *address = base;
  return {};
}

Status Free(void* address, const char* parameter, MemoryKind kind) {
  OutstandingTasks users = OutstandingTasks::Now();
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  const auto it = memory.by_base.find(reinterpret_cast<uintptr_t>(address));
  if (it == memory.by_base.end() || it->second.kind != kind) {
    const Allocation* inside = Find(memory, reinterpret_cast<uintptr_t>(address));
    return Fail(
        ACL_ERROR_RT_PARAM_INVALID, "{} {} is {}, expected the start of {}", parameter, address,
        inside == nullptr
            ? "in no allocation (freed already, or foreign)"
            : Format("{} bytes into {}", reinterpret_cast<uintptr_t>(address) - inside->base,
                     NameOf(inside->kind)),
        NameOf(kind));
  }
  Allocation allocation = std::move(it->second);
  memory.by_base.erase(it);
  ReleaseAfter(memory, std::move(allocation), std::move(users));
  return {};
}

std::optional<Allocation> FindAllocation(const void* address) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  const Allocation* found = Find(memory, reinterpret_cast<uintptr_t>(address));
  if (found == nullptr) return std::nullopt;
  return *found;
}

std::optional<MemoryRange> FindUsableRange(const void* address) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  const Allocation* found = Find(memory, reinterpret_cast<uintptr_t>(address));
  if (found == nullptr || found->kind == MemoryKind::kRegistered) return std::nullopt;
  uintptr_t begin = found->base;
  uintptr_t end = begin + (Env().strict ? found->requested : found->padded);
  if (found->kind == MemoryKind::kMapped) {
    const AddressRanges::Range around = *memory.mapped.Find(begin);
    begin = around.begin;
    end = around.end;
  }
  return MemoryRange{reinterpret_cast<const char*>(begin), end - begin};
}

Status AddRegion(const Allocation& region) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  const Allocation* other = Overlapped(memory.by_base, region.base, region.padded);
  if (other == nullptr) other = Overlapped(memory.registered, region.base, region.padded);
  if (other != nullptr) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{:#x} with {} bytes overlaps {} at {:#x}", region.base,
                region.padded, NameOf(other->kind), other->base);
  }
  memory.by_base[region.base] = region;
  if (region.kind == MemoryKind::kMapped) {
    memory.mapped.Add({region.base, region.base + region.padded});
  }
  return {};
}

bool RemoveRegion(const void* base, MemoryKind kind) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  const auto it = memory.by_base.find(reinterpret_cast<uintptr_t>(base));
  if (it == memory.by_base.end() || it->second.kind != kind) return false;
  if (kind == MemoryKind::kMapped) {
    memory.mapped.Remove({it->first, it->first + it->second.padded});
  }
  memory.by_base.erase(it);
  return true;
}

Status RegisterHost(void* address, size_t size, int32_t device) {
  const auto base = reinterpret_cast<uintptr_t>(address);
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  if (const Allocation* other = Overlapped(memory.registered, base, size)) {
    return Fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                "ptr {} with {} bytes overlaps the {} bytes at {:#x}, which are registered already",
                address, size, other->padded, other->base);
  }
  const Allocation* other = Overlapped(memory.by_base, base, size);
  if (other != nullptr && other->kind != MemoryKind::kHost) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "ptr {} with {} bytes overlaps {}, expected host memory", address, size,
                NameOf(other->kind));
  }
  memory.registered[base] = {base, size, size, MemoryKind::kRegistered, device, ResetsSoFar()};
  return {};
}

bool UnregisterHost(const void* base) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  return memory.registered.erase(reinterpret_cast<uintptr_t>(base)) != 0;
}

Status Share(const void* address, Allocation* allocation) {
  const std::optional<Allocation> found = FindAllocation(address);
  if (!found || found->kind != MemoryKind::kDevice) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "devPtr {} lies in {}, expected device memory of "
                "aclrtMalloc",
                address, found ? NameOf(found->kind) : "no allocation");
  }
  if (!HasOwnPages(found->padded)) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "devPtr {} lies in an allocation of {} bytes, expected at least a page of {}: "
                "smaller ones share their pages with others",
                address, found->requested, PageSize());
  }
  auto* base = reinterpret_cast<void*>(found->base);
  std::shared_ptr<SharedExtent> extent = found->shared;
  const size_t size = RoundUp(found->padded, PageSize());
  std::optional<WriteBarrier> barrier;
  if (extent == nullptr) {
    extent = SharedExtent::New(size, found->device);
    barrier.emplace(base, size);
  }
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  const auto it = memory.by_base.find(found->base);
  if (it == memory.by_base.end() || it->second.padded != found->padded) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "devPtr {} is freed meanwhile", address);
  }
  // Another thread may have been faster.
  if (it->second.shared == nullptr) {
    if (extent == nullptr || !extent->Replace(base, size)) {
      return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system cannot share {} bytes", size);
    }
    it->second.shared = std::move(extent);
  }
  *allocation = it->second;
  return {};
}

Status CheckRange(const void* address, size_t size, const char* parameter) {
  const std::optional<MemoryRange> usable = FindUsableRange(address);
  if (!usable) return {};
  const auto offset = static_cast<size_t>(static_cast<const char*>(address) - usable->begin);
  if (offset <= usable->size && size <= usable->size - offset) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "{} needs {} bytes at offset {} of its allocation, expected at most {}", parameter,
              size, offset, usable->size - std::min(offset, usable->size));
}

Status CheckDeviceMemory(const void* address, size_t size, size_t alignment,
                         const char* parameter) {
  const std::optional<Allocation> found = FindAllocation(address);
  if (!found || !found->on_device()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, which is not device memory", parameter,
                address);
  }
  if (reinterpret_cast<uintptr_t>(address) % alignment != 0) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, expected a multiple of {}", parameter,
                address, alignment);
  }
  return CheckRange(address, size, parameter);
}

std::optional<uint64_t> LoadWord(const void* address) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);  // what is given back leaves the map before its pages go
  if (Find(memory, reinterpret_cast<uintptr_t>(address)) == nullptr) return std::nullopt;
  return __atomic_load_n(static_cast<const uint64_t*>(address), __ATOMIC_ACQUIRE);
}

void ReleaseDeviceMemory(int32_t device, uint64_t reset) {
  Memory& memory = AllMemory();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  std::erase_if(memory.by_base, [&](const auto& item) {
    const Allocation& allocation = item.second;
    const bool ends =
        allocation.kind == MemoryKind::kDevice || allocation.kind == MemoryKind::kImported;
    if (!ends || allocation.device != device || allocation.resets >= reset) return false;
    Release(memory, allocation);
    return true;
  });
}

}  // namespace anyacl

extern "C" bool anyaclFindUsableRange(const void* address, anyacl::MemoryRange* range) {
  const std::optional<anyacl::MemoryRange> found = anyacl::FindUsableRange(address);
  if (found) *range = *found;
  return found.has_value();
}

extern "C" bool anyaclMayAccess(const void* address, size_t size) {
  if (!anyacl::Env().strict) return true;
  const std::optional<anyacl::Allocation> found = anyacl::FindAllocation(address);
  if (!found) return false;
  // How far our own memory reaches is FindUsableRange's answer.
  if (found->kind != anyacl::MemoryKind::kRegistered) return true;
  return size <= found->base + found->padded - reinterpret_cast<uintptr_t>(address);
}
