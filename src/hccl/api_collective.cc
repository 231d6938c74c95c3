// SPDX-License-Identifier: Apache-2.0
// Collectives: checks, then bytes at addresses for collectives.h.

#include <cstring>

#include "base/format.h"
#include "hccl/arguments.h"
#include "hccl/collectives.h"
#include "hccl/data_type.h"
#include "hccl/exchange.h"
#include "hccl/group.h"
#include "hccl/hccl.h"
#include "hccl/label.h"
#include "hccl/result.h"

namespace anyacl::hccl {
namespace {

bool Overlap(const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
  const auto* first = static_cast<const char*>(a);
  const auto* second = static_cast<const char*>(b);
  return a_bytes != 0 && b_bytes != 0 && first < second + b_bytes && second < first + a_bytes;
}

char* At(const void* base, size_t bytes) {
  return static_cast<char*>(const_cast<void*>(base)) + bytes;
}

template <class Plan>
Work MakeWork(Operation operation, HcclDataType type, const Work::Call& call, Plan plan) {
  Work work;
  work.call = call;
  work.label = MakeLabel(operation, type, call.op.value_or(HCCL_REDUCE_SUM));
  work.collective = [plan = std::move(plan)](Exchange& exchange) { return Run(plan, exchange); };
  return work;
}

// Rows of different lengths: uint64 arrays in host memory, in elements.
struct Rows {
  const char* buffer_name;
  const void* buffer;
  const char* counts_name;
  const void* counts;
  const char* displacements_name;
  const void* displacements;
  HcclDataType type;
};

// The rows' pieces, and the bytes from the buffer to the end of the last one.
Status PiecesOf(const Rows& rows, uint32_t ranks, std::vector<Moves::Piece>* pieces,
                size_t* extent) {
  for (const auto& [name, array] : {std::pair(rows.counts_name, rows.counts),
                                    std::pair(rows.displacements_name, rows.displacements)}) {
    if (const Status status = RequirePointer(name, array); !status.ok()) return status;
  }
  *extent = 0;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    uint64_t count = 0;
    uint64_t first = 0;
    std::memcpy(&count, static_cast<const uint64_t*>(rows.counts) + rank, sizeof(count));
    std::memcpy(&first, static_cast<const uint64_t*>(rows.displacements) + rank, sizeof(first));
    uint64_t end = 0;
    size_t end_bytes = 0;
    if (__builtin_add_overflow(count, first, &end) ||
        __builtin_mul_overflow(end, SizeOf(rows.type), &end_bytes)) {
      return Fail(HCCL_E_PARA, "{}[{}] is {} and {}[{}] is {}: no memory is that large",
                  rows.counts_name, rank, count, rows.displacements_name, rank, first);
    }
    if (count != 0) *extent = std::max(*extent, end_bytes);
    const size_t size = SizeOf(rows.type);
    pieces->push_back({count == 0 ? nullptr : At(rows.buffer, first * size), count * size});
  }
  size_t bytes = 0;
  return CheckBuffer(rows.buffer_name, rows.buffer, *extent, HCCL_DATA_TYPE_UINT8, &bytes);
}

Status Differ(const void* send, size_t send_bytes, const void* receive, size_t receive_bytes) {
  if (!Overlap(send, send_bytes, receive, receive_bytes)) return {};
  return Fail(HCCL_E_PARA, "sendBuf and recvBuf overlap, expected different memory");
}

Status AllToAll(Operation operation, const Rows& send, const Rows& receive, const Work::Call& call,
                const std::shared_ptr<Communicator>& communicator, aclrtStream stream) {
  Moves moves;
  size_t sent = 0;
  size_t received = 0;
  for (const Status& status : {PiecesOf(send, communicator->ranks(), &moves.sends, &sent),
                               PiecesOf(receive, communicator->ranks(), &moves.receives, &received),
                               Differ(send.buffer, sent, receive.buffer, received)}) {
    if (!status.ok()) return status;
  }
  const size_t own_sent = moves.sends[communicator->rank()].bytes;
  const size_t own_received = moves.receives[communicator->rank()].bytes;
  if (own_sent != own_received) {
    return Fail(HCCL_E_PARA, "rank {} sends itself {} bytes and expects {}", communicator->rank(),
                own_sent, own_received);
  }
  return Submit(communicator, MakeWork(operation, send.type, call, std::move(moves)), stream);
}

Status CheckTypes(HcclDataType send, HcclDataType receive) {
  for (const Status& status : {CheckType("sendType", send), CheckType("recvType", receive)}) {
    if (!status.ok()) return status;
  }
  if (send == receive) return {};
  return Fail(HCCL_E_PARA, "sendType is {} and recvType is {}, expected the same", NameOf(send),
              NameOf(receive));
}

}  // namespace
}  // namespace anyacl::hccl

using namespace anyacl;
using namespace anyacl::hccl;

extern "C" {

HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                         HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclAllReduce";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckReduction(dataType, op); !status.ok()) return status;
    size_t bytes = 0;
    for (const Status& status : {CheckBuffer("sendBuf", sendBuf, count, dataType, &bytes),
                                 CheckBuffer("recvBuf", recvBuf, count, dataType, &bytes)}) {
      if (!status.ok()) return status;
    }
    for (const auto& [name, buffer] :
         {std::pair("sendBuf", sendBuf), std::pair("recvBuf", recvBuf)}) {
      if (const Status status = CheckAlignment(name, buffer, dataType); !status.ok()) return status;
    }
    SliceReduction plan{dataType,
                        op,
                        At(sendBuf, 0),
                        EvenSlices(count, SizeOf(dataType), communicator->ranks()),
                        At(recvBuf, 0),
                        SliceReduction::Result::kAll,
                        0,
                        false};
    plan.stage = sendBuf != recvBuf && Overlap(sendBuf, bytes, recvBuf, bytes);
    return Submit(communicator,
                  MakeWork(Operation::kAllReduce, dataType, {kApi, count, dataType, op, {}, {}},
                           std::move(plan)),
                  stream);
  });
}

HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                      HcclReduceOp op, uint32_t root, HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclReduce";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    for (const Status& status :
         {CheckReduction(dataType, op), CheckPeer("root", root, *communicator)}) {
      if (!status.ok()) return status;
    }
    size_t bytes = 0;
    if (const Status status = CheckBuffer("sendBuf", sendBuf, count, dataType, &bytes);
        !status.ok())
      return status;
    const bool mine = communicator->rank() == root;
    if (mine) {
      if (const Status status = CheckBuffer("recvBuf", recvBuf, count, dataType, &bytes);
          !status.ok())
        return status;
    }
    for (const auto& [name, buffer] :
         {std::pair("sendBuf", sendBuf), std::pair("recvBuf", mine ? recvBuf : nullptr)}) {
      if (const Status status = CheckAlignment(name, buffer, dataType); !status.ok()) return status;
    }
    SliceReduction plan{dataType,       op,
                        At(sendBuf, 0), EvenSlices(count, SizeOf(dataType), communicator->ranks()),
                        At(recvBuf, 0), SliceReduction::Result::kRoot,
                        root,           false};
    plan.stage = mine && sendBuf != recvBuf && Overlap(sendBuf, bytes, recvBuf, bytes);
    return Submit(communicator,
                  MakeWork(Operation::kReduce, dataType, {kApi, count, dataType, op, root, {}},
                           std::move(plan)),
                  stream);
  });
}

HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                             HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                             aclrtStream stream) {
  constexpr const char* kApi = "HcclReduceScatter";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckReduction(dataType, op); !status.ok()) return status;
    uint64_t all = 0;
    if (__builtin_mul_overflow(recvCount, uint64_t{communicator->ranks()}, &all)) {
      return Fail(HCCL_E_PARA, "recvCount is {}: no memory is that large", recvCount);
    }
    size_t sent = 0;
    size_t received = 0;
    for (const Status& status : {CheckBuffer("sendBuf", sendBuf, all, dataType, &sent),
                                 CheckBuffer("recvBuf", recvBuf, recvCount, dataType, &received)}) {
      if (!status.ok()) return status;
    }
    for (const auto& [name, buffer] :
         {std::pair("sendBuf", sendBuf), std::pair("recvBuf", recvBuf)}) {
      if (const Status status = CheckAlignment(name, buffer, dataType); !status.ok()) return status;
    }
    SliceReduction plan{
        dataType, op, At(sendBuf, 0), {}, At(recvBuf, 0), SliceReduction::Result::kOwner, 0, false};
    for (uint32_t rank = 0; rank < communicator->ranks(); ++rank)
      plan.slices.push_back({rank * recvCount, recvCount});
    plan.stage = recvBuf != At(sendBuf, communicator->rank() * received) &&
                 Overlap(sendBuf, sent, recvBuf, received);
    return Submit(communicator,
                  MakeWork(Operation::kReduceScatter, dataType,
                           {kApi, recvCount, dataType, op, {}, {}}, std::move(plan)),
                  stream);
  });
}

HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls,
                              void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                              HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclReduceScatterV";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckReduction(dataType, op); !status.ok()) return status;
    std::vector<Moves::Piece> pieces;
    size_t sent = 0;
    size_t received = 0;
    for (const Status& status : {PiecesOf({"sendBuf", sendBuf, "sendCounts", sendCounts,
                                           "sendDispls", sendDispls, dataType},
                                          communicator->ranks(), &pieces, &sent),
                                 CheckBuffer("recvBuf", recvBuf, recvCount, dataType, &received),
                                 Differ(sendBuf, sent, recvBuf, received)}) {
      if (!status.ok()) return status;
    }
    const size_t element = SizeOf(dataType);
    for (const auto& [name, buffer] :
         {std::pair("sendBuf", sendBuf), std::pair("recvBuf", recvBuf)}) {
      if (const Status status = CheckAlignment(name, buffer, dataType); !status.ok()) return status;
    }
    SliceReduction plan{
        dataType, op, At(sendBuf, 0), {}, At(recvBuf, 0), SliceReduction::Result::kOwner, 0, false};
    for (const Moves::Piece& piece : pieces) {
      const size_t first =
          piece.bytes == 0
              ? 0
              : static_cast<size_t>(piece.data - static_cast<char*>(sendBuf)) / element;
      plan.slices.push_back({first, piece.bytes / element});
    }
    const size_t own = plan.slices[communicator->rank()].count;
    if (own != recvCount) {
      return Fail(HCCL_E_PARA, "recvCount is {}, expected sendCounts[{}] = {}", recvCount,
                  communicator->rank(), own);
    }
    return Submit(communicator,
                  MakeWork(Operation::kReduceScatterV, dataType, {kApi, {}, dataType, op, {}, {}},
                           std::move(plan)),
                  stream);
  });
}

HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root,
                         HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclBroadcast";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    size_t bytes = 0;
    for (const Status& status :
         {CheckType("dataType", dataType), CheckPeer("root", root, *communicator)}) {
      if (!status.ok()) return status;
    }
    if (const Status status = CheckBuffer("buf", buf, count, dataType, &bytes); !status.ok())
      return status;
    return Submit(communicator,
                  MakeWork(Operation::kBroadcast, dataType, {kApi, count, dataType, {}, root, {}},
                           Broadcast{At(buf, 0), bytes, root}),
                  stream);
  });
}

HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType,
                         HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclAllGather";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckType("dataType", dataType); !status.ok()) return status;
    const uint32_t ranks = communicator->ranks();
    uint64_t all = 0;
    if (__builtin_mul_overflow(sendCount, uint64_t{ranks}, &all)) {
      return Fail(HCCL_E_PARA, "sendCount is {}: no memory is that large", sendCount);
    }
    size_t bytes = 0;
    size_t received = 0;
    for (const Status& status : {CheckBuffer("sendBuf", sendBuf, sendCount, dataType, &bytes),
                                 CheckBuffer("recvBuf", recvBuf, all, dataType, &received)}) {
      if (!status.ok()) return status;
    }
    Moves moves;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      moves.sends.push_back({At(sendBuf, 0), bytes});
      moves.receives.push_back({At(recvBuf, rank * bytes), bytes});
    }
    if (sendBuf != moves.receives[communicator->rank()].data &&
        Overlap(sendBuf, bytes, recvBuf, received)) {
      return Fail(
          HCCL_E_PARA,
          "sendBuf overlaps recvBuf elsewhere than at the rank's own row, recvBuf + {} bytes",
          communicator->rank() * bytes);
    }
    return Submit(communicator,
                  MakeWork(Operation::kAllGather, dataType, {kApi, sendCount, dataType, {}, {}, {}},
                           std::move(moves)),
                  stream);
  });
}

HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                          const void* recvDispls, HcclDataType dataType, HcclComm comm,
                          aclrtStream stream) {
  constexpr const char* kApi = "HcclAllGatherV";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckType("dataType", dataType); !status.ok()) return status;
    Moves moves;
    size_t bytes = 0;
    size_t received = 0;
    for (const Status& status : {CheckBuffer("sendBuf", sendBuf, sendCount, dataType, &bytes),
                                 PiecesOf({"recvBuf", recvBuf, "recvCounts", recvCounts,
                                           "recvDispls", recvDispls, dataType},
                                          communicator->ranks(), &moves.receives, &received)}) {
      if (!status.ok()) return status;
    }
    const Moves::Piece& own = moves.receives[communicator->rank()];
    if (own.bytes != bytes) {
      return Fail(HCCL_E_PARA, "sendCount is {}, expected recvCounts[{}] = {}", sendCount,
                  communicator->rank(), own.bytes / SizeOf(dataType));
    }
    if (sendBuf != own.data) {
      if (const Status status = Differ(sendBuf, bytes, recvBuf, received); !status.ok())
        return status;
    }
    moves.sends.assign(communicator->ranks(), {At(sendBuf, 0), bytes});
    return Submit(communicator,
                  MakeWork(Operation::kAllGatherV, dataType, {kApi, {}, dataType, {}, {}, {}},
                           std::move(moves)),
                  stream);
  });
}

HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                       uint32_t root, HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclScatter";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    for (const Status& status :
         {CheckType("dataType", dataType), CheckPeer("root", root, *communicator)}) {
      if (!status.ok()) return status;
    }
    const uint32_t ranks = communicator->ranks();
    const bool mine = communicator->rank() == root;
    uint64_t all = 0;
    if (__builtin_mul_overflow(recvCount, uint64_t{ranks}, &all)) {
      return Fail(HCCL_E_PARA, "recvCount is {}: no memory is that large", recvCount);
    }
    size_t bytes = 0;
    size_t sent = 0;
    if (const Status status = CheckBuffer("recvBuf", recvBuf, recvCount, dataType, &bytes);
        !status.ok())
      return status;
    Moves moves;
    moves.one_way = true;
    moves.sends.resize(ranks);
    moves.receives.assign(ranks, {At(recvBuf, 0), bytes});
    moves.sends_to.assign(ranks, mine);
    moves.receives_from.assign(ranks, false);
    moves.receives_from[root] = true;
    if (mine) {
      if (const Status status = CheckBuffer("sendBuf", sendBuf, all, dataType, &sent); !status.ok())
        return status;
      for (uint32_t rank = 0; rank < ranks; ++rank)
        moves.sends[rank] = {At(sendBuf, rank * bytes), bytes};
      moves.stage = recvBuf != moves.sends[root].data && Overlap(sendBuf, sent, recvBuf, bytes);
    }
    return Submit(communicator,
                  MakeWork(Operation::kScatter, dataType, {kApi, recvCount, dataType, {}, root, {}},
                           std::move(moves)),
                  stream);
  });
}

HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType,
                        const void* recvBuf, uint64_t recvCount, HcclDataType recvType,
                        HcclComm comm, aclrtStream stream) {
  constexpr const char* kApi = "HcclAlltoAll";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckTypes(sendType, recvType); !status.ok()) return status;
    if (sendCount != recvCount) {
      return Fail(HCCL_E_PARA, "sendCount is {} and recvCount is {}, expected the same", sendCount,
                  recvCount);
    }
    const std::vector<uint64_t> counts(communicator->ranks(), sendCount);
    std::vector<uint64_t> displacements;
    for (uint64_t rank = 0; rank < communicator->ranks(); ++rank) {
      uint64_t first = 0;
      if (__builtin_mul_overflow(rank, sendCount, &first)) {
        return Fail(HCCL_E_PARA, "sendCount is {}: no memory is that large", sendCount);
      }
      displacements.push_back(first);
    }
    const auto rows = [&](const char* name, const void* buffer) {
      return Rows{name, buffer, "sendCount", counts.data(), "row", displacements.data(), sendType};
    };
    return AllToAll(Operation::kAllToAll, rows("sendBuf", sendBuf), rows("recvBuf", recvBuf),
                    {kApi, sendCount, sendType, {}, {}, {}}, communicator, stream);
  });
}

HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls,
                         HcclDataType sendType, const void* recvBuf, const void* recvCounts,
                         const void* rdispls, HcclDataType recvType, HcclComm comm,
                         aclrtStream stream) {
  constexpr const char* kApi = "HcclAlltoAllV";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    if (const Status status = CheckTypes(sendType, recvType); !status.ok()) return status;
    return AllToAll(Operation::kAllToAllV,
                    {"sendBuf", sendBuf, "sendCounts", sendCounts, "sdispls", sdispls, sendType},
                    {"recvBuf", recvBuf, "recvCounts", recvCounts, "rdispls", rdispls, recvType},
                    {kApi, {}, sendType, {}, {}, {}}, communicator, stream);
  });
}

HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix, HcclDataType sendType,
                          const void* recvBuf, HcclDataType recvType, HcclComm comm,
                          aclrtStream stream) {
  constexpr const char* kApi = "HcclAlltoAllVC";
  return WithCommunicator(kApi, comm, [&](const auto& communicator) -> Status {
    for (const Status& status :
         {CheckTypes(sendType, recvType), RequirePointer("sendCountMatrix", sendCountMatrix)}) {
      if (!status.ok()) return status;
    }
    const size_t ranks = communicator->ranks();
    const size_t own = communicator->rank();
    std::vector<uint64_t> matrix(ranks * ranks);
    std::memcpy(matrix.data(), sendCountMatrix, matrix.size() * sizeof(uint64_t));
    std::vector<uint64_t> send_counts, send_displacements, receive_counts, receive_displacements;
    uint64_t sent = 0;
    uint64_t received = 0;
    for (size_t rank = 0; rank < ranks; ++rank) {
      send_counts.push_back(matrix[own * ranks + rank]);
      receive_counts.push_back(matrix[rank * ranks + own]);
      send_displacements.push_back(sent);
      receive_displacements.push_back(received);
      if (__builtin_add_overflow(sent, send_counts.back(), &sent) ||
          __builtin_add_overflow(received, receive_counts.back(), &received)) {
        return Fail(HCCL_E_PARA, "sendCountMatrix names more elements than any memory has");
      }
    }
    return AllToAll(Operation::kAllToAllV,
                    {"sendBuf", sendBuf, "sendCountMatrix", send_counts.data(), "row",
                     send_displacements.data(), sendType},
                    {"recvBuf", recvBuf, "sendCountMatrix", receive_counts.data(), "row",
                     receive_displacements.data(), recvType},
                    {kApi, {}, sendType, {}, {}, {}}, communicator, stream);
  });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
  return WithCommunicator("HcclBarrier", comm, [&](const auto& communicator) {
    Work work;
    work.call.api = "HcclBarrier";
    work.label = MakeLabel(Operation::kBarrier);
    work.collective = RunBarrier;
    return Submit(communicator, std::move(work), stream);
  });
}
}
