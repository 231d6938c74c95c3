// SPDX-License-Identifier: Apache-2.0
// Settings of the library, and which of a communicator's are understood.
#include <atomic>

#include "hccl/hccl_comm.h"
#include "hccl/result.h"

namespace anyacl::hccl {
namespace {

std::atomic<int32_t> g_deterministic{0};

Status CheckConfig(HcclConfig config) {
  if (config == HCCL_DETERMINISTIC) return {};
  return Fail(HCCL_E_PARA, "config is {}, expected HCCL_DETERMINISTIC (0)",
              static_cast<int>(config));
}

}  // namespace
}  // namespace anyacl::hccl

using namespace anyacl;
using namespace anyacl::hccl;

extern "C" {

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  return HcclEntry("HcclSetConfig", [&]() -> Status {
    if (const Status status = CheckConfig(config); !status.ok()) return status;
    g_deterministic = configValue.value;
    return {};
  });
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  return HcclEntry("HcclGetConfig", [&]() -> Status {
    if (configValue == nullptr) return Fail(HCCL_E_PTR, "configValue is null");
    if (const Status status = CheckConfig(config); !status.ok()) return status;
    configValue->value = g_deterministic;
    return {};
  });
}

uint32_t HcclGetCommConfigCapability() { return HCCL_COMM_CONFIG_RESERVED; }
}
