// SPDX-License-Identifier: Apache-2.0
// Managed memory: device memory that the host may use, too, which holds for all of it here.
#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/stream.h"

namespace anyacl {
namespace {

Status CheckManaged(const void* address, size_t size, const char* parameter) {
  if (Status s = NotNull(address, parameter); !s.ok()) return s;
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "size of {} is 0, expected more", parameter);
  if (!FindAllocation(address)) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "{} is {}, which is not within an allocation, expected one of aclrtMemAllocManaged",
                parameter, address);
  }
  return CheckRange(address, size, parameter);
}

Status CheckLocation(const aclrtMemManagedLocation& location) {
  switch (location.type) {
    case ACL_MEM_LOCATIONTYPE_DEVICE:
      return CheckDevice(location.id);
    case ACL_MEM_LOCATIONTYPE_HOST:
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA:
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
      return {};
    case ACL_MEM_LOCATIONTYPE_INVALID:
      break;
  }
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "location.type is {}, expected 1..4",
              static_cast<int>(location.type));
}

Status CheckManagedFlags(uint64_t flags) {
  if (flags == 0) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {}, expected 0", flags);
}

Status CheckIndices(const size_t* indices, size_t locations, size_t count) {
  for (size_t k = 0; k < locations; ++k) {
    const bool in_order = k == 0 ? indices[0] == 0 : indices[k] > indices[k - 1];
    if (in_order && indices[k] < count) continue;
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "prefetchLocIdxs[{}] is {}, expected 0 first, then larger ones below count {}", k,
                indices[k], count);
  }
  return {};
}

aclError RefuseAttributes(const char* api) {
  return Entry(api, [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "this reads what was advised for managed memory, which anyacl does not keep");
  });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return Entry("aclrtMemAllocManaged", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (flag != ACL_RT_MEM_ATTACH_GLOBAL) {
      return Fail(ACL_ERROR_INVALID_PARAM, "flag is {}, expected 1 (ACL_RT_MEM_ATTACH_GLOBAL)",
                  flag);
    }
    if (size == 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "size is 0, expected at least 1");
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    return Allocate(size, MemoryKind::kDevice, current.context->device(), Padding::kRound32Plus32,
                    ptr);
  });
}

aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size,
                               aclrtMemManagedAdviseType advise, aclrtMemManagedLocation location) {
  return Entry("aclrtMemManagedAdvise", [&]() -> Status {
    if (advise < ACL_MEM_ADVISE_SET_READ_MOSTLY || advise > ACL_MEM_ADVISE_UNSET_ACCESSED_BY) {
      return Fail(ACL_ERROR_INVALID_PARAM, "advise is {}, expected 0..5", static_cast<int>(advise));
    }
    if (Status s = CheckManaged(ptr, size, "ptr"); !s.ok()) return s;
    // Where it is mostly read does not depend on a place.
    if (advise <= ACL_MEM_ADVISE_UNSET_READ_MOSTLY) return {};
    return CheckLocation(location);
  });
}

aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size,
                                      aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream) {
  return Entry("aclrtMemManagedPrefetchAsync", [&]() -> Status {
    if (Status s = CheckManaged(ptr, size, "ptr"); !s.ok()) return s;
    if (Status s = CheckLocation(location); !s.ok()) return s;
    if (Status s = CheckManagedFlags(flags); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    return FindStream(stream, &found);
  });
}

aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs,
                                           size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                           uint64_t flags, aclrtStream stream) {
  return Entry("aclrtMemManagedPrefetchBatchAsync", [&]() -> Status {
    if (Status s = NotNull(ptrs, "ptrs"); !s.ok()) return s;
    if (Status s = NotNull(sizes, "sizes"); !s.ok()) return s;
    if (Status s = NotNull(prefetchLocs, "prefetchLocs"); !s.ok()) return s;
    if (Status s = NotNull(prefetchLocIdxs, "prefetchLocIdxs"); !s.ok()) return s;
    if (count == 0 || numPrefetchLocs == 0 || numPrefetchLocs > count) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "count is {} and numPrefetchLocs {}, expected 1 <= numPrefetchLocs <= count",
                  count, numPrefetchLocs);
    }
    if (Status s = CheckManagedFlags(flags); !s.ok()) return s;
    if (Status s = CheckIndices(prefetchLocIdxs, numPrefetchLocs, count); !s.ok()) return s;
    for (size_t i = 0; i < numPrefetchLocs; ++i) {
      if (Status s = CheckLocation(prefetchLocs[i]); !s.ok()) return s;
    }
    for (size_t i = 0; i < count; ++i) {
      if (Status s = CheckManaged(ptrs[i], sizes[i], "ptrs[i]"); !s.ok()) return s;
    }
    std::shared_ptr<Stream> found;
    return FindStream(stream, &found);
  });
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute, const void*, size_t, void*, size_t) {
  return RefuseAttributes("aclrtMemManagedGetAttr");
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute*, size_t, const void*, size_t,
                                 void**, size_t*) {
  return RefuseAttributes("aclrtMemManagedGetAttrs");
}
}
