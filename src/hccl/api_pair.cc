// SPDX-License-Identifier: Apache-2.0
// Messages between two ranks.

#include "base/format.h"
#include "hccl/arguments.h"
#include "hccl/group.h"
#include "hccl/hccl.h"
#include "hccl/label.h"

namespace anyacl::hccl {
namespace {

Status AddPair(const char* what, const HcclSendRecvItem& item, const char* peer_name,
               const Communicator& communicator, std::vector<PairMessage>* pairs) {
  size_t bytes = 0;
  for (const Status& status : {CheckType("dataType", item.dataType),
                               CheckPeer(peer_name, item.remoteRank, communicator)}) {
    if (!status.ok()) return status;
  }
  if (const Status status = CheckBuffer(what, item.buf, item.count, item.dataType, &bytes);
      !status.ok()) {
    return status;
  }
  pairs->push_back({item.remoteRank, item.sendRecvType == HCCL_RECV, item.buf, bytes,
                    MakeLabel(Operation::kSend, item.dataType), 0});
  return {};
}

Status Pair(const char* api, const HcclSendRecvItem& item, HcclComm comm, aclrtStream stream) {
  std::shared_ptr<Communicator> communicator;
  if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
  const bool receives = item.sendRecvType == HCCL_RECV;
  const char* peer_name = receives ? "srcRank" : "destRank";
  Work work;
  work.call.api = api;
  if (const Status status =
          AddPair(receives ? "recvBuf" : "sendBuf", item, peer_name, *communicator, &work.pairs);
      !status.ok()) {
    return status;
  }
  if (item.remoteRank == communicator->rank() && !InGroup()) {
    return Fail(HCCL_E_PARA,
                "{} is {}, the rank itself, which waits here: expected another one, or a group",
                peer_name, item.remoteRank);
  }
  work.call.count = item.count;
  work.call.type = item.dataType;
  work.call.peer = item.remoteRank;
  return Submit(communicator, std::move(work), stream);
}

}  // namespace
}  // namespace anyacl::hccl

using namespace anyacl;
using namespace anyacl::hccl;

extern "C" {

HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank,
                    HcclComm comm, aclrtStream stream) {
  return HcclEntry("HcclSend", [&] {
    return Pair("HcclSend", {HCCL_SEND, sendBuf, count, dataType, destRank}, comm, stream);
  });
}

HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank,
                    HcclComm comm, aclrtStream stream) {
  return HcclEntry("HcclRecv", [&] {
    return Pair("HcclRecv", {HCCL_RECV, recvBuf, count, dataType, srcRank}, comm, stream);
  });
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                             aclrtStream stream) {
  constexpr const char* kApi = "HcclBatchSendRecv";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    for (const Status& status : {RequirePointer("sendRecvInfo", sendRecvInfo), RefuseInGroup()}) {
      if (!status.ok()) return status;
    }
    if (itemNum == 0) return Fail(HCCL_E_PARA, "itemNum is 0, expected at least 1");
    Work work;
    work.call.api = kApi;
    work.call.count = itemNum;
    for (uint32_t i = 0; i < itemNum; ++i) {
      const HcclSendRecvItem& item = sendRecvInfo[i];
      if (item.sendRecvType != HCCL_SEND && item.sendRecvType != HCCL_RECV) {
        return Fail(HCCL_E_PARA,
                    "sendRecvInfo[{}].sendRecvType is {}, expected HCCL_SEND (0) or HCCL_RECV (1)",
                    i, static_cast<int>(item.sendRecvType));
      }
      const std::string name = Format("sendRecvInfo[{}].buf", i);
      if (const Status status =
              AddPair(name.c_str(), item, "remoteRank", *communicator, &work.pairs);
          !status.ok()) {
        return status;
      }
    }
    return Submit(communicator, std::move(work), stream);
  });
}
}
