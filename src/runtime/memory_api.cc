// SPDX-License-Identifier: Apache-2.0
// aclrt* functions that allocate and free memory.
#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"

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

// Attributes choose among memories that are one here.
Status CheckConfig(const aclrtMallocConfig* cfg) {
  if (cfg == nullptr || cfg->numAttrs == 0) return {};
  if (Status s = NotNull(cfg->attrs, "cfg->attrs"); !s.ok()) return s;
  for (size_t i = 0; i < cfg->numAttrs; ++i) {
    const int attribute = static_cast<int>(cfg->attrs[i].attr);
    if (attribute >= ACL_RT_MEM_ATTR_RSV && attribute <= ACL_RT_MEM_ATTR_VA_FLAG) continue;
    return Fail(ACL_ERROR_INVALID_PARAM, "cfg->attrs[{}].attr is {}, expected 0..{}", i, attribute,
                static_cast<int>(ACL_RT_MEM_ATTR_VA_FLAG));
  }
  return {};
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

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return Entry("aclrtMallocWithCfg", [&]() -> Status {
    if (Status s = CheckConfig(cfg); !s.ok()) return s;
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

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return Entry("aclrtMallocHostWithCfg", [&]() -> Status {
    if (Status s = CheckConfig(cfg); !s.ok()) return s;
    return MallocIn(MemoryKind::kHost, ptr, "ptr", size, Padding::kNone);
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
}
