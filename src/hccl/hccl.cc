// SPDX-License-Identifier: Apache-2.0
// Functions that exist and are refused.
#include "hccl/hccl.h"

#include "base/entry.h"
#include "hccl/hccl_sym_win.h"
#include "hcomm/hcomm_res.h"

namespace anyacl {
namespace {

HcclResult NotOffered(const char* api) {
  // The message is what counts; HCCL has codes of its own.
  (void)Entry(api, [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "collective communication is not offered by anyacl (HCCL_E_NOT_SUPPORT)");
  });
  return HCCL_E_NOT_SUPPORT;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

// hccl/hccl_comm.h
HcclResult HcclCommRegister(HcclComm, void*, uint64_t, void**, uint32_t) {
  return NotOffered("HcclCommRegister");
}
HcclResult HcclCommDeregister(HcclComm, void*) { return NotOffered("HcclCommDeregister"); }
HcclResult HcclCommExchangeMem(HcclComm, void*, uint32_t*, uint32_t) {
  return NotOffered("HcclCommExchangeMem");
}
HcclResult HcclCommSymWinRegister(HcclComm, void*, uint64_t, HcclCommSymWindow*, uint32_t) {
  return NotOffered("HcclCommSymWinRegister");
}
HcclResult HcclCommSymWinDeregister(HcclCommSymWindow) {
  return NotOffered("HcclCommSymWinDeregister");
}
HcclResult HcclCommSymWinGet(HcclComm, void*, size_t, HcclCommSymWindow*, size_t*) {
  return NotOffered("HcclCommSymWinGet");
}
HcclResult HcclCommSetMemoryRange(HcclComm, void*, size_t, size_t, uint64_t) {
  return NotOffered("HcclCommSetMemoryRange");
}
HcclResult HcclCommUnsetMemoryRange(HcclComm, void*) {
  return NotOffered("HcclCommUnsetMemoryRange");
}
HcclResult HcclCommActivateCommMemory(HcclComm, void*, size_t, size_t, aclrtDrvMemHandle,
                                      uint64_t) {
  return NotOffered("HcclCommActivateCommMemory");
}
HcclResult HcclCommDeactivateCommMemory(HcclComm, void*) {
  return NotOffered("HcclCommDeactivateCommMemory");
}
// hccl/hccl.h
// hccl/hccl_sym_win.h
HcclResult HcclSymWinGetPeerPointer(HcclCommSymWindow, size_t, uint32_t, void**) {
  return NotOffered("HcclSymWinGetPeerPointer");
}
// hcomm/hcomm_res.h
HcommResult HcommMemAlloc(void**, size_t) { return NotOffered("HcommMemAlloc"); }
HcommResult HcommMemFree(void*) { return NotOffered("HcommMemFree"); }
}
