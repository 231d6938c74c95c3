// SPDX-License-Identifier: Apache-2.0
// aclprof*: sessions of profiles; marks in them are in profile_marks.cc.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/profile.h"
#include "runtime/text_id.h"

namespace anyacl {
namespace {

using ChoiceTable = HandleTable<const ProfileChoice, HandleKind::kProfileConfig>;
ChoiceTable& ProfileChoices() {
  static ChoiceTable* table = ChoiceTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kProfileApiMadeAtLoad = (ProfileChoices(), true);

constexpr uint64_t kTasks =
    ACL_PROF_TASK_TIME | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_TIME_L2 | ACL_PROF_TASK_TIME_L3;
constexpr uint64_t kCalls = ACL_PROF_ACL_API | ACL_PROF_RUNTIME_API | ACL_PROF_API_STATS;
// Counters of hardware, and what other parts of CANN would report.
constexpr uint64_t kNothing = ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU | ACL_PROF_L2CACHE |
                              ACL_PROF_HCCL_TRACE | ACL_PROF_TRAINING_TRACE | ACL_PROF_GE_API_L0 |
                              ACL_PROF_GE_API_L1 | ACL_PROF_TASK_MEMORY | ACL_PROF_OP_ATTR |
                              ACL_PROF_AICORE_SHAPE;

Status CheckMetrics(aclprofAicoreMetrics metrics) {
  const int number = static_cast<int>(metrics);
  if (number == ACL_AICORE_NONE) return {};
  if (number < ACL_AICORE_ARITHMETIC_UTILIZATION || number > ACL_AICORE_MEMORY_ACCESS) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aicoreMetrics is {}, expected 0..{} or {}", number,
                static_cast<int>(ACL_AICORE_MEMORY_ACCESS), static_cast<int>(ACL_AICORE_NONE));
  }
  Warn("aicoreMetrics is {}: a CPU has no such counters, so the profile will not have them",
       number);
  return {};
}

Status MakeChoice(const uint32_t* devices, uint32_t count, uint64_t data, ProfileChoice* choice) {
  if (Status s = NotNull(devices, "deviceIdList"); !s.ok()) return s;
  if (count == 0) return Fail(ACL_ERROR_INVALID_PARAM, "deviceNums is 0, expected at least 1");
  for (uint32_t i = 0; i < count; ++i) {
    const auto device = static_cast<int32_t>(devices[i]);
    if (Status s = CheckDevice(device); !s.ok()) return s;
    if (std::ranges::find(choice->devices, devices[i]) != choice->devices.end()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "deviceIdList names device {} twice", device);
    }
    choice->devices.push_back(devices[i]);
  }
  const uint64_t unknown = data & ~(kTasks | kCalls | ACL_PROF_MSPROFTX | kNothing);
  if (unknown != 0) {
    return Fail(ACL_ERROR_INVALID_PARAM, "dataTypeConfig has {:#x}, which means nothing", unknown);
  }
  choice->tasks = (data & kTasks) != 0;
  choice->operands = (data & (kTasks ^ ACL_PROF_TASK_TIME_L0)) != 0;
  choice->calls = (data & kCalls) != 0;
  choice->marks = (data & ACL_PROF_MSPROFTX) != 0;
  return {};
}

Status FindChoice(const aclprofConfig* config, std::shared_ptr<const ProfileChoice>* choice) {
  *choice = ProfileChoices().Find(config);
  if (*choice != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM,
              "profilerConfig {} is not alive, expected one of "
              "aclprofCreateConfig",
              static_cast<const void*>(config));
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  return Entry("aclprofInit", [&]() -> Status {
    if (Status s = NotNull(profilerResultPath, "profilerResultPath"); !s.ok()) return s;
    const std::string folder(profilerResultPath, strnlen(profilerResultPath, length));
    if (folder.empty()) return Fail(ACL_ERROR_INVALID_PARAM, "profilerResultPath is empty");
    return OpenProfiler(folder);
  });
}

aclError aclprofFinalize(void) {
  return Entry("aclprofFinalize", [] { return CloseProfiler(); });
}

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents* aicoreEvents,
                                   uint64_t dataTypeConfig) {
  aclprofConfig* config = nullptr;
  Entry("aclprofCreateConfig", [&]() -> Status {
    ProfileChoice choice;
    if (Status s = CheckMetrics(aicoreMetrics); !s.ok()) return s;
    if (aicoreEvents != nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "aicoreEvents is given, expected null");
    }
    if (Status s = MakeChoice(deviceIdList, deviceNums, dataTypeConfig, &choice); !s.ok()) return s;
    config = static_cast<aclprofConfig*>(
        ProfileChoices().Add(std::make_shared<const ProfileChoice>(std::move(choice))));
    return {};
  });
  return config;
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return Entry("aclprofDestroyConfig", [&]() -> Status {
    std::shared_ptr<const ProfileChoice> choice;
    if (Status s = FindChoice(profilerConfig, &choice); !s.ok()) return s;
    ProfileChoices().Remove(profilerConfig);
    return {};
  });
}

aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength) {
  return Entry("aclprofSetConfig", [&]() -> Status {
    const int type = static_cast<int>(configType);
    if (type <= ACL_PROF_ARGS_MIN || type >= ACL_PROF_ARGS_MAX) {
      return Fail(ACL_ERROR_INVALID_PARAM, "configType is {}, expected 1..{}", type,
                  static_cast<int>(ACL_PROF_ARGS_MAX) - 1);
    }
    if (Status s = NotNull(config, "config"); !s.ok()) return s;
    return Fail(
        ACL_ERROR_PROF_MODULES_UNSUPPORTED,
        "configType {} ({}) is nothing that anyacl measures: a profile has API calls, tasks "
        "and marks",
        type, std::string_view(config, strnlen(config, configLength)));
  });
}

// Nothing here is faster the second time.
aclError aclprofWarmup(const aclprofConfig* profilerConfig) {
  return Entry("aclprofWarmup", [&]() -> Status {
    std::shared_ptr<const ProfileChoice> choice;
    return FindChoice(profilerConfig, &choice);
  });
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return Entry("aclprofStart", [&]() -> Status {
    std::shared_ptr<const ProfileChoice> choice;
    if (Status s = FindChoice(profilerConfig, &choice); !s.ok()) return s;
    return StartProfile(*choice);
  });
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return Entry("aclprofStop", [&]() -> Status {
    std::shared_ptr<const ProfileChoice> choice;
    if (Status s = FindChoice(profilerConfig, &choice); !s.ok()) return s;
    return StopProfile();
  });
}

uint64_t aclprofStr2Id(const char* message) { return message == nullptr ? 0 : TextId(message); }
}
