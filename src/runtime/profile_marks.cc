// SPDX-License-Identifier: Apache-2.0
// Points and ranges that a program marks for a profile: aclprof* and mstx*. While no profile keeps
// marks, they are forgotten.
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acl/acl_prof.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/profile.h"

namespace anyacl {
namespace {

struct Stamp {
  std::string message;
};
using StampTable = HandleTable<Stamp, HandleKind::kStamp>;

struct StepInfo {};
using StepInfoTable = HandleTable<StepInfo, HandleKind::kStepInfo>;

using DomainTable = HandleTable<const std::string, HandleKind::kDomain>;

// One that is open.
struct Range {
  std::string message;
  std::string domain = kDefaultDomain;
  uint64_t begin = 0;
  // Null, or where it is marked, too, and its begin there: 0 until the stream has come to it.
  aclrtStream stream = nullptr;
  std::shared_ptr<std::atomic<uint64_t>> stream_begin{};
};

struct Marks {
  std::mutex mutex;                // guards the stamps' messages, too
  std::map<uint32_t, Range> open;  // from aclprofRangeStart or mstxRangeStartA to its end
  uint32_t last = 0;               // number of a range
  StampTable& stamps = *StampTable::NewGlobal();
  StepInfoTable& step_infos = *StepInfoTable::NewGlobal();
  DomainTable& domains = *DomainTable::NewGlobal();
};

Marks& AllMarks() {
  static Marks* all = [] {
    auto* created = new Marks;
    ForkLocks::Add(ForkOrder::kProfile, created->mutex);
    return created;
  }();
  return *all;
}
[[maybe_unused]] const bool kMarksMadeAtLoad = (AllMarks(), true);

thread_local std::vector<Range>* t_pushed = nullptr;  // null: none is open

Status FindStamp(const void* handle, std::shared_ptr<Stamp>* stamp) {
  *stamp = AllMarks().stamps.Find(handle);
  if (*stamp != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "stamp {} is not alive, expected one of aclprofCreateStamp",
              handle);
}

// The range that begins now.
Status Begin(const void* handle, Range* range) {
  std::shared_ptr<Stamp> stamp;
  if (Status s = FindStamp(handle, &stamp); !s.ok()) return s;
  std::lock_guard lock(AllMarks().mutex);
  range->message = stamp->message;
  range->begin = ProfileClock();
  return {};
}

uint32_t Keep(Range range) {
  Marks& all = AllMarks();
  std::lock_guard lock(all.mutex);
  do {
    ++all.last;
  } while (all.last == 0 || all.open.count(all.last) != 0);
  all.open[all.last] = std::move(range);
  return all.last;
}

bool Take(uint64_t number, Range* range) {
  Marks& all = AllMarks();
  std::lock_guard lock(all.mutex);
  auto found = number > UINT32_MAX ? decltype(all.open)::node_type()
                                   : all.open.extract(static_cast<uint32_t>(number));
  if (found.empty()) return false;
  *range = std::move(found.mapped());
  return true;
}

// Ends the range in its stream, too.
Status End(const char* api, const Range& range) {
  AddProfileMark({range.message, range.domain, range.begin, ProfileClock()});
  if (range.stream == nullptr) return {};
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(range.stream, &on); !s.ok()) return s;
  auto end = [message = range.message, domain = range.domain, begin = range.stream_begin,
              of = std::weak_ptr<Stream>(on)]() -> Status {
    if (const auto here = of.lock()) {
      AddProfileMark({message, domain, *begin, ProfileClock()}, here.get());
    }
    return {};
  };
  return on->Enqueue(MakeTask(TaskKind::kMark, api, std::move(end)));
}

// A point in a stream.
Status MarkStream(const char* api, std::string message, std::string domain, aclrtStream stream) {
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s;
  auto mark = [message = std::move(message), domain = std::move(domain),
               of = std::weak_ptr<Stream>(on)]() -> Status {
    const uint64_t now = ProfileClock();
    if (const auto here = of.lock()) AddProfileMark({message, domain, now, now}, here.get());
    return {};
  };
  return on->Enqueue(MakeTask(TaskKind::kMark, api, std::move(mark)));
}

// A point in this thread.
void MarkThread(std::string message, std::string domain) {
  const uint64_t now = ProfileClock();
  AddProfileMark({std::move(message), std::move(domain), now, now});
}

Status CheckMessage(const char* message, size_t length) {
  if (Status s = NotNull(message, "msg"); !s.ok()) return s;
  if (length > 0) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "msgLen is 0, expected at least 1");
}

Status FindDomain(const void* handle, std::string* name) {
  if (handle == nullptr) {
    *name = kDefaultDomain;
    return {};
  }
  const std::shared_ptr<const std::string> domain = AllMarks().domains.Find(handle);
  if (domain == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "domain {} is not alive, expected one of mstxDomainCreateA or null", handle);
  }
  *name = *domain;
  return {};
}

void MstxMark(const char* api, const void* domain, const char* message, aclrtStream stream) {
  Entry(api, [&]() -> Status {
    if (Status s = NotNull(message, "message"); !s.ok()) return s;
    std::string name;
    if (Status s = FindDomain(domain, &name); !s.ok()) return s;
    if (!ProfileRuns()) return {};
    MarkThread(message, name);
    return stream == nullptr ? Status() : MarkStream(api, message, std::move(name), stream);
  });
}

uint64_t MstxRangeStart(const char* api, const void* domain, const char* message,
                        aclrtStream stream) {
  uint64_t number = 0;
  Entry(api, [&]() -> Status {
    if (Status s = NotNull(message, "message"); !s.ok()) return s;
    Range range{.message = message};
    if (Status s = FindDomain(domain, &range.domain); !s.ok()) return s;
    if (!ProfileRuns()) return {};
    if (stream != nullptr) {
      std::shared_ptr<Stream> on;
      if (Status s = FindStream(stream, &on); !s.ok()) return s;
      range.stream = stream;
      range.stream_begin = std::make_shared<std::atomic<uint64_t>>(0);
      auto begin = [at = range.stream_begin]() -> Status {
        *at = ProfileClock();
        return {};
      };
      const auto task = MakeTask(TaskKind::kMark, api, std::move(begin));
      if (Status s = on->Enqueue(task); !s.ok()) return s;
    }
    range.begin = ProfileClock();
    number = Keep(std::move(range));
    return {};
  });
  return number;
}

// The number that no range has is what begins one while no profile runs.
void MstxRangeEnd(const char* api, uint64_t number) {
  if (number == 0) return;
  Entry(api, [&]() -> Status {
    Range range;
    if (!Take(number, &range)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "id is {}, which belongs to no open range", number);
    }
    return End(api, range);
  });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclprofStepInfo* aclprofCreateStepInfo(void) {
  aclprofStepInfo* info = nullptr;
  Entry("aclprofCreateStepInfo", [&]() -> Status {
    info = static_cast<aclprofStepInfo*>(AllMarks().step_infos.Add(std::make_shared<StepInfo>()));
    return {};
  });
  return info;
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) { AllMarks().step_infos.Remove(stepinfo); }

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                 aclrtStream stream) {
  return Entry("aclprofGetStepTimestamp", [&]() -> Status {
    if (AllMarks().step_infos.Find(stepInfo) == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "stepInfo {} is not alive, expected one of "
                  "aclprofCreateStepInfo",
                  static_cast<const void*>(stepInfo));
    }
    const int number = static_cast<int>(tag);
    if (number != ACL_STEP_START && number != ACL_STEP_END) {
      return Fail(ACL_ERROR_INVALID_PARAM, "tag is {}, expected 0 or 1", number);
    }
    return MarkStream("aclprofGetStepTimestamp",
                      number == ACL_STEP_START ? "step start" : "step end", kDefaultDomain, stream);
  });
}

void* aclprofCreateStamp(void) {
  void* stamp = nullptr;
  Entry("aclprofCreateStamp", [&]() -> Status {
    stamp = AllMarks().stamps.Add(std::make_shared<Stamp>());
    return {};
  });
  return stamp;
}

void aclprofDestroyStamp(void* stamp) { AllMarks().stamps.Remove(stamp); }

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  return Entry("aclprofSetStampTraceMessage", [&]() -> Status {
    std::shared_ptr<Stamp> found;
    if (Status s = FindStamp(stamp, &found); !s.ok()) return s;
    if (Status s = CheckMessage(msg, msgLen); !s.ok()) return s;
    std::string message(msg, strnlen(msg, msgLen));
    std::lock_guard lock(AllMarks().mutex);
    found->message = std::move(message);
    return {};
  });
}

aclError aclprofMark(void* stamp) {
  return Entry("aclprofMark", [&]() -> Status {
    Range point;
    if (Status s = Begin(stamp, &point); !s.ok()) return s;
    AddProfileMark({point.message, point.domain, point.begin, point.begin});
    return {};
  });
}

aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  return Entry("aclprofMarkEx", [&]() -> Status {
    if (Status s = CheckMessage(msg, msgLen); !s.ok()) return s;
    if (!ProfileRuns()) return {};
    std::string message(msg, strnlen(msg, msgLen));
    MarkThread(message, kDefaultDomain);
    return MarkStream("aclprofMarkEx", std::move(message), kDefaultDomain, stream);
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
    const Range range = std::move(t_pushed->back());
    t_pushed->pop_back();
    if (t_pushed->empty()) delete std::exchange(t_pushed, nullptr);
    return End("aclprofPop", range);
  });
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  return Entry("aclprofRangeStart", [&]() -> Status {
    if (Status s = NotNull(rangeId, "rangeId"); !s.ok()) return s;
    Range range;
    if (Status s = Begin(stamp, &range); !s.ok()) return s;
    *rangeId = Keep(std::move(range));
    return {};
  });
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return Entry("aclprofRangeStop", [&]() -> Status {
    Range range;
    if (Take(rangeId, &range)) return End("aclprofRangeStop", range);
    return Fail(ACL_ERROR_INVALID_PARAM, "rangeId is {}, which belongs to no open range", rangeId);
  });
}
}

// What frameworks look up in libms_tools_ext; programs in C have the functions of the header.
#pragma GCC visibility push(default)
extern "C" {

void mstxMarkA(const char* message, aclrtStream stream) {
  MstxMark("mstxMarkA", nullptr, message, stream);
}

uint64_t mstxRangeStartA(const char* message, aclrtStream stream) {
  return MstxRangeStart("mstxRangeStartA", nullptr, message, stream);
}

void mstxRangeEnd(uint64_t id) { MstxRangeEnd("mstxRangeEnd", id); }

void* mstxDomainCreateA(const char* name) {
  void* domain = nullptr;
  Entry("mstxDomainCreateA", [&]() -> Status {
    if (Status s = NotNull(name, "name"); !s.ok()) return s;
    domain = AllMarks().domains.Add(std::make_shared<const std::string>(name));
    return {};
  });
  return domain;
}

void mstxDomainDestroy(void* domain) { AllMarks().domains.Remove(domain); }

void mstxDomainMarkA(void* domain, const char* message, aclrtStream stream) {
  MstxMark("mstxDomainMarkA", domain, message, stream);
}

uint64_t mstxDomainRangeStartA(void* domain, const char* message, aclrtStream stream) {
  return MstxRangeStart("mstxDomainRangeStartA", domain, message, stream);
}

void mstxDomainRangeEnd(void* /*domain*/, uint64_t id) { MstxRangeEnd("mstxDomainRangeEnd", id); }
}
#pragma GCC visibility pop
