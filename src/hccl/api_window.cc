// SPDX-License-Identifier: Apache-2.0
// Windows: memory that the other ranks of a communicator write.
#include <algorithm>
#include <cstring>
#include <span>

#include "acl/acl.h"
#include "hccl/arguments.h"
#include "hccl/hccl_comm.h"
#include "hccl/hccl_res.h"
#include "hccl/hccl_sym_win.h"
#include "hccl/result.h"
#include "hccl/window.h"
#include "hcomm/hcomm_res.h"
#include "runtime/exports.h"

namespace anyacl::hccl {
namespace {

Status CheckMemory(const void* address, uint64_t size) {
  if (const Status status = RequirePointer("addr", address); !status.ok()) return status;
  if (size == 0) return Fail(HCCL_E_PARA, "size is 0, expected at least 1");
  size_t bytes = 0;
  return CheckBuffer("addr", address, size, HCCL_DATA_TYPE_UINT8, &bytes);
}

Status FindWindow(HcclCommSymWindow handle, std::shared_ptr<MemoryWindow>* window) {
  if (const Status status = RequirePointer("winHandle", handle); !status.ok()) return status;
  *window = MemoryWindows().Find(handle);
  if (*window != nullptr) return {};
  return Fail(HCCL_E_PARA, "winHandle is no window, or one that was deregistered");
}

// TORCH_HCCL_ZERO_COPY's: a collective here reads and writes clients' memory as it is.
HcclResult RefuseMemoryRange(const char* api) {
  return HcclEntry(api, [] {
    return Fail(HCCL_E_NOT_SUPPORT,
                "devices map each other's memory for collectives; here nothing is to be mapped");
  });
}

}  // namespace
}  // namespace anyacl::hccl

using namespace anyacl;
using namespace anyacl::hccl;

extern "C" {

HcclResult HcclCommRegister(HcclComm comm, void* addr, uint64_t size, void** handle, uint32_t) {
  return HcclEntry("HcclCommRegister", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    for (const Status& status : {RequirePointer("handle", handle), CheckMemory(addr, size)}) {
      if (!status.ok()) return status;
    }
    return communicator->windows().Register(addr, size, handle);
  });
}

HcclResult HcclCommDeregister(HcclComm comm, void* handle) {
  return HcclEntry("HcclCommDeregister", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    if (const Status status = RequirePointer("handle", handle); !status.ok()) return status;
    // As HCOMM does.
    if (!communicator->windows().Deregister(handle))
      Warn("HcclCommDeregister: handle is no window of the communicator");
    return {};
  });
}

HcclResult HcclCommExchangeMem(HcclComm comm, void* windowHandle, uint32_t* peerRanks,
                               uint32_t peerRankNum) {
  return HcclEntry("HcclCommExchangeMem", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    for (const Status& status :
         {RequirePointer("windowHandle", windowHandle), RequirePointer("peerRanks", peerRanks)}) {
      if (!status.ok()) return status;
    }
    if (peerRankNum < 1 || peerRankNum > communicator->ranks()) {
      return Fail(HCCL_E_PARA, "peerRankNum is {}, expected 1 to the number of ranks, {}",
                  peerRankNum, communicator->ranks());
    }
    const std::span<const uint32_t> peers(peerRanks, peerRankNum);
    for (size_t i = 0; i < peers.size(); ++i) {
      if (peers[i] >= communicator->ranks() ||
          std::find(peers.begin(), peers.begin() + i, peers[i]) != peers.begin() + i) {
        return Fail(HCCL_E_PARA, "peerRanks[{}] is {}, expected different ranks below {}", i,
                    peers[i], communicator->ranks());
      }
    }
    return communicator->windows().Share(windowHandle, peers);
  });
}

HcclResult HcclGetHcclBuffer(HcclComm comm, void** buffer, uint64_t* size) {
  return HcclEntry("HcclGetHcclBuffer", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    for (const Status& status : {RequirePointer("buffer", buffer), RequirePointer("size", size)}) {
      if (!status.ok()) return status;
    }
    return communicator->windows().OwnBuffer(buffer, size);
  });
}

HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size,
                                  HcclCommSymWindow* winHandle, uint32_t flag) {
  return HcclEntry("HcclCommSymWinRegister", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    for (const Status& status : {RequirePointer("winHandle", winHandle), CheckMemory(addr, size)}) {
      if (!status.ok()) return status;
    }
    if (flag > 1) return Fail(HCCL_E_PARA, "flag is {}, expected 0 or 1", flag);
    std::shared_ptr<MemoryWindow> window;
    if (const Status status = communicator->windows().RegisterSymmetric(addr, size, &window);
        !status.ok())
      return status;
    *winHandle = MemoryWindows().Add(std::move(window));
    return {};
  });
}

HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle) {
  return HcclEntry("HcclCommSymWinDeregister", [&]() -> Status {
    std::shared_ptr<MemoryWindow> window;
    if (const Status status = FindWindow(winHandle, &window); !status.ok()) return status;
    MemoryWindows().Remove(winHandle);
    return {};
  });
}

HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size, HcclCommSymWindow* winHandle,
                             size_t* offset) {
  return HcclEntry("HcclCommSymWinGet", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    for (const Status& status : {RequirePointer("ptr", ptr), RequirePointer("winHandle", winHandle),
                                 RequirePointer("offset", offset)}) {
      if (!status.ok()) return status;
    }
    const auto* at = static_cast<const char*>(ptr);
    *winHandle = MemoryWindows().FindHandle([&](const MemoryWindow& window) {
      return window.group == &communicator->windows() && at >= window.base &&
             at - window.base <= static_cast<int64_t>(window.size) &&
             size <= window.size - static_cast<size_t>(at - window.base);
    });
    const std::shared_ptr<MemoryWindow> window = MemoryWindows().Find(*winHandle);
    if (window == nullptr)
      return Fail(HCCL_E_NOT_FOUND, "no window of communicator {} holds these {} bytes",
                  communicator->name(), size);
    *offset = static_cast<size_t>(at - window->base);
    return {};
  });
}

HcclResult HcclSymWinGetPeerPointer(HcclCommSymWindow winHandle, size_t offset, uint32_t peerRank,
                                    void** ptr) {
  return HcclEntry("HcclSymWinGetPeerPointer", [&]() -> Status {
    std::shared_ptr<MemoryWindow> window;
    if (const Status status = FindWindow(winHandle, &window); !status.ok()) return status;
    if (const Status status = RequirePointer("ptr", ptr); !status.ok()) return status;
    if (peerRank >= window->peers.size()) {
      return Fail(HCCL_E_PARA, "peerRank is {}, expected less than the number of ranks, {}",
                  peerRank, window->peers.size());
    }
    const RankWindow& peer = window->peers[peerRank].window;
    if (offset >= peer.size) {
      return Fail(HCCL_E_PARA, "offset is {}, expected less than the size of rank {}'s window, {}",
                  offset, peerRank, peer.size);
    }
    *ptr = peer.base + offset;
    return {};
  });
}

HcclResult HcclCommSetMemoryRange(HcclComm, void*, size_t, size_t, uint64_t) {
  return RefuseMemoryRange("HcclCommSetMemoryRange");
}
HcclResult HcclCommUnsetMemoryRange(HcclComm, void*) {
  return RefuseMemoryRange("HcclCommUnsetMemoryRange");
}
HcclResult HcclCommActivateCommMemory(HcclComm, void*, size_t, size_t, aclrtDrvMemHandle,
                                      uint64_t) {
  return RefuseMemoryRange("HcclCommActivateCommMemory");
}
HcclResult HcclCommDeactivateCommMemory(HcclComm, void*) {
  return RefuseMemoryRange("HcclCommDeactivateCommMemory");
}

HcommResult HcommMemAlloc(void** ptr, size_t size) {
  return HcclEntry("HcommMemAlloc", [&]() -> Status {
    if (ptr == nullptr) return Fail(HCCL_E_PARA, "ptr is null");
    if (size == 0) return Fail(HCCL_E_PARA, "size is 0, expected at least 1");
    // Less than a page cannot be exported.
    return Replay(aclrtMalloc(ptr, std::max<size_t>(size, 4096), ACL_MEM_MALLOC_HUGE_FIRST));
  });
}

HcommResult HcommMemFree(void* ptr) {
  return HcclEntry("HcommMemFree", [&]() -> Status {
    if (ptr == nullptr) return Fail(HCCL_E_PARA, "ptr is null");
    return Replay(aclrtFree(ptr));
  });
}
}
