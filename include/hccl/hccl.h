// SPDX-License-Identifier: Apache-2.0
// Collective operations and messages between the ranks of a communicator.
//
// Rules are those of HCCL's documents of its operators (hccl.h of CANN 9, August 2026). P is the
// number of ranks, counts and displacements are in elements; those that are arrays are uint64 in
// host memory and may be changed when the call has returned. Buffers are device memory, aligned to
// their element type where operations compute. All ranks call the same operations of a communicator
// in the same order, with the same type, op, root and counts. An operation joins the stream's tasks
// and the call returns; its failure is the stream's (aclrtSynchronizeStream) and
// HcclGetCommAsyncError's. A count of 0 is legal.
//
// Reductions compute int8, int16, int32, int64, uint8, uint16, uint32, uint64, fp16, bf16, fp32 and
// fp64: in the order of ranks, fp16 and bf16 in fp32 and rounded once, integers modulo their width,
// so that the result is the same on every rank and each time. MAX and MIN of a NaN are a NaN. Other
// operations move any type.
//
// Codes, besides HCCL_SUCCESS: HCCL_E_PTR, an argument that may not be null is; HCCL_E_PARA, an
// argument is out of its range or comm is no communicator; HCCL_E_NOT_SUPPORT, a reduction of
// another type; HCCL_E_SUSPENDING; and the error that the communicator met before.
#ifndef ANYACL_HCCL_HCCL_H_
#define ANYACL_HCCL_HCCL_H_

#include "acl/acl.h"
#include "hccl/hccl_comm.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// sendBuf (count), recvBuf (count): every rank gets the reduction of all sendBufs. May be in place.
ACL_FUNC_VISIBILITY HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                             HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                             aclrtStream stream);

// The same for rank `root` alone; recvBuf of others is not written.
ACL_FUNC_VISIBILITY HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                          HcclDataType dataType, HcclReduceOp op, uint32_t root,
                                          HcclComm comm, aclrtStream stream);

// buf (count): all get the root's.
ACL_FUNC_VISIBILITY HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType,
                                             uint32_t root, HcclComm comm, aclrtStream stream);

// sendBuf (P, recvCount), recvBuf (recvCount): rank r gets the reduction of all rows r. recvBuf may
// be the rank's own row.
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                                 HcclDataType dataType, HcclReduceOp op,
                                                 HcclComm comm, aclrtStream stream);

// The same with rows of sendCounts[r] elements that begin at sendDispls[r]; recvCount is
// sendCounts[own rank]. sendBuf and recvBuf differ.
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts,
                                                  const void* sendDispls, void* recvBuf,
                                                  uint64_t recvCount, HcclDataType dataType,
                                                  HcclReduceOp op, HcclComm comm,
                                                  aclrtStream stream);

// sendBuf (sendCount), recvBuf (P, sendCount): every rank gets all. sendBuf may be the rank's own
// row.
ACL_FUNC_VISIBILITY HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount,
                                             HcclDataType dataType, HcclComm comm,
                                             aclrtStream stream);

// The same with rows of recvCounts[r] elements, rank r's sendCount, that begin at recvDispls[r].
// sendBuf and recvBuf differ.
ACL_FUNC_VISIBILITY HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf,
                                              const void* recvCounts, const void* recvDispls,
                                              HcclDataType dataType, HcclComm comm,
                                              aclrtStream stream);

// The root's sendBuf (P, recvCount), recvBuf (recvCount): rank r gets row r. sendBuf of others may
// be null.
ACL_FUNC_VISIBILITY HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                           HcclDataType dataType, uint32_t root, HcclComm comm,
                                           aclrtStream stream);

// sendBuf (P, sendCount), recvBuf (P, recvCount): row r goes to rank r, whose row of this rank it
// becomes. Counts and types are equal. sendBuf and recvBuf differ.
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount,
                                            HcclDataType sendType, const void* recvBuf,
                                            uint64_t recvCount, HcclDataType recvType,
                                            HcclComm comm, aclrtStream stream);

// The same with rows of any length at any place: sendCounts[r] elements at sdispls[r] go to rank r,
// recvCounts[r] come from it and go to rdispls[r].
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts,
                                             const void* sdispls, HcclDataType sendType,
                                             const void* recvBuf, const void* recvCounts,
                                             const void* rdispls, HcclDataType recvType,
                                             HcclComm comm, aclrtStream stream);

// The same with rows that follow one another without gaps: sendCountMatrix (P, P), the same on all
// ranks, says how many elements its row's rank sends to its column's.
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix,
                                              HcclDataType sendType, const void* recvBuf,
                                              HcclDataType recvType, HcclComm comm,
                                              aclrtStream stream);

// A message of `count` elements: the two calls are a pair, and each stream waits for the other's.
ACL_FUNC_VISIBILITY HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType,
                                        uint32_t destRank, HcclComm comm, aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType,
                                        uint32_t srcRank, HcclComm comm, aclrtStream stream);

// itemNum messages at once, none of which waits for another one of the call.
ACL_FUNC_VISIBILITY HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum,
                                                 HcclComm comm, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_HCCL_HCCL_H_
