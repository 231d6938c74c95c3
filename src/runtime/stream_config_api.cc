// SPDX-License-Identifier: Apache-2.0
// aclrt* functions that say how a stream is to be: at its creation, and later by its attributes.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/stream.h"

namespace anyacl {
namespace {

// Clients may read the structure, so that a configuration is an address and not a number.
struct Configs {
  std::mutex mutex;
  std::unordered_set<const aclrtStreamConfigHandle*> alive;
};

Configs& AllConfigs() {
  static Configs* all = [] {
    auto* created = new Configs;
    ForkLocks::Add(ForkOrder::kSettings, created->mutex);
    return created;
  }();
  return *all;
}
[[maybe_unused]] const bool kStreamConfigApiMadeAtLoad = (AllConfigs(), true);

// Called with the lock held.
Status CheckConfig(const Configs& configs, const aclrtStreamConfigHandle* handle) {
  if (configs.alive.count(handle) != 0) return {};
  return Fail(ACL_ERROR_RT_INVALID_HANDLE,
              "handle {} is not alive, expected one of aclrtCreateStreamConfigHandle",
              static_cast<const void*>(handle));
}

template <class T>
Status ReadValue(const void* value, size_t size, T* read) {
  if (size != sizeof(T)) {
    return Fail(ACL_ERROR_INVALID_PARAM, "valueSize is {}, expected {} for this attribute", size,
                sizeof(T));
  }
  std::memcpy(read, value, sizeof(T));
  return {};
}

Status SetConfig(aclrtStreamConfigHandle* config, aclrtStreamConfigAttr attr, const void* value,
                 size_t size) {
  switch (attr) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      return ReadValue(value, size, &config->workptr);
    case ACL_RT_STREAM_WORK_SIZE:
      return ReadValue(value, size, &config->workSize);
    case ACL_RT_STREAM_FLAG: {
      if (size != sizeof(uint32_t)) return ReadValue(value, size, &config->flag);
      // Upstream's implementation takes a size_t, its example gives what creation by flags takes.
      uint32_t flag = 0;
      const Status s = ReadValue(value, size, &flag);
      config->flag = flag;
      return s;
    }
    case ACL_RT_STREAM_PRIORITY: {
      uint32_t priority = 0;
      if (Status s = ReadValue(value, size, &priority); !s.ok()) return s;
      if (priority > kLeastPriority) {
        return Fail(ACL_ERROR_INVALID_PARAM, "attrValue is priority {}, expected 0..{}", priority,
                    kLeastPriority);
      }
      config->priority = priority;
      return {};
    }
  }
  return Fail(ACL_ERROR_INVALID_PARAM, "attr is {}, expected 0..3", static_cast<int>(attr));
}

// Unknown flag bits are dropped upstream, too.
Status CreateConfigured(aclrtStream* stream, uint32_t priority, uint64_t flag) {
  constexpr uint32_t kKnown = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                              ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE |
                              ACL_STREAM_DEVICE_USE_ONLY;
  return CreateStream(stream, priority, static_cast<uint32_t>(flag) & kKnown);
}

Status SetFailureMode(Stream& stream, uint64_t mode) {
  if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "mode is {}, expected 0 (continue on failure) or 1 (stop on failure)", mode);
  }
  stream.StopOnFailure(mode == ACL_STOP_ON_FAILURE);
  return {};
}

Status SetSwitch(std::atomic<uint32_t>& target, uint32_t value, const char* parameter) {
  if (value > 1) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, expected 0 or 1", parameter, value);
  }
  target = value;
  return {};
}

Status FailNoAttribute(aclrtStreamAttr attribute) {
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "stmAttrType is {}, expected 1..5",
              static_cast<int>(attribute));
}

Status SetAttribute(Stream& stream, aclrtStreamAttr attribute, const aclrtStreamAttrValue& value) {
  Stream::Attributes& attributes = stream.attributes();
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      return SetFailureMode(stream, value.failureMode);
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      return SetSwitch(attributes.overflow_switch, value.overflowSwitch, "overflowSwitch");
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      attributes.user_tag = value.userCustomTag;
      return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      return SetSwitch(attributes.cache_op_info, value.cacheOpInfoSwitch, "cacheOpInfoSwitch");
    case ACL_STREAM_ATTR_PRIORITY: {
      // Upstream takes the number for a signed one and moves it to the nearest end of the range.
      const auto priority = static_cast<int32_t>(value.streamPriority);
      attributes.priority = static_cast<uint32_t>(
          std::clamp<int32_t>(priority, 0, static_cast<int32_t>(kLeastPriority)));
      return {};
    }
  }
  return FailNoAttribute(attribute);
}

Status GetAttribute(Stream& stream, aclrtStreamAttr attribute, aclrtStreamAttrValue* value) {
  const Stream::Attributes& attributes = stream.attributes();
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      value->failureMode = stream.StopsOnFailure() ? ACL_STOP_ON_FAILURE : ACL_CONTINUE_ON_FAILURE;
      return {};
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      value->overflowSwitch = attributes.overflow_switch;
      return {};
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      value->userCustomTag = attributes.user_tag;
      return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      value->cacheOpInfoSwitch = attributes.cache_op_info;
      return {};
    case ACL_STREAM_ATTR_PRIORITY:
      value->streamPriority = attributes.priority;
      return {};
  }
  return FailNoAttribute(attribute);
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void) {
  aclrtStreamConfigHandle* made = nullptr;
  Entry("aclrtCreateStreamConfigHandle", [&]() -> Status {
    auto config = std::make_unique<aclrtStreamConfigHandle>();
    Configs& configs = AllConfigs();
    std::lock_guard lock(configs.mutex);
    configs.alive.insert(config.get());
    made = config.release();
    return {};
  });
  return made;
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return Entry("aclrtDestroyStreamConfigHandle", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    Configs& configs = AllConfigs();
    std::lock_guard lock(configs.mutex);
    if (Status s = CheckConfig(configs, handle); !s.ok()) return s;
    configs.alive.erase(handle);
    delete handle;
    return {};
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return Entry("aclrtSetStreamConfigOpt", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    if (Status s = NotNull(attrValue, "attrValue"); !s.ok()) return s;
    Configs& configs = AllConfigs();
    std::lock_guard lock(configs.mutex);
    if (Status s = CheckConfig(configs, handle); !s.ok()) return s;
    return SetConfig(handle, attr, attrValue, valueSize);
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return Entry("aclrtCreateStreamV2", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    aclrtStreamConfigHandle config = {};
    if (handle != nullptr) {
      Configs& configs = AllConfigs();
      std::lock_guard lock(configs.mutex);
      if (Status s = CheckConfig(configs, handle); !s.ok()) return s;
      config = *handle;
    }
    return CreateConfigured(stream, config.priority, config.flag);
  });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return Entry("aclrtCreateStreamWithConfig", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    return CreateConfigured(stream, priority, flag);
  });
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return Entry("aclrtSetStreamAttribute", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    return SetAttribute(*found, stmAttrType, *value);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return Entry("aclrtGetStreamAttribute", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    return GetAttribute(*found, stmAttrType, value);
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return Entry("aclrtSetStreamFailureMode", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    return SetFailureMode(*found, mode);
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return Entry("aclrtSetStreamOverflowSwitch", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    return SetSwitch(found->attributes().overflow_switch, flag, "flag");
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return Entry("aclrtGetStreamOverflowSwitch", [&]() -> Status {
    if (Status s = NotNull(flag, "flag"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    *flag = found->attributes().overflow_switch;
    return {};
  });
}
}
