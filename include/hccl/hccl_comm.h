// SPDX-License-Identifier: Apache-2.0
// Communicators: joining, names, errors, settings, memory. What they compute with: hccl/hccl.h.
//
// Rules are those of HCOMM's documents of its C functions (hccl_comm.h of CANN 9, August 2026) but
// for those said to be torch_npu's. Every function returns HCCL_SUCCESS (0) or a code of
// HcclResult, and leaves a message for aclGetRecentErrMsg when it fails. HCCL_E_PTR: an argument
// that may not be null is. HCCL_E_PARA: an argument is out of its range, or comm is no
// communicator.
#ifndef ANYACL_HCCL_HCCL_COMM_H_
#define ANYACL_HCCL_HCCL_COMM_H_

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "acl/acl.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Joining ----

// For one rank, the root: where the others find it. The bytes are to be brought to all ranks by the
// program; each answer serves one communicator.
ACL_FUNC_VISIBILITY HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);

// Joins a communicator of nRanks ranks as `rank` (less than nRanks) with the calling thread's
// device. Blocks until all have joined; HCCL_E_TIMEOUT after HCCL_CONNECT_TIMEOUT seconds (120).
// All ranks pass the same nRanks and rootInfo. The threads of a process may be ranks.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                    uint32_t rank, HcclComm* comm);

// The same with settings, of which HcclCommConfigInit makes the defaults; the same on all ranks.
// HCCL_E_PARA: config was not made by HcclCommConfigInit, or hcclBufferSize is 0.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks,
                                                          const HcclRootInfo* rootInfo,
                                                          uint32_t rank,
                                                          const HcclCommConfig* config,
                                                          HcclComm* comm);

// All ranks in one process: comms[i] is rank i, on devices[i]; later each is used by a thread of
// its own. HCCL_E_PARA: a device stands twice in devices, or there is none of that number.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);

// Joins as `rank` a communicator that a file describes, CANN's rank table in JSON (at most 4096
// bytes of path with the terminating zero).
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank,
                                                       HcclComm* comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                                             HcclCommConfig* config,
                                                             HcclComm* comm);

// A communicator of some ranks of another: rankIds holds rankNum ranks of *comm in the order of
// their new numbers, and subCommRankId is the caller's place in it. Without a name in config it is
// called <name of *comm>_sub_<subCommId>. All of its ranks pass the same arguments; a rank that is
// not among them passes null for rankIds and 0xFFFFFFFF for subCommId, and gets none.
ACL_FUNC_VISIBILITY HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum,
                                                       uint32_t* rankIds, uint64_t subCommId,
                                                       uint32_t subCommRankId,
                                                       HcclCommConfig* config, HcclComm* subComm);

// torch_npu's, for many ranks: of nRoot roots the first one answers for all. nExtRoot has no
// effect.
ACL_FUNC_VISIBILITY HcclResult HcclGetRootInfoScalable(HcclRootInfo* rootInfo);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfoScalable(uint32_t nRanks, uint32_t nRoot,
                                                            const HcclRootInfo* rootInfoList,
                                                            uint32_t rank, uint32_t nExtRoot,
                                                            const HcclCommConfig* config,
                                                            HcclComm* comm);

// Ends the communicator for this rank; the handle is no more. From another thread it ends
// operations that wait for a rank, which then fail.
ACL_FUNC_VISIBILITY HcclResult HcclCommDestroy(HcclComm comm);

// ---- What it is ----

// The number of ranks; the caller's own.
ACL_FUNC_VISIBILITY HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);
ACL_FUNC_VISIBILITY HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);

// Writes the name, which all ranks share: at most COMM_NAME_MAX_LENGTH (128) bytes with the
// terminating zero. Operators that communicate take it as their `group`.
ACL_FUNC_VISIBILITY HcclResult HcclGetCommName(HcclComm comm, char* commName);

// The communicator of this name on the calling thread's device. HCCL_E_NOT_FOUND: there is none.
ACL_FUNC_VISIBILITY HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm);

// Whether operations may be called on the communicator of this name.
ACL_FUNC_VISIBILITY HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status);

// The first error that an operation met after its call had returned: 0 none, HCCL_E_REMOTE (21) a
// rank is lost, HCCL_E_TIMEOUT (9). Never blocks.
ACL_FUNC_VISIBILITY HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);

// A few words on a code, never null.
ACL_FUNC_VISIBILITY const char* HcclGetErrorString(HcclResult code);

// Until all ranks have called it, the stream waits.
ACL_FUNC_VISIBILITY HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);

// ---- Settings ----

// HCCL_DETERMINISTIC (0, 1 or 2) asks for results that do not depend on the order of arrival, which
// all of anyacl's are; the value is kept for who reads it back. HCCL_E_PARA: another config.
ACL_FUNC_VISIBILITY HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
ACL_FUNC_VISIBILITY HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);

// How many of HcclCommConfigCapability are understood: all.
ACL_FUNC_VISIBILITY uint32_t HcclGetCommConfigCapability(void);

// One of a communicator's settings. info takes infoLen bytes: exactly 4 for
// HCCL_CONFIG_TYPE_OP_EXPANSION_MODE, at least HCCL_COMM_ALGO_MAX_LENGTH for
// HCCL_CONFIG_TYPE_HCCL_ALGO.
ACL_FUNC_VISIBILITY HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType,
                                                 uint32_t infoLen, void* info);

// What `reserved` of an HcclCommConfig begins with.
typedef struct HcclCommConfigInfo {
  size_t size;
  uint32_t magicWord;
  uint32_t version;
  uint64_t reserved;
} HcclCommConfigInfo;

// Makes all settings unset; sets nothing if config is null.
static inline void HcclCommConfigInit(HcclCommConfig* config) {
  HcclCommConfigInfo info;
  if (config == NULL) return;
  memset(config, 0, sizeof(*config));
  info.size = sizeof(*config);
  info.magicWord = HCCL_COMM_CONFIG_MAGIC_WORD;
  info.version = HCCL_COMM_CONFIG_VERSION;
  info.reserved = 0;
  memcpy(config->reserved, &info, sizeof(info));
  config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
  config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
  config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
  config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
  config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
  config->hcclExecTimeOut = HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET;
  config->hcclQos = HCCL_COMM_QOS_CONFIG_NOT_SET;
  config->hcclSymWinMaxMemSizePerRank = HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE;
}

// ---- Groups of calls ----

// Calls between the two take effect together at the outermost end: communicators of several devices
// joined or destroyed by one thread, collective operations, or sends and receives, of which none
// waits for another of the group. One kind in a group, and no HcclBatchSendRecv.
ACL_FUNC_VISIBILITY HcclResult HcclGroupStart(void);
ACL_FUNC_VISIBILITY HcclResult HcclGroupEnd(void);
// Whether the calling thread is within a group.
ACL_FUNC_VISIBILITY HcclResult HcclGroupStatusGet(bool* isGroupEnabled);

// ---- Interruption ----

// Between the two, operations return HCCL_E_SUSPENDING. A communicator that has failed stays so:
// Resume returns its failure.
ACL_FUNC_VISIBILITY HcclResult HcclCommSuspend(HcclComm comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommResume(HcclComm comm);

typedef HcclResult (*HcclCommStateCallback)(HcclComm comm, HcclCommStatePhase state, void* args);
// cb is called before and after HcclCommResume and HcclCommDestroy. regName has at most 160 bytes.
ACL_FUNC_VISIBILITY HcclResult HcclCommRegCommStateCallback(const char* regName,
                                                            HcclCommStateCallback cb, void* args);

// Chooses network cards of nRanks ranks. There are none to choose from: success, without effect, as
// upstream where it has one card.
ACL_FUNC_VISIBILITY HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks,
                                                        bool* useBackup, uint32_t nRanks);

// ---- Memory ----

// torch_npu's: makes `size` bytes at addr this rank's window, in which the operators of a
// communicator meet. HCCL_E_PARA: size is 0. HCCL_E_NOT_SUPPORT: it has a window.
ACL_FUNC_VISIBILITY HcclResult HcclCommRegister(HcclComm comm, void* addr, uint64_t size,
                                                void** handle, uint32_t flag);
// An unknown handle is no error.
ACL_FUNC_VISIBILITY HcclResult HcclCommDeregister(HcclComm comm, void* handle);
// Tells peerRankNum ranks of the window and waits until they have told of theirs; its own rank is
// passed over. HCCL_E_PARA: none, or more than ranks. HCCL_E_NOT_FOUND: handle.
ACL_FUNC_VISIBILITY HcclResult HcclCommExchangeMem(HcclComm comm, void* windowHandle,
                                                   uint32_t* peerRanks, uint32_t peerRankNum);

// Windows that all ranks register together, of sizes of their own; flag is 0 or 1.
// HCCL_E_NOT_SUPPORT: a rank cannot map this one's memory, or this one a rank's.
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size,
                                                      HcclCommSymWindow* winHandle, uint32_t flag);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle);
// The window that holds `size` bytes at ptr, and how far into it they begin.
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size,
                                                 HcclCommSymWindow* winHandle, size_t* offset);

// Ranges of addresses within which operations need no copies. Buffers are never copied on their way
// into an operation here, so HCCL_E_NOT_SUPPORT.
ACL_FUNC_VISIBILITY HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size,
                                                      size_t alignment, uint64_t flags);
ACL_FUNC_VISIBILITY HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr);
ACL_FUNC_VISIBILITY HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size,
                                                          size_t offset, aclrtDrvMemHandle handle,
                                                          uint64_t flags);
ACL_FUNC_VISIBILITY HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_HCCL_HCCL_COMM_H_
