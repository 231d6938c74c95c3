// SPDX-License-Identifier: Apache-2.0
// Functions that framework adapters look up by name around each call: a thread-local workspace
// pool, which does nothing here, and a cache of calls that have been prepared (call_cache.h). PTA
// is CANN's name for torch_npu, the PyTorch adapter.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "aclnn/acl_meta.h"
#include "nnop/call_cache.h"

#define ANYACL_EXPORT __attribute__((visibility("default")))

using namespace anyacl;

namespace {

// A call that cannot be announced, for want of memory, is made as any other.
template <class Body>
void Announce(const Body& body) noexcept {
  try {
    body(ComingCall::OfThread());
  } catch (const std::bad_alloc&) {
    if (ComingCall* coming = ComingCall::OfThreadIfAny()) coming->Clear();
  }
}

// The key was set before; what else a client says of it may be more than is there (torch_npu gives
// 9,216 bytes of a buffer of 8,192 where a key does not fit). Null, and nothing written, where the
// call is not known.
aclOpExecutor* Repeated(uint64_t* workspace_size) {
  aclOpExecutor* handle = nullptr;
  if (workspace_size == nullptr) return handle;
  Announce([&](ComingCall& coming) {
    std::shared_ptr<Executor> executor = coming.Repeat();
    if (executor == nullptr) return;
    const uint64_t size = executor->workspace_size();
    handle = AddExecutor(std::move(executor));
    *workspace_size = size;
  });
  return handle;
}

}  // namespace

extern "C" {

ANYACL_EXPORT int InitHugeMemThreadLocal(void* /*arg*/, bool /*sync*/) { return 0; }
ANYACL_EXPORT void UnInitHugeMemThreadLocal(void* /*arg*/, bool /*sync*/) {}
ANYACL_EXPORT void ReleaseHugeMem(void* /*arg*/, bool /*sync*/) {}

ANYACL_EXPORT void InitPTACacheThreadLocal() {
  Announce([](ComingCall& coming) { coming.Clear(); });
}
ANYACL_EXPORT void UnInitPTACacheThreadLocal() {
  Announce([](ComingCall& coming) { coming.Clear(); });
}
// 0: a call that is not to be kept.
ANYACL_EXPORT void SetPTAHashKey(uint64_t hash) {
  Announce([&](ComingCall& coming) {
    const std::string_view bytes(reinterpret_cast<const char*>(&hash), sizeof(hash));
    coming.SetKey(hash == 0 ? std::string_view() : bytes);
  });
}
// Null: the same.
ANYACL_EXPORT void SetPTACacheHashKey(uint8_t* key, size_t size) {
  Announce([&](ComingCall& coming) {
    const std::string_view bytes(reinterpret_cast<const char*>(key), size);
    coming.SetKey(key == nullptr ? std::string_view() : bytes);
  });
}
ANYACL_EXPORT void AddTensorAddrToCachedList(void* address) {
  Announce([&](ComingCall& coming) { coming.AddAddress(address); });
}
ANYACL_EXPORT bool CanUsePTACache(const char* api) {
  return api != nullptr && CallCache::Get().is_used();
}
ANYACL_EXPORT aclOpExecutor* PTAGetExecCache(uint64_t /*hash*/, uint64_t* workspace_size) {
  return Repeated(workspace_size);
}
ANYACL_EXPORT aclOpExecutor* PTAFindExecCache(uint8_t* /*key*/, size_t /*size*/,
                                              uint64_t* workspace_size) {
  return Repeated(workspace_size);
}
}
