// SPDX-License-Identifier: Apache-2.0
// What clients ask of a chip and a CPU can answer or must refuse: overflow, utilisation, faults,
// dumps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/settings.h"
#include "runtime/state_callbacks.h"

namespace anyacl {
namespace {

constexpr aclCannAttr kCannAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                           ACL_CANN_ATTR_JIT_COMPILE};
constexpr size_t kOverflowStatusBytes = 64;

int32_t LoadPercent() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return -1;
  const double cpus = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<int32_t>(std::min(100.0, std::round(100 * load / cpus)));
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return Entry("aclGetCannAttributeList", [&]() -> Status {
    if (Status s = NotNull(cannAttrList, "cannAttrList"); !s.ok()) return s;
    if (Status s = NotNull(num, "num"); !s.ok()) return s;
    *cannAttrList = kCannAttributes;
    *num = std::size(kCannAttributes);
    return {};
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return Entry("aclGetCannAttribute", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (cannAttr < ACL_CANN_ATTR_INF_NAN || cannAttr > ACL_CANN_ATTR_JIT_COMPILE) {
      return Fail(ACL_ERROR_INVALID_PARAM, "cannAttr is {}, expected 0..2",
                  static_cast<int>(cannAttr));
    }
    *value = cannAttr == ACL_CANN_ATTR_JIT_COMPILE ? 0 : 1;
    return {};
  });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return Entry("aclrtSetDeviceSatMode", [&]() -> Status {
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    if (mode == ACL_RT_OVERFLOW_MODE_INFNAN) return {};
    if (mode == ACL_RT_OVERFLOW_MODE_SATURATION) {
      return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "mode is saturation, which anyacl does not offer: overflow gives infinities");
    }
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "mode is {}, expected 1 (infinities and NaN)",
                static_cast<int>(mode));
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return Entry("aclrtGetDeviceSatMode", [&]() -> Status {
    if (Status s = NotNull(mode, "mode"); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
    return {};
  });
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  return Entry("aclrtGetOverflowStatus", [&]() -> Status {
    if (Status s = NotNull(outputAddr, "outputAddr"); !s.ok()) return s;
    if (outputSize < kOverflowStatusBytes) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "outputSize is {}, expected {}", outputSize,
                  kOverflowStatusBytes);
    }
    if (Status s = CheckRange(outputAddr, kOverflowStatusBytes, "outputAddr"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    const auto run = [outputAddr]() -> Status {
      std::memset(outputAddr, 0, kOverflowStatusBytes);
      return {};
    };
    return found->Enqueue(MakeTask(TaskKind::kCompute, "aclrtGetOverflowStatus", run));
  });
}

aclError aclrtResetOverflowStatus(aclrtStream stream) {
  return Entry("aclrtResetOverflowStatus", [&]() -> Status {
    std::shared_ptr<Stream> found;
    return FindStream(stream, &found);
  });
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return Entry("aclrtGetDeviceUtilizationRate", [&]() -> Status {
    if (Status s = NotNull(utilizationInfo, "utilizationInfo"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (utilizationInfo->utilizationExtend != nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "utilizationExtend is not null, expected null");
    }
    const int32_t load = LoadPercent();
    utilizationInfo->cubeUtilization = load;
    utilizationInfo->vectorUtilization = load;
    utilizationInfo->aicpuUtilization = load;
    utilizationInfo->memoryUtilization = -1;
    return {};
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return Entry("aclrtQueryDeviceStatus", [&]() -> Status {
    if (Status s = NotNull(deviceStatus, "deviceStatus"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return {};
  });
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                  int32_t* value) {
  return Entry("aclrtGetDeviceCapability", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
        devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "devFeatureType is {}, expected 1 or 21",
                  static_cast<int>(devFeatureType));
    }
    *value = 0;
    return {};
  });
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return Entry("aclrtDeviceGetUuid", [&]() -> Status {
    if (Status s = NotNull(uuid, "uuid"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    *uuid = {};
    std::memcpy(uuid->bytes, "anyacl", 6);
    uuid->bytes[15] = static_cast<char>(deviceId);
    return {};
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return Entry("aclrtGetPrimaryCtxState", [&]() -> Status {
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (flags != nullptr) *flags = 0;
    if (active != nullptr) *active = HasPrimaryContext(deviceId) ? 1 : 0;
    return {};
  });
}

aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return Entry("aclrtCheckArchCompatibility", [&]() -> Status {
    if (Status s = NotNull(socVersion, "socVersion"); !s.ok()) return s;
    if (Status s = NotNull(canCompatible, "canCompatible"); !s.ok()) return s;
    *canCompatible = Env().soc_name == socVersion ? 1 : 0;
    return {};
  });
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return Entry("aclrtGetErrorVerbose", [&]() -> Status {
    if (Status s = NotNull(errorInfo, "errorInfo"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    *errorInfo = {};
    errorInfo->errorType = ACL_RT_NO_ERROR;
    return {};
  });
}

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t,
                            size_t* retSize) {
  return Entry("aclrtGetMemUceInfo", [&]() -> Status {
    if (Status s = NotNull(memUceInfoArray, "memUceInfoArray"); !s.ok()) return s;
    if (Status s = NotNull(retSize, "retSize"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    *retSize = 0;
    return {};
  });
}

aclError aclrtRepairError(int32_t, const aclrtErrorInfo*) {
  return NotOffered("aclrtRepairError", "this repairs faults of an NPU");
}

aclError aclrtMemUceRepair(int32_t, aclrtMemUceInfo*, size_t) {
  return NotOffered("aclrtMemUceRepair", "this repairs faults of an NPU's memory");
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  return Entry("aclrtDeviceTaskAbort", [&]() -> Status {
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (Status s = TellTaskAbort(deviceId, ACL_RT_DEVICE_TASK_ABORT_PRE, timeout); !s.ok()) {
      return s;
    }
    for (const std::shared_ptr<Stream>& stream : StreamsOf(deviceId)) stream->Abort();
    return TellTaskAbort(deviceId, ACL_RT_DEVICE_TASK_ABORT_POST, timeout);
  });
}

aclError aclmdlInitDump(void) {
  return NotOffered("aclmdlInitDump", "this begins dumps of tensors to files");
}

aclError aclmdlSetDump(const char*) {
  return NotOffered("aclmdlSetDump", "this configures dumps of tensors to files");
}

aclError aclmdlFinalizeDump(void) {
  return NotOffered("aclmdlFinalizeDump", "this ends dumps of tensors to files");
}
}
