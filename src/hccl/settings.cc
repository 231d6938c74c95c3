// SPDX-License-Identifier: Apache-2.0
// Settings of the library, and which of a communicator's are understood.
#include <atomic>

#include "base/entry.h"
#include "hccl/hccl_comm.h"

namespace anyacl {
namespace {

std::atomic<int32_t> g_deterministic{0};

HcclResult CheckConfig(const char* api, HcclConfig config) {
  if (config == HCCL_DETERMINISTIC) return HCCL_SUCCESS;
  // The message is what counts; HCCL has codes of its own.
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

uint32_t HcclGetCommConfigCapability() { return HCCL_COMM_CONFIG_RESERVED; }
}
