// SPDX-License-Identifier: Apache-2.0
// Allocators that programs register for streams: kept, and told to whoever asks by the stream.
#include <map>
#include <memory>
#include <mutex>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/handle_table.h"

namespace anyacl {
namespace {

struct Allocator {
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc alloc = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc alloc_advise = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc get_addr = nullptr;
};

using DescTable = HandleTable<Allocator, HandleKind::kAllocatorDesc>;

DescTable& Descs() {
  static DescTable* table = DescTable::NewGlobal();
  return *table;
}

// What is registered, by the handle of the stream, which is never used twice.
struct Registered {
  aclrtAllocatorDesc desc;
  Allocator allocator;
};

struct Registry {
  std::mutex mutex;  // of the descriptions' contents, too
  std::map<const void*, Registered> by_stream;
};

Registry& Allocators() {
  static Registry* all = [] {
    auto* created = new Registry;
    // Before the tables, which are looked into with this lock held.
    ForkLocks::Add(ForkOrder::kCallbacks, created->mutex);
    return created;
  }();
  return *all;
}
[[maybe_unused]] const bool kAllocatorApiMadeAtLoad = (Descs(), Allocators(), true);

Status FindDesc(aclrtAllocatorDesc handle, std::shared_ptr<Allocator>* desc) {
  if (Status s = NotNull(handle, "allocatorDesc"); !s.ok()) return s;
  *desc = Descs().Find(handle);
  if (*desc != nullptr) return {};
  return Fail(ACL_ERROR_RT_INVALID_HANDLE,
              "allocatorDesc {} is not alive, expected one of aclrtAllocatorCreateDesc", handle);
}

template <class T>
aclError SetPart(const char* api, aclrtAllocatorDesc handle, T Allocator::*part, T value,
                 const char* parameter) {
  return Entry(api, [&]() -> Status {
    std::shared_ptr<Allocator> desc;
    if (Status s = FindDesc(handle, &desc); !s.ok()) return s;
    if (Status s = NotNull(reinterpret_cast<const void*>(value), parameter); !s.ok()) return s;
    std::lock_guard lock(Allocators().mutex);
    (*desc).*part = value;
    return {};
  });
}

Status CheckComplete(const Allocator& allocator) {
  const char* missing = allocator.object == nullptr  ? "the allocator (SetObj)"
                        : allocator.alloc == nullptr ? "the function that allocates (SetAllocFunc)"
                        : allocator.free == nullptr  ? "the function that frees (SetFreeFunc)"
                        : allocator.get_addr == nullptr ? "the function for addresses "
                                                          "(SetGetAddrFromBlockFunc)"
                                                        : nullptr;
  if (missing == nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "allocatorDesc lacks {}, expected all but the advised one",
              missing);
}

template <class T>
void Tell(T* target, T value) {
  if (target != nullptr) *target = value;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void) {
  aclrtAllocatorDesc desc = nullptr;
  Entry("aclrtAllocatorCreateDesc", [&]() -> Status {
    desc = Descs().Add(std::make_shared<Allocator>());
    return {};
  });
  return desc;
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  return Entry("aclrtAllocatorDestroyDesc", [&]() -> Status {
    std::shared_ptr<Allocator> desc;
    if (Status s = FindDesc(allocatorDesc, &desc); !s.ok()) return s;
    Descs().Remove(allocatorDesc);
    return {};
  });
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return SetPart("aclrtAllocatorSetObjToDesc", allocatorDesc, &Allocator::object, allocator,
                 "allocator");
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                          aclrtAllocatorAllocFunc func) {
  return SetPart("aclrtAllocatorSetAllocFuncToDesc", allocatorDesc, &Allocator::alloc, func,
                 "func");
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                         aclrtAllocatorFreeFunc func) {
  return SetPart("aclrtAllocatorSetFreeFuncToDesc", allocatorDesc, &Allocator::free, func, "func");
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func) {
  return SetPart("aclrtAllocatorSetAllocAdviseFuncToDesc", allocatorDesc, &Allocator::alloc_advise,
                 func, "func");
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func) {
  return SetPart("aclrtAllocatorSetGetAddrFromBlockFuncToDesc", allocatorDesc, &Allocator::get_addr,
                 func, "func");
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  return Entry("aclrtAllocatorRegister", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindAnyStream(stream, &found); !s.ok()) return s;
    std::shared_ptr<Allocator> desc;
    if (Status s = FindDesc(allocatorDesc, &desc); !s.ok()) return s;
    Registry& all = Allocators();
    std::lock_guard lock(all.mutex);
    if (Status s = CheckComplete(*desc); !s.ok()) return s;
    std::erase_if(all.by_stream,
                  [](const auto& item) { return Streams().Find(item.first) == nullptr; });
    all.by_stream[stream] = {allocatorDesc, *desc};
    return {};
  });
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
  return Entry("aclrtAllocatorUnregister", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    Registry& all = Allocators();
    std::lock_guard lock(all.mutex);
    all.by_stream.erase(stream);
    return {};
  });
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                   aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                   aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  return Entry("aclrtAllocatorGetByStream", [&]() -> Status {
    if (Status s = NotNull(allocatorDesc, "allocatorDesc"); !s.ok()) return s;
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    Registry& all = Allocators();
    std::lock_guard lock(all.mutex);
    const auto it = all.by_stream.find(stream);
    if (it == all.by_stream.end() || Streams().Find(stream) == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "stream {} has no allocator, expected aclrtAllocatorRegister before", stream);
    }
    const Registered& registered = it->second;
    *allocatorDesc = registered.desc;
    Tell(allocator, registered.allocator.object);
    Tell(allocFunc, registered.allocator.alloc);
    Tell(freeFunc, registered.allocator.free);
    Tell(allocAdviseFunc, registered.allocator.alloc_advise);
    Tell(getAddrFromBlockFunc, registered.allocator.get_addr);
    return {};
  });
}
}
