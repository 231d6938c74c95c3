// SPDX-License-Identifier: Apache-2.0
// aclrt*ResLimit: the cores that operators may use. Kept for clients that read them back.
#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"

namespace anyacl {
namespace {

constexpr size_t kTypes = 2;
using Limits = std::array<std::optional<uint32_t>, kTypes>;

struct CoreLimits {
  std::mutex mutex;
  std::map<int32_t, Limits> of_devices;
  std::map<const void*, Limits> of_streams;  // by handle, which is never used twice
};

CoreLimits& AllLimits() {
  static CoreLimits* state = [] {
    auto* created = new CoreLimits;
    ForkLocks::Add(ForkOrder::kSettings, created->mutex);
    return created;
  }();
  return *state;
}
[[maybe_unused]] const bool kCoreLimitsMadeAtLoad = (AllLimits(), true);

// The stream whose limits this thread has taken; a handle, because it may be destroyed meanwhile.
thread_local const void* t_used_stream = nullptr;

uint32_t Cores() {
  int64_t cores = 1;
  (void)aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &cores);
  return static_cast<uint32_t>(cores);
}

Status CheckType(aclrtDevResLimitType type) {
  if (type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "type is {}, expected 0 (cube) or 1 (vector)",
              static_cast<int>(type));
}

// Programs name cores of the chip that they are written for, as 24 and 48 of Atlas A3, on machines
// that have fewer CPUs.
constexpr uint32_t kCoresOfChips = 64;

Status CheckLimit(aclrtDevResLimitType type, uint32_t value) {
  if (Status s = CheckType(type); !s.ok()) return s;
  const uint32_t most = std::max(Cores(), kCoresOfChips);
  if (value >= 1 && value <= most) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "value is {}, expected 1..{}", value, most);
}

// A null handle stands for the current context's default stream.
Status FindHandle(aclrtStream stream, const void** handle, int32_t* device) {
  std::shared_ptr<Stream> found;
  if (Status s = FindStream(stream, &found); !s.ok()) return s;
  *device = found->device();
  *handle = stream;
  if (stream != nullptr) return {};
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  *handle = current.context->default_stream();
  return {};
}

// With the lock held.
uint32_t LimitOf(const CoreLimits& state, const void* stream, int32_t device, size_t type) {
  if (const auto it = state.of_streams.find(stream); it != state.of_streams.end()) {
    if (it->second[type]) return *it->second[type];
  }
  if (const auto it = state.of_devices.find(device); it != state.of_devices.end()) {
    if (it->second[type]) return *it->second[type];
  }
  return Cores();
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return Entry("aclrtSetDeviceResLimit", [&]() -> Status {
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (Status s = CheckLimit(type, value); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    state.of_devices[deviceId][type] = value;
    return {};
  });
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return Entry("aclrtGetDeviceResLimit", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    if (Status s = CheckType(type); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    *value = LimitOf(state, nullptr, deviceId, type);
    return {};
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return Entry("aclrtResetDeviceResLimit", [&]() -> Status {
    if (Status s = CheckDevice(deviceId); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    state.of_devices.erase(deviceId);
    return {};
  });
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return Entry("aclrtSetStreamResLimit", [&]() -> Status {
    if (Status s = CheckLimit(type, value); !s.ok()) return s;
    const void* handle = nullptr;
    int32_t device = 0;
    if (Status s = FindHandle(stream, &handle, &device); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    std::erase_if(state.of_streams,
                  [](const auto& item) { return Streams().Find(item.first) == nullptr; });
    state.of_streams[handle][type] = value;
    return {};
  });
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return Entry("aclrtGetStreamResLimit", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = CheckType(type); !s.ok()) return s;
    const void* handle = nullptr;
    int32_t device = 0;
    if (Status s = FindHandle(stream, &handle, &device); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    *value = LimitOf(state, handle, device, type);
    return {};
  });
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return Entry("aclrtResetStreamResLimit", [&]() -> Status {
    const void* handle = nullptr;
    int32_t device = 0;
    if (Status s = FindHandle(stream, &handle, &device); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    state.of_streams.erase(handle);
    return {};
  });
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return Entry("aclrtUseStreamResInCurrentThread", [&]() -> Status {
    const void* handle = nullptr;
    int32_t device = 0;
    if (Status s = FindHandle(stream, &handle, &device); !s.ok()) return s;
    t_used_stream = handle;
    return {};
  });
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return Entry("aclrtUnuseStreamResInCurrentThread", [&]() -> Status {
    const void* handle = nullptr;
    int32_t device = 0;
    if (Status s = FindHandle(stream, &handle, &device); !s.ok()) return s;
    t_used_stream = nullptr;
    return {};
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return Entry("aclrtGetResInCurrentThread", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = CheckType(type); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    CoreLimits& state = AllLimits();
    std::lock_guard lock(state.mutex);
    *value = LimitOf(state, t_used_stream, current.context->device(), type);
    return {};
  });
}
}
