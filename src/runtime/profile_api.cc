// SPDX-License-Identifier: Apache-2.0
// aclprof*: sessions of profiles, and marks in them.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/profile.h"
#include "runtime/text_id.h"

namespace anyacl {
namespace {

// A message, and a range that is open.
struct Stamp {
  std::string message;
};
struct Range {
  std::string message;
  uint64_t begin;
};

using ConfigTable = HandleTable<const ProfileChoice, HandleKind::kProfileConfig>;
using StampTable = HandleTable<Stamp, HandleKind::kStamp>;
struct StepInfo {};
using StepInfoTable = HandleTable<StepInfo, HandleKind::kStepInfo>;

// Guards the stamps' messages, too.
struct Ranges {
  std::mutex mutex;
  std::map<uint32_t, Range> open;
  uint32_t last = 0;
};

template <class Table>
Table& Global() {
  static Table* table = Table::NewGlobal();
  return *table;
}

Ranges& AllRanges() {
  static Ranges* all = [] {
    auto* created = new Ranges;
    ForkLocks::Add(ForkOrder::kProfile, created->mutex);
    return created;
  }();
  return *all;
}

[[maybe_unused]] const bool kProfileApiMadeAtLoad =
    (Global<ConfigTable>(), Global<StampTable>(), Global<StepInfoTable>(), AllRanges(), true);

thread_local std::vector<Range>* t_pushed = nullptr;  // null: none is open

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
  Warn("aicoreMetrics is {}: a CPU has no such counters, so the profile will not have them", number);
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
  choice->calls = (data & kCalls) != 0;
  choice->marks = (data & ACL_PROF_MSPROFTX) != 0;
  return {};
}

Status FindChoice(const aclprofConfig* config, std::shared_ptr<const ProfileChoice>* choice) {
  *choice = Global<ConfigTable>().Find(config);
  if (*choice != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "profilerConfig {} is not alive, expected one of "
              "aclprofCreateConfig", static_cast<const void*>(config));
}

Status FindStamp(const void* handle, std::shared_ptr<Stamp>* stamp) {
  *stamp = Global<StampTable>().Find(handle);
  if (*stamp != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "stamp {} is not alive, expected one of aclprofCreateStamp",
              handle);
}

// The range that begins now.
Status Begin(const void* handle, Range* range) {
  std::shared_ptr<Stamp> stamp;
  if (Status s = FindStamp(handle, &stamp); !s.ok()) return s;
  std::lock_guard lock(AllRanges().mutex);
  *range = {stamp->message, ProfileClock()};
  return {};
}

void End(const Range& range) { AddProfileMark(range.message, range.begin, ProfileClock()); }

// Marks the point in a stream.
Status MarkStream(const char* api, std::string message, aclrtStream stream) {
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s;
  auto mark = [message = std::move(message), of = std::weak_ptr<Stream>(on)]() -> Status {
    const uint64_t now = ProfileClock();
    if (const auto here = of.lock()) AddProfileMark(message, now, now, here.get());
    return {};
  };
  return on->Enqueue(MakeTask(TaskKind::kMark, api, std::move(mark)));
}

Status CheckMessage(const char* message, size_t length) {
  if (Status s = NotNull(message, "msg"); !s.ok()) return s;
  if (length > 0) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "msgLen is 0, expected at least 1");
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
        Global<ConfigTable>().Add(std::make_shared<const ProfileChoice>(std::move(choice))));
    return {};
  });
  return config;
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return Entry("aclprofDestroyConfig", [&]() -> Status {
    std::shared_ptr<const ProfileChoice> choice;
    if (Status s = FindChoice(profilerConfig, &choice); !s.ok()) return s;
    Global<ConfigTable>().Remove(profilerConfig);
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
    return Fail(ACL_ERROR_PROF_MODULES_UNSUPPORTED,
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

aclprofStepInfo* aclprofCreateStepInfo(void) {
  aclprofStepInfo* info = nullptr;
  Entry("aclprofCreateStepInfo", [&]() -> Status {
    info = static_cast<aclprofStepInfo*>(
        Global<StepInfoTable>().Add(std::make_shared<StepInfo>()));
    return {};
  });
  return info;
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) { Global<StepInfoTable>().Remove(stepinfo); }

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                 aclrtStream stream) {
  return Entry("aclprofGetStepTimestamp", [&]() -> Status {
    if (Global<StepInfoTable>().Find(stepInfo) == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "stepInfo {} is not alive, expected one of "
                  "aclprofCreateStepInfo", static_cast<const void*>(stepInfo));
    }
    const int number = static_cast<int>(tag);
    if (number != ACL_STEP_START && number != ACL_STEP_END) {
      return Fail(ACL_ERROR_INVALID_PARAM, "tag is {}, expected 0 or 1", number);
    }
    return MarkStream("aclprofGetStepTimestamp", number == ACL_STEP_START ? "step start" : "step end",
                      stream);
  });
}

void* aclprofCreateStamp(void) {
  void* stamp = nullptr;
  Entry("aclprofCreateStamp", [&]() -> Status {
    stamp = Global<StampTable>().Add(std::make_shared<Stamp>());
    return {};
  });
  return stamp;
}

void aclprofDestroyStamp(void* stamp) { Global<StampTable>().Remove(stamp); }

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  return Entry("aclprofSetStampTraceMessage", [&]() -> Status {
    std::shared_ptr<Stamp> found;
    if (Status s = FindStamp(stamp, &found); !s.ok()) return s;
    if (Status s = CheckMessage(msg, msgLen); !s.ok()) return s;
    std::string message(msg, strnlen(msg, msgLen));
    std::lock_guard lock(AllRanges().mutex);
    found->message = std::move(message);
    return {};
  });
}

aclError aclprofMark(void* stamp) {
  return Entry("aclprofMark", [&]() -> Status {
    Range point;
    if (Status s = Begin(stamp, &point); !s.ok()) return s;
    AddProfileMark(point.message, point.begin, point.begin);
    return {};
  });
}

aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  return Entry("aclprofMarkEx", [&]() -> Status {
    if (Status s = CheckMessage(msg, msgLen); !s.ok()) return s;
    if (!ProfileRuns()) return {};
    std::string message(msg, strnlen(msg, msgLen));
    const uint64_t now = ProfileClock();
    AddProfileMark(message, now, now);
    return MarkStream("aclprofMarkEx", std::move(message), stream);
  });
}

aclError aclprofPush(void* stamp) {
  return Entry("aclprofPush", [&]() -> Status {
    Range range;
    if (Status s = Begin(stamp, &range); !s.ok()) return s;
    if (t_pushed == nullptr) t_pushed = new std::vector<Range>;
    t_pushed->push_back(std::move(range));
    return {};
  });
}

aclError aclprofPop(void) {
  return Entry("aclprofPop", []() -> Status {
    if (t_pushed == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "this thread has no range left, expected aclprofPush");
    }
    End(t_pushed->back());
    t_pushed->pop_back();
    if (t_pushed->empty()) delete std::exchange(t_pushed, nullptr);
    return {};
  });
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  return Entry("aclprofRangeStart", [&]() -> Status {
    if (Status s = NotNull(rangeId, "rangeId"); !s.ok()) return s;
    Range range;
    if (Status s = Begin(stamp, &range); !s.ok()) return s;
    Ranges& all = AllRanges();
    std::lock_guard lock(all.mutex);
    *rangeId = ++all.last;
    all.open[*rangeId] = std::move(range);
    return {};
  });
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return Entry("aclprofRangeStop", [&]() -> Status {
    Range range;
    {
      Ranges& all = AllRanges();
      std::lock_guard lock(all.mutex);
      auto found = all.open.extract(rangeId);
      if (found.empty()) {
        return Fail(ACL_ERROR_INVALID_PARAM, "rangeId is {}, which no aclprofRangeStart returned",
                    rangeId);
      }
      range = std::move(found.mapped());
    }
    End(range);
    return {};
  });
}

uint64_t aclprofStr2Id(const char* message) {
  return message == nullptr ? 0 : TextId(message);
}
}
