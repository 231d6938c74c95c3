// SPDX-License-Identifier: Apache-2.0
// Physical memory, reserved addresses and mappings of one to the other, for clients' memory pools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "acl/acl_rt.h"
#include "base/status.h"
#include "runtime/handle_table.h"
#include "runtime/shared_extent.h"

namespace anyacl {

// Upstream's huge page; sizes are rounded up to it there, too.
inline constexpr size_t kGranularity = size_t{2} << 20;

class PhysicalMemory {
 public:
  // Of this process: counts as the device's memory in use.
  PhysicalMemory(std::shared_ptr<SharedExtent> extent, const aclrtPhysicalMemProp& prop);
  // Of another process.
  PhysicalMemory(std::shared_ptr<SharedExtent> extent, int32_t device);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  SharedExtent& extent() const { return *extent_; }
  size_t size() const { return extent_->size(); }
  int32_t device() const { return device_; }
  const aclrtPhysicalMemProp& prop() const { return prop_; }
  bool EndsWith(int32_t device, uint64_t reset) const {
    return device_ == device && resets_ < reset;
  }

 private:
  const std::shared_ptr<SharedExtent> extent_;
  const aclrtPhysicalMemProp prop_;
  const int32_t device_;
  const bool counted_;
  const uint64_t resets_;
};

using PhysicalTable = HandleTable<PhysicalMemory, HandleKind::kPhysicalMemory>;
PhysicalTable& PhysicalMemories();

// The device to which memory with these properties belongs: the first one for host memory.
int32_t DeviceOf(const aclrtPhysicalMemProp& prop);

Status FindPhysical(aclrtDrvMemHandle handle, std::shared_ptr<PhysicalMemory>* memory);
Status AllocatePhysical(size_t size, const aclrtPhysicalMemProp& prop, void** handle);

Status ReserveAddress(void** address, size_t size);
Status ReleaseAddress(void* address);

Status Map(void* address, size_t size, const std::shared_ptr<PhysicalMemory>& memory,
           aclrtMemAccessFlags access);
// The addresses are free for another mapping at once; what tasks enqueued before may still use
// stays mapped until they have passed.
Status Unmap(void* address);

// What a device, or the host (-1), may do with what is mapped at the address.
Status SetAccess(void* address, size_t size, int32_t device, aclrtMemAccessFlags access);
Status GetAccess(void* address, int32_t device, uint64_t* access);

// The handle of what is mapped around the address, as one more owner.
Status RetainPhysical(const void* address, void** handle);

}  // namespace anyacl
