// SPDX-License-Identifier: Apache-2.0
// aclrt* functions on devices and contexts.
#include <algorithm>
#include <optional>
#include <thread>

#include "acl/acl_rt.h"
#include "base/cpu.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/settings.h"

namespace anyacl {
namespace {

// What a machine without an NPU can say of the attribute; nothing for those of the chip's inside.
std::optional<int64_t> DeviceAttribute(uint32_t device, aclrtDevAttr attribute) {
  const auto cpus = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  switch (attribute) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM:
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return cpus;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return static_cast<int64_t>(Env().device_memory);
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      return Caches().last;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return device;
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
  return Entry("aclrtSetDevice", [&] { return SetDevice(deviceId); });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return Entry("aclrtResetDevice", [&] { return ResetDevice(deviceId, false); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return Entry("aclrtResetDeviceForce", [&] { return ResetDevice(deviceId, true); });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return Entry("aclrtGetDevice", [&]() -> Status {
    if (Status s = NotNull(deviceId, "deviceId"); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    *deviceId = current.context->device();
    return {};
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return Entry("aclrtGetDeviceCount", [&]() -> Status {
    if (Status s = NotNull(count, "count"); !s.ok()) return s;
    *count = Env().devices;
    return {};
  });
}

aclError aclrtSynchronizeDevice(void) {
  return Entry("aclrtSynchronizeDevice", [&]() -> Status {
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    return SynchronizeDevice(current.context->device(), -1);
  });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return Entry("aclrtSynchronizeDeviceWithTimeout", [&]() -> Status {
    if (Status s = CheckTimeout(timeout); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    return SynchronizeDevice(current.context->device(), timeout);
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return Entry("aclrtGetRunMode", [&]() -> Status {
    if (Status s = NotNull(runMode, "runMode"); !s.ok()) return s;
    *runMode = ACL_HOST;
    return {};
  });
}

const char* aclrtGetSocName() { return Env().devices > 0 ? Env().soc_name.c_str() : nullptr; }

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return Entry("aclrtGetDeviceInfo", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = CheckDevice(static_cast<int32_t>(deviceId)); !s.ok()) return s;
    const std::optional<int64_t> known = DeviceAttribute(deviceId, attr);
    if (!known) {
      return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "attr is {}, which a CPU does not have",
                  static_cast<int>(attr));
    }
    *value = *known;
    return {};
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return Entry("aclGetDeviceCapability", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = CheckDevice(static_cast<int32_t>(deviceId)); !s.ok()) return s;
    switch (deviceInfo) {
      case ACL_DEVICE_INFO_AI_CORE_NUM:
        *value = *DeviceAttribute(deviceId, ACL_DEV_ATTR_AICORE_CORE_NUM);
        return {};
      case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        *value = *DeviceAttribute(deviceId, ACL_DEV_ATTR_VECTOR_CORE_NUM);
        return {};
      case ACL_DEVICE_INFO_L2_SIZE:
        *value = *DeviceAttribute(deviceId, ACL_DEV_ATTR_L2_CACHE_SIZE);
        return {};
      default:
        return Fail(ACL_ERROR_INVALID_PARAM, "deviceInfo is {}, expected 0..2",
                    static_cast<int>(deviceInfo));
    }
  });
}

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return Entry("aclrtDeviceCanAccessPeer", [&]() -> Status {
    if (Status s = NotNull(canAccessPeer, "canAccessPeer"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (Status s = CheckDevice(peerDeviceId); !s.ok()) return s;
    // All devices are views of one memory; a device is not a peer of itself.
    *canAccessPeer = deviceId != peerDeviceId ? 1 : 0;
    return {};
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return Entry("aclrtDeviceEnablePeerAccess", [&]() -> Status {
    if (flags != 0) return Fail(ACL_ERROR_INVALID_PARAM, "flags is {}, expected 0", flags);
    return CheckDevice(peerDeviceId);
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return Entry("aclrtDeviceDisablePeerAccess", [&] { return CheckDevice(peerDeviceId); });
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return Entry("aclrtCreateContext", [&]() -> Status {
    if (Status s = NotNull(context, "context"); !s.ok()) return s;
    return CreateContext(deviceId, context);
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return Entry("aclrtDestroyContext", [&]() -> Status {
    if (context == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "context is null, expected a live context");
    }
    return DestroyContext(context);
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return Entry("aclrtSetCurrentContext", [&]() -> Status {
    if (Status s = NotNull(context, "context"); !s.ok()) return s;
    return SetCurrentContext(context);
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return Entry("aclrtGetCurrentContext", [&]() -> Status {
    if (Status s = NotNull(context, "context"); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    *context = current.handle;
    return {};
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return Entry("aclrtCtxGetCurrentDefaultStream", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    *stream = current.context->default_stream();
    return {};
  });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return Entry("aclrtCtxSetSysParamOpt", [&]() -> Status {
    if (opt < 0 || opt >= Context::kSysParams) {
      return Fail(ACL_ERROR_INVALID_PARAM, "opt is {}, expected 0..{}", static_cast<int>(opt),
                  Context::kSysParams - 1);
    }
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    current.context->set_sys_param(opt, value);
    SetProcessSysParam(opt, value);
    return {};
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return Entry("aclrtCtxGetSysParamOpt", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (opt < 0 || opt >= Context::kSysParams) {
      return Fail(ACL_ERROR_INVALID_PARAM, "opt is {}, expected 0..{}", static_cast<int>(opt),
                  Context::kSysParams - 1);
    }
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    const std::optional<int64_t> set = current.context->sys_param(opt);
    if (!set) {
      return Fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
                  "opt {} has no value yet, expected aclrtCtxSetSysParamOpt before",
                  static_cast<int>(opt));
    }
    *value = *set;
    return {};
  });
}
}
