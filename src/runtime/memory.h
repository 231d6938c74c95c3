// SPDX-License-Identifier: Apache-2.0
// Allocations: device and host memory, what is known about an address, and deferred frees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"
#include "runtime/exports.h"
#include "runtime/shared_extent.h"

namespace anyacl {

enum class MemoryKind {
  kDevice,      // aclrtMalloc
  kHost,        // aclrtMallocHost
  kRegistered,  // the client's own memory, aclrtHostRegister
  kMapped,      // aclrtMapMem: device memory whose life the client manages
  kImported,    // aclrtIpcMemImportByKey: another process's device memory
};

struct Allocation {
  uintptr_t base = 0;
  size_t requested = 0;
  size_t padded = 0;  // what may be read and written without harm
  MemoryKind kind = MemoryKind::kDevice;
  int32_t device = 0;
  uint64_t resets = 0;    // ResetsSoFar() when it was made
  size_t counted = 0;     // bytes of the device's memory that it takes
  void* block = nullptr;  // what the system gave for it
  // What its pages are mapped from, if other processes may have them, too.
  std::shared_ptr<SharedExtent> shared{};

  bool on_device() const {
    return kind == MemoryKind::kDevice || kind == MemoryKind::kMapped ||
           kind == MemoryKind::kImported;
  }
};

// Upstream rounds device memory up to a multiple of 32 bytes, for most functions plus 32 more;
// programs read the padding.
enum class Padding { kNone, kRound32, kRound32Plus32 };

// Memory that was freed counts as in use until it is reclaimed. When the device has no room, this
// waits for computing tasks, and as a last resort gives out memory that waits for a task which may
// never end: an NPU would have given it out at once.
Status Allocate(size_t size, MemoryKind kind, int32_t device, Padding padding, void** address);

// Frees an allocation of this kind by its base address. The memory itself lives on until every task
// that may use it, enqueued before now, has run: an NPU hides such a use after free. The last 256
// MiB freed while graphs live, which may use them at every replay, live on, too.
Status Free(void* address, const char* parameter, MemoryKind kind);

// The allocation that contains the address.
std::optional<Allocation> FindAllocation(const void* address);

// The bytes around the address that may be accessed: its allocation, with the padding unless
// ANYACL_STRICT=1, or all of adjoining mappings. Nothing is known of the client's own memory,
// registered or not.
std::optional<MemoryRange> FindUsableRange(const void* address);

// Makes memory known, or forgets it, that is obtained elsewhere (mapped or imported).
Status AddRegion(const Allocation& region);
bool RemoveRegion(const void* base, MemoryKind kind);

// The client's memory: its own, or a part of what aclrtMallocHost gave out.
Status RegisterHost(void* base, size_t size, int32_t device);
bool UnregisterHost(const void* base);

// The whole of a device allocation becomes memory that other processes can map; nothing changes for
// who uses it now.
Status Share(const void* address, Allocation* allocation);

// Fails (107000) if the bytes reach beyond the usable range in which they begin.
Status CheckRange(const void* address, size_t size, const char* parameter);

// Fails (107000) unless all bytes are device memory and the address is a multiple of `alignment`.
Status CheckDeviceMemory(const void* address, size_t size, size_t alignment, const char* parameter);

// The 64 bits at an aligned address, at once; none if the memory has been given back. For tasks
// that wait and do not hold up the end of what is given back.
std::optional<uint64_t> LoadWord(const void* address);

// Bytes counted against ANYACL_DEVICE_MEMORY, as Allocate does; 207001 when they do not fit.
Status ReserveDeviceBytes(int32_t device, size_t size);
void ReturnDeviceBytes(int32_t device, size_t size);
size_t DeviceBytesInUse(int32_t device);
size_t PeakDeviceBytes(int32_t device);

// Gives back what no task can use any more.
void ReclaimMemory();
void ReclaimMappings();

// Free what aclrtMalloc and aclrtMallocPhysical gave out for the device and the client did not
// free; mappings of the latter end, too. Of what was made before this reset, counting from one.
void ReleaseDeviceMemory(int32_t device, uint64_t reset);
void ReleasePhysicalMemory(int32_t device, uint64_t reset);

}  // namespace anyacl
