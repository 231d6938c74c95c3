// SPDX-License-Identifier: Apache-2.0
#include "hccl/buffer.h"

#include <map>
#include <mutex>
#include <thread>

#include "acl/acl.h"

namespace anyacl::hccl {
namespace {

struct Known {
  std::mutex mutex;
  std::map<uintptr_t, std::weak_ptr<BufferMemory>> by_address;
};

// Never destroyed: buffers may end while the process exits.
Known& AllBuffers() {
  static auto* known = new Known;
  return *known;
}

// The runtime records failures in the calling thread's list, and sets its device: a thread of its
// own has both to itself.
template <class Body>
void Apart(Body body) {
  std::thread(body).join();
}

}  // namespace

bool BufferMemory::Map(uint64_t size) {
  size_ = size;
  mapped_ = aclrtReserveMemAddress(&address_, size, 0, nullptr, 0) == ACL_SUCCESS &&
            aclrtMapMem(address_, size, 0, handle_, 0) == ACL_SUCCESS;
  return mapped_;
}

std::shared_ptr<BufferMemory> BufferMemory::Make(int32_t device, uint64_t size) {
  std::shared_ptr<BufferMemory> made(new BufferMemory);
  bool good = false;
  Apart([&] {
    aclrtPhysicalMemProp prop{};
    prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = static_cast<uint32_t>(device);
    good = aclrtSetDevice(device) == ACL_SUCCESS &&
           aclrtMallocPhysical(&made->handle_, size, &prop, 0) == ACL_SUCCESS && made->Map(size);
    if (!good) return;
    if (aclrtMemExportToShareableHandle(made->handle_, ACL_MEM_HANDLE_TYPE_NONE,
                                        ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
                                        &made->token_) != ACL_SUCCESS) {
      made->token_ = 0;
    }
  });
  if (!good) return nullptr;
  Known& known = AllBuffers();
  std::lock_guard lock(known.mutex);
  known.by_address[reinterpret_cast<uintptr_t>(made->base())] = made;
  return made;
}

std::shared_ptr<BufferMemory> BufferMemory::Import(int32_t device, uint64_t token, uint64_t size) {
  std::shared_ptr<BufferMemory> made(new BufferMemory);
  bool good = false;
  Apart([&] {
    good = aclrtSetDevice(device) == ACL_SUCCESS &&
           aclrtMemImportFromShareableHandle(token, device, &made->handle_) == ACL_SUCCESS &&
           made->Map(size);
  });
  return good ? made : nullptr;
}

std::shared_ptr<BufferMemory> BufferMemory::Find(uintptr_t address) {
  Known& known = AllBuffers();
  std::lock_guard lock(known.mutex);
  const auto at = known.by_address.find(address);
  return at == known.by_address.end() ? nullptr : at->second.lock();
}

BufferMemory::~BufferMemory() {
  {
    Known& known = AllBuffers();
    std::lock_guard lock(known.mutex);
    const auto at = known.by_address.find(reinterpret_cast<uintptr_t>(address_));
    if (at != known.by_address.end() && at->second.expired()) known.by_address.erase(at);
  }
  Apart([this] {
    if (mapped_) aclrtUnmapMem(address_);
    if (address_ != nullptr) aclrtReleaseMemAddress(address_);
    if (handle_ != nullptr) aclrtFreePhysical(handle_);
  });
}

}  // namespace anyacl::hccl
