// SPDX-License-Identifier: Apache-2.0
// Functions that framework adapters look up by name around each call: a thread-local workspace pool
// and a cache of executors. Both are optional optimisations; here the pool does nothing and the
// cache is always empty, which the adapters handle.
#include <cstddef>
#include <cstdint>

#include "aclnn/acl_meta.h"

#define ANYACL_EXPORT __attribute__((visibility("default")))

extern "C" {

ANYACL_EXPORT int InitHugeMemThreadLocal(void* /*arg*/, bool /*sync*/) { return 0; }
ANYACL_EXPORT void UnInitHugeMemThreadLocal(void* /*arg*/, bool /*sync*/) {}
ANYACL_EXPORT void ReleaseHugeMem(void* /*arg*/, bool /*sync*/) {}

ANYACL_EXPORT void InitPTACacheThreadLocal() {}
ANYACL_EXPORT void UnInitPTACacheThreadLocal() {}
ANYACL_EXPORT void SetPTAHashKey(uint64_t /*hash*/) {}
ANYACL_EXPORT void SetPTACacheHashKey(uint8_t* /*key*/, size_t /*size*/) {}
ANYACL_EXPORT bool CanUsePTACache(const char* /*api*/) { return false; }
ANYACL_EXPORT aclOpExecutor* PTAGetExecCache(uint64_t /*hash*/, uint64_t* /*workspace_size*/) {
  return nullptr;
}
ANYACL_EXPORT aclOpExecutor* PTAFindExecCache(uint8_t* /*key*/, size_t /*size*/,
                                              uint64_t* /*workspace_size*/) {
  return nullptr;
}
ANYACL_EXPORT void AddTensorAddrToCachedList(void* /*address*/) {}
}
