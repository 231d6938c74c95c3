// SPDX-License-Identifier: Apache-2.0
// libhccl: the functions that programs link by name, refused but for settings.
#include "hccl/hccl.h"

#include <atomic>

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

std::atomic<int32_t> g_deterministic{0};

HcclResult CheckConfig(const char* api, HcclConfig config) {
  if (config == HCCL_DETERMINISTIC) return HCCL_SUCCESS;
  (void)Entry(api, [&] {
    return Fail(ACL_ERROR_INVALID_PARAM, "config is {}, expected HCCL_DETERMINISTIC (0)",
                static_cast<int>(config));
  });
  return HCCL_E_PARA;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

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

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  const HcclResult result = CheckConfig("HcclSetConfig", config);
  if (result == HCCL_SUCCESS) g_deterministic = configValue.value;
  return result;
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  if (configValue == nullptr) {
    (void)Entry("HcclGetConfig",
                [] { return Fail(ACL_ERROR_INVALID_PARAM, "configValue is null"); });
    return HCCL_E_PTR;
  }
  const HcclResult result = CheckConfig("HcclGetConfig", config);
  if (result == HCCL_SUCCESS) configValue->value = g_deterministic;
  return result;
}
}
