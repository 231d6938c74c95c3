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
HcclResult HcclGetRootInfo(HcclRootInfo*) { return NotOffered("HcclGetRootInfo"); }
HcclResult HcclCommInitRootInfo(uint32_t, const HcclRootInfo*, uint32_t, HcclComm*) {
  return NotOffered("HcclCommInitRootInfo");
}
HcclResult HcclCommInitRootInfoConfig(uint32_t, const HcclRootInfo*, uint32_t,
                                      const HcclCommConfig*, HcclComm*) {
  return NotOffered("HcclCommInitRootInfoConfig");
}
HcclResult HcclCommInitAll(uint32_t, int32_t*, HcclComm*) { return NotOffered("HcclCommInitAll"); }
HcclResult HcclCommInitClusterInfo(const char*, uint32_t, HcclComm*) {
  return NotOffered("HcclCommInitClusterInfo");
}
HcclResult HcclCommInitClusterInfoConfig(const char*, uint32_t, HcclCommConfig*, HcclComm*) {
  return NotOffered("HcclCommInitClusterInfoConfig");
}
HcclResult HcclCreateSubCommConfig(HcclComm*, uint32_t, uint32_t*, uint64_t, uint32_t,
                                   HcclCommConfig*, HcclComm*) {
  return NotOffered("HcclCreateSubCommConfig");
}
HcclResult HcclGetRootInfoScalable(HcclRootInfo*) { return NotOffered("HcclGetRootInfoScalable"); }
HcclResult HcclCommInitRootInfoScalable(uint32_t, uint32_t, const HcclRootInfo*, uint32_t, uint32_t,
                                        const HcclCommConfig*, HcclComm*) {
  return NotOffered("HcclCommInitRootInfoScalable");
}
HcclResult HcclCommDestroy(HcclComm) { return NotOffered("HcclCommDestroy"); }
HcclResult HcclGetRankSize(HcclComm, uint32_t*) { return NotOffered("HcclGetRankSize"); }
HcclResult HcclGetRankId(HcclComm, uint32_t*) { return NotOffered("HcclGetRankId"); }
HcclResult HcclGetCommName(HcclComm, char*) { return NotOffered("HcclGetCommName"); }
HcclResult HcclCommGetHandleWithName(const char*, HcclComm*) {
  return NotOffered("HcclCommGetHandleWithName");
}
HcclResult HcclCommGetStatus(const char*, HcclCommStatus*) {
  return NotOffered("HcclCommGetStatus");
}
HcclResult HcclGetCommAsyncError(HcclComm, HcclResult*) {
  return NotOffered("HcclGetCommAsyncError");
}
HcclResult HcclBarrier(HcclComm, aclrtStream) { return NotOffered("HcclBarrier"); }
HcclResult HcclConfigGetInfo(HcclComm, HcclConfigType, uint32_t, void*) {
  return NotOffered("HcclConfigGetInfo");
}
HcclResult HcclGroupStart() { return NotOffered("HcclGroupStart"); }
HcclResult HcclGroupEnd() { return NotOffered("HcclGroupEnd"); }
HcclResult HcclGroupStatusGet(bool*) { return NotOffered("HcclGroupStatusGet"); }
HcclResult HcclCommSuspend(HcclComm) { return NotOffered("HcclCommSuspend"); }
HcclResult HcclCommResume(HcclComm) { return NotOffered("HcclCommResume"); }
HcclResult HcclCommRegCommStateCallback(const char*, HcclCommStateCallback, void*) {
  return NotOffered("HcclCommRegCommStateCallback");
}
HcclResult HcclCommWorkingDevNicSet(HcclComm, uint32_t*, bool*, uint32_t) {
  return NotOffered("HcclCommWorkingDevNicSet");
}
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
HcclResult HcclAllReduce(void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm,
                         aclrtStream) {
  return NotOffered("HcclAllReduce");
}
HcclResult HcclReduce(void*, void*, uint64_t, HcclDataType, HcclReduceOp, uint32_t, HcclComm,
                      aclrtStream) {
  return NotOffered("HcclReduce");
}
HcclResult HcclBroadcast(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclBroadcast");
}
HcclResult HcclReduceScatter(void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm,
                             aclrtStream) {
  return NotOffered("HcclReduceScatter");
}
HcclResult HcclReduceScatterV(void*, const void*, const void*, void*, uint64_t, HcclDataType,
                              HcclReduceOp, HcclComm, aclrtStream) {
  return NotOffered("HcclReduceScatterV");
}
HcclResult HcclAllGather(void*, void*, uint64_t, HcclDataType, HcclComm, aclrtStream) {
  return NotOffered("HcclAllGather");
}
HcclResult HcclAllGatherV(void*, uint64_t, void*, const void*, const void*, HcclDataType, HcclComm,
                          aclrtStream) {
  return NotOffered("HcclAllGatherV");
}
HcclResult HcclScatter(void*, void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclScatter");
}
HcclResult HcclAlltoAll(const void*, uint64_t, HcclDataType, const void*, uint64_t, HcclDataType,
                        HcclComm, aclrtStream) {
  return NotOffered("HcclAlltoAll");
}
HcclResult HcclAlltoAllV(const void*, const void*, const void*, HcclDataType, const void*,
                         const void*, const void*, HcclDataType, HcclComm, aclrtStream) {
  return NotOffered("HcclAlltoAllV");
}
HcclResult HcclAlltoAllVC(const void*, const void*, HcclDataType, const void*, HcclDataType,
                          HcclComm, aclrtStream) {
  return NotOffered("HcclAlltoAllVC");
}
HcclResult HcclSend(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclSend");
}
HcclResult HcclRecv(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclRecv");
}
HcclResult HcclBatchSendRecv(HcclSendRecvItem*, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclBatchSendRecv");
}
// hccl/hccl_sym_win.h
HcclResult HcclSymWinGetPeerPointer(HcclCommSymWindow, size_t, uint32_t, void**) {
  return NotOffered("HcclSymWinGetPeerPointer");
}
// hcomm/hcomm_res.h
HcommResult HcommMemAlloc(void**, size_t) { return NotOffered("HcommMemAlloc"); }
HcommResult HcommMemFree(void*) { return NotOffered("HcommMemFree"); }
}
