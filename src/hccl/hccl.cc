// SPDX-License-Identifier: Apache-2.0
// libhccl: the functions that programs link by name, refused.
#include "hccl/hccl.h"

#include "base/entry.h"

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

using anyacl::NotOffered;

extern "C" {

HcclResult HcclGetRootInfo(HcclRootInfo*) { return NotOffered("HcclGetRootInfo"); }

HcclResult HcclCommInitRootInfo(uint32_t, const HcclRootInfo*, uint32_t, HcclComm*) {
  return NotOffered("HcclCommInitRootInfo");
}

HcclResult HcclCommInitAll(uint32_t, int32_t*, HcclComm*) { return NotOffered("HcclCommInitAll"); }

HcclResult HcclCommDestroy(HcclComm) { return NotOffered("HcclCommDestroy"); }

HcclResult HcclAllReduce(void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm,
                         aclrtStream) {
  return NotOffered("HcclAllReduce");
}

HcclResult HcclBroadcast(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclBroadcast");
}

HcclResult HcclReduceScatter(void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm,
                             aclrtStream) {
  return NotOffered("HcclReduceScatter");
}

HcclResult HcclAllGather(void*, void*, uint64_t, HcclDataType, HcclComm, aclrtStream) {
  return NotOffered("HcclAllGather");
}

HcclResult HcclSend(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclSend");
}

HcclResult HcclRecv(void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream) {
  return NotOffered("HcclRecv");
}
}
