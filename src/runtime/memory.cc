// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "base/fork_locks.h"
#include "runtime/device.h"
#include "runtime/settings.h"

namespace anyacl {
namespace {

// Two cache lines, for the widest vector loads and for the neighbour-line prefetcher.
constexpr size_t kAlignment = 128;
constexpr size_t kHugePage = size_t{2} << 20;

// Memory that was freed while tasks were outstanding, with the tasks it waits for.
struct DeferredFree {
  Allocation allocation;
  std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> users;
};

struct Memory {
  std::mutex mutex;
  std::map<uintptr_t, Allocation> by_base;
  std::vector<DeferredFree> deferred;
  std::map<int32_t, size_t> device_bytes;
};

// Leaked on purpose: streams may run while the process exits.
Memory& State() {
  static Memory* memory = [] {
    auto* created = new Memory;
    ForkLocks::Add(ForkOrder::kMemory, created->mutex);
    return created;
  }();
  return *memory;
}
[[maybe_unused]] const bool kMadeAtLoad = (State(), true);

size_t RoundUp(size_t size, size_t step) { return (size + step - 1) / step * step; }

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

void* SystemAllocate(size_t size) {
  const size_t alignment = size >= 2 * kHugePage ? kHugePage : kAlignment;
  void* address = nullptr;
  if (posix_memalign(&address, alignment, size) != 0) return nullptr;
  if (alignment == kHugePage) madvise(address, size / kHugePage * kHugePage, MADV_HUGEPAGE);
  return address;
}

// Must be called without the lock of State(): streams have locks of their own.
std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> OutstandingTasks() {
  std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> tasks;
  for (std::shared_ptr<Stream>& stream : LiveStreams()) {
    const uint64_t ticket = stream->LastMemoryTicket();
    if (!stream->HasPassed(ticket)) tasks.emplace_back(std::move(stream), ticket);
  }
  return tasks;
}

// Frees what no task can use any more. Called with the lock held.
void ReclaimDeferred(Memory& memory) {
  std::erase_if(memory.deferred, [](DeferredFree& entry) {
    std::erase_if(entry.users, [](const auto& user) { return user.first->HasPassed(user.second); });
    if (!entry.users.empty()) return false;
    std::free(reinterpret_cast<void*>(entry.allocation.base));
    return true;
  });
}

const Allocation* Find(const Memory& memory, uintptr_t address) {
  auto it = memory.by_base.upper_bound(address);
  if (it == memory.by_base.begin()) return nullptr;
  const Allocation& allocation = (--it)->second;
  return address - allocation.base < allocation.padded ? &allocation : nullptr;
}

bool IsMapped(const Memory& memory, std::map<uintptr_t, Allocation>::const_iterator it) {
  return it != memory.by_base.end() && it->second.kind == MemoryKind::kMapped;
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
  }
  return "";
}

}  // namespace

Status ReserveDeviceBytes(int32_t device, size_t size) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  size_t& used = memory.device_bytes[device];
  const size_t total = Env().device_memory;
  if (size > total - std::min(used, total)) {
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "size is {} bytes, expected at most the {} that device {} has free of {}", size,
                total - std::min(used, total), device, total);
  }
  used += size;
  return {};
}

void ReturnDeviceBytes(int32_t device, size_t size) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  memory.device_bytes[device] -= size;
}

size_t DeviceBytesInUse(int32_t device) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  return memory.device_bytes[device];
}

Status Allocate(size_t size, MemoryKind kind, int32_t device, Padding padding, void** address) {
  const bool fits = size <= SIZE_MAX - 4 * kHugePage;  // the padding does not overflow
  const size_t padded = fits ? Padded(size, padding) : size;
  if (kind == MemoryKind::kDevice) {
    if (Status s = ReserveDeviceBytes(device, padded); !s.ok()) return s;
  }
  void* base = fits ? SystemAllocate(padded) : nullptr;
  if (base == nullptr) {
    if (kind == MemoryKind::kDevice) ReturnDeviceBytes(device, padded);
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "size is {} bytes, which the system does not have",
                size);
  }
  if (Env().fill) std::memset(base, *Env().fill, padded);
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  const auto start = reinterpret_cast<uintptr_t>(base);
  memory.by_base[start] = {start, size, padded, kind, device, ResetsSoFar()};
  *address = base;
  return {};
}

Status Free(void* address, const char* parameter, MemoryKind kind) {
  auto users = OutstandingTasks();
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  const auto it = memory.by_base.find(reinterpret_cast<uintptr_t>(address));
  if (it == memory.by_base.end() || it->second.kind != kind) {
    const Allocation* inside = Find(memory, reinterpret_cast<uintptr_t>(address));
    return Fail(
        ACL_ERROR_RT_PARAM_INVALID, "{} {} is {}, expected the start of {}", parameter, address,
        inside == nullptr
            ? "in no allocation (freed already, or foreign)"
            : fmt::format("{} bytes into {}", reinterpret_cast<uintptr_t>(address) - inside->base,
                          NameOf(inside->kind)),
        NameOf(kind));
  }
  const Allocation allocation = it->second;
  memory.by_base.erase(it);
  if (kind == MemoryKind::kDevice) memory.device_bytes[allocation.device] -= allocation.padded;
  if (users.empty()) {
    std::free(address);
  } else {
    memory.deferred.push_back({allocation, std::move(users)});
  }
  return {};
}

std::optional<Allocation> FindAllocation(const void* address) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  const Allocation* found = Find(memory, reinterpret_cast<uintptr_t>(address));
  if (found == nullptr) return std::nullopt;
  return *found;
}

std::optional<MemoryRange> FindUsableRange(const void* address) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  const Allocation* found = Find(memory, reinterpret_cast<uintptr_t>(address));
  if (found == nullptr || found->kind == MemoryKind::kRegistered) return std::nullopt;
  uintptr_t begin = found->base;
  uintptr_t end = begin + (Env().strict ? found->requested : found->padded);
  if (found->kind == MemoryKind::kMapped) {
    for (auto it = memory.by_base.find(end); IsMapped(memory, it); it = memory.by_base.find(end)) {
      end += it->second.padded;
    }
    for (auto it = memory.by_base.find(begin); it != memory.by_base.begin();) {
      --it;
      if (!IsMapped(memory, it) || it->first + it->second.padded != begin) break;
      begin = it->first;
    }
  }
  return MemoryRange{reinterpret_cast<const char*>(begin), end - begin};
}

Status AddRegion(const Allocation& region) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  auto next = memory.by_base.lower_bound(region.base);
  const bool hits_next = next != memory.by_base.end() && next->first - region.base < region.padded;
  if (hits_next || Find(memory, region.base) != nullptr) {
    return Fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                "ptr = {:#x} with {} bytes overlaps memory that is known already", region.base,
                region.padded);
  }
  memory.by_base[region.base] = region;
  return {};
}

bool RemoveRegion(const void* base, MemoryKind kind) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  const auto it = memory.by_base.find(reinterpret_cast<uintptr_t>(base));
  if (it == memory.by_base.end() || it->second.kind != kind) return false;
  memory.by_base.erase(it);
  return true;
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

void ReleaseDeviceMemory(int32_t device, uint64_t reset) {
  Memory& memory = State();
  std::lock_guard lock(memory.mutex);
  ReclaimDeferred(memory);
  std::erase_if(memory.by_base, [&](const auto& item) {
    const Allocation& allocation = item.second;
    if (allocation.kind != MemoryKind::kDevice || allocation.device != device ||
        allocation.resets >= reset) {
      return false;
    }
    memory.device_bytes[device] -= allocation.padded;
    std::free(reinterpret_cast<void*>(allocation.base));
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
