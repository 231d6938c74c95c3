// SPDX-License-Identifier: Apache-2.0
// aclrt* functions on devices and contexts.
#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "base/cpu.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/device.h"
#include "runtime/memory.h"
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

Status CheckNumber(int32_t id, size_t count, const char* parameter) {
  if (id >= 0 && static_cast<size_t>(id) < count) return {};
  return Fail(ACL_ERROR_RT_INVALID_DEVICEID,
              "{} is {}, expected 0..{} (ANYACL_DEVICES sets how many there are)", parameter, id,
              static_cast<int64_t>(count) - 1);
}

// From a number among the visible devices to one among all.
Status ToLogic(int32_t user, const char* parameter, int32_t* logic) {
  const std::vector<uint32_t>& visible = Env().visible;
  if (Status s = CheckNumber(user, visible.size(), parameter); !s.ok()) return s;
  *logic = static_cast<int32_t>(visible[static_cast<size_t>(user)]);
  return {};
}

Status ToUser(int32_t logic, const char* parameter, int32_t* user) {
  if (Status s = CheckNumber(logic, Env().all_devices, parameter); !s.ok()) return s;
  const std::vector<uint32_t>& visible = Env().visible;
  const auto it = std::find(visible.begin(), visible.end(), static_cast<uint32_t>(logic));
  if (it == visible.end()) {
    return Fail(ACL_ERROR_RT_INVALID_DEVICEID,
                "{} is {}, which ASCEND_RT_VISIBLE_DEVICES does not show", parameter, logic);
  }
  *user = static_cast<int32_t>(it - visible.begin());
  return {};
}

// Between logical and physical numbers.
Status ToSame(int32_t id, const char* parameter, int32_t* same) {
  if (Status s = CheckNumber(id, Env().all_devices, parameter); !s.ok()) return s;
  *same = id;
  return {};
}

using Renumber = Status (*)(int32_t, const char*, int32_t*);

aclError Renumbered(const char* api, Renumber renumber, int32_t from, const char* from_name,
                    int32_t* to, const char* to_name) {
  return Entry(api, [&]() -> Status {
    if (Status s = NotNull(to, to_name); !s.ok()) return s;
    return renumber(from, from_name, to);
  });
}

}  // namespace

Status SynchronizeDevice(int32_t device, int64_t timeout_ms) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(std::max<int64_t>(timeout_ms, 0));
  const std::vector<std::shared_ptr<Stream>> streams = StreamsOf(device);
  for (const std::shared_ptr<Stream>& stream : streams) {
    if (Status s = CheckNotCapturing(*stream); !s.ok()) return s;
  }
  Status first;
  for (const std::shared_ptr<Stream>& stream : streams) {
    int64_t left = timeout_ms;
    if (timeout_ms >= 0) {
      const auto rest = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
      left = std::max<int64_t>(rest.count(), 0);
    }
    const Status s = stream->Synchronize(left);
    if (first.ok()) first = s;
  }
  ReclaimMemory();
  return first;
}

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

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return Renumbered("aclrtGetLogicDevIdByUserDevId", &ToLogic, userDevid, "userDevid", logicDevId,
                    "logicDevId");
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return Renumbered("aclrtGetUserDevIdByLogicDevId", &ToUser, logicDevId, "logicDevId", userDevid,
                    "userDevid");
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return Renumbered("aclrtGetLogicDevIdByPhyDevId", &ToSame, phyDevId, "phyDevId", logicDevId,
                    "logicDevId");
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return Renumbered("aclrtGetPhyDevIdByLogicDevId", &ToSame, logicDevId, "logicDevId", phyDevId,
                    "phyDevId");
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return Renumbered("aclrtGetUserDevIdByPhyDevId", &ToUser, phyDevId, "phyDevId", userDevId,
                    "userDevId");
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return Renumbered("aclrtGetPhyDevIdByUserDevId", &ToLogic, userDevId, "userDevId", phyDevId,
                    "phyDevId");
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return Entry("aclrtDevicePeerAccessStatus", [&]() -> Status {
    if (Status s = NotNull(status, "status"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (Status s = CheckDevice(peerDeviceId); !s.ok()) return s;
    *status = 1;
    return {};
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return Entry("aclrtDeviceGetStreamPriorityRange", [&]() -> Status {
    if (leastPriority != nullptr) *leastPriority = static_cast<int32_t>(kLeastPriority);
    if (greatestPriority != nullptr) *greatestPriority = 0;
    return {};
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return Entry("aclrtGetStreamAvailableNum", [&]() -> Status {
    if (Status s = NotNull(streamCount, "streamCount"); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    const size_t alive = StreamsOf(current.context->device()).size();
    *streamCount = alive < kMaxStreams ? static_cast<uint32_t>(kMaxStreams - alive) : 0;
    return {};
  });
}

aclError aclrtGetHardwareSyncAddr(void** addr) {
  return Entry("aclrtGetHardwareSyncAddr", [&]() -> Status {
    if (Status s = NotNull(addr, "addr"); !s.ok()) return s;
    *addr = nullptr;
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "a CPU has no cores that meet at an address of their own");
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
