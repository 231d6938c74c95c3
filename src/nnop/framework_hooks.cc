// SPDX-License-Identifier: Apache-2.0
// Functions that framework adapters look up by name around each call: a thread-local workspace
// pool, which does nothing here, and a cache of calls that have been prepared (call_cache.h). PTA
// is CANN's name for torch_npu, the PyTorch adapter.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "aclnn/acl_meta.h"
#include "base/entry.h"
#include "nnop/call_cache.h"
#include "nnop/exports.h"

#define ANYACL_EXPORT __attribute__((visibility("default")))

namespace anyacl {
namespace {

std::string_view BytesOf(const uint8_t* key, size_t size) {
  if (key == nullptr) return {};
  return {reinterpret_cast<const char*>(key), size};
}
std::string_view BytesOf(const uint64_t& hash) {
  return {reinterpret_cast<const char*>(&hash), sizeof(hash)};
}

// Null, and nothing written, where the call is not known.
aclOpExecutor* Repeated(std::string_view key, uint64_t* workspace_size) {
  if (workspace_size == nullptr) return nullptr;
  std::shared_ptr<Executor> executor = ComingCall::OfThread().Repeat(key);
  if (executor == nullptr) return nullptr;
  *workspace_size = executor->workspace_size();
  return AddExecutor(std::move(executor));
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

ANYACL_EXPORT int InitHugeMemThreadLocal(void* /*arg*/, bool /*sync*/) { return 0; }
ANYACL_EXPORT void UnInitHugeMemThreadLocal(void* /*arg*/, bool /*sync*/) {}
ANYACL_EXPORT void ReleaseHugeMem(void* /*arg*/, bool /*sync*/) {}

ANYACL_EXPORT void InitPTACacheThreadLocal() { ComingCall::OfThread().Clear(); }
ANYACL_EXPORT void UnInitPTACacheThreadLocal() { ComingCall::OfThread().Clear(); }
// 0: a call that is not to be kept.
ANYACL_EXPORT void SetPTAHashKey(uint64_t hash) {
  ComingCall::OfThread().SetKey(hash == 0 ? std::string_view() : BytesOf(hash));
}
ANYACL_EXPORT void SetPTACacheHashKey(uint8_t* key, size_t size) {
  ComingCall::OfThread().SetKey(BytesOf(key, size));
}
ANYACL_EXPORT void AddTensorAddrToCachedList(void* address) {
  ComingCall::OfThread().AddAddress(address);
}
ANYACL_EXPORT bool CanUsePTACache(const char* api) {
  return api != nullptr && CallCache::Get().is_used();
}
ANYACL_EXPORT aclOpExecutor* PTAGetExecCache(uint64_t hash, uint64_t* workspace_size) {
  return hash == 0 ? nullptr : Repeated(BytesOf(hash), workspace_size);
}
ANYACL_EXPORT aclOpExecutor* PTAFindExecCache(uint8_t* key, size_t size, uint64_t* workspace_size) {
  return Repeated(BytesOf(key, size), workspace_size);
}
}
