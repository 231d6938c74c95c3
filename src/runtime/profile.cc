// SPDX-License-Identifier: Apache-2.0
#include "runtime/profile.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "acl/acl_base.h"
#include "base/fork_locks.h"
#include "base/format.h"
#include "runtime/clock.h"
#include "runtime/exception_info.h"
#include "runtime/exports.h"
#include "runtime/stream.h"

namespace anyacl {

std::atomic<bool> g_profile_runs{false};

namespace {

std::atomic<bool> g_operands{false};  // the profile has those of tasks

struct CallRecord {
  const char* api;
  uint64_t number;
  uint32_t thread;
  uint64_t begin, end;
};

struct TaskRecord {
  const char* name;
  TaskKind kind;
  int32_t device, stream;
  uint64_t ticket;
  uint64_t call;  // that appended it
  uint64_t begin, end;
  std::shared_ptr<const TaskOperands> operands;
};

struct MarkRecord {
  ProfileMark mark;
  int32_t device, stream;  // -1: the mark is a thread's
  uint32_t thread;
};

struct Records {
  ProfileChoice choice;
  uint64_t begin = 0;
  uint64_t wall = 0;  // microseconds since 1970, at the same time
  std::deque<CallRecord> calls;
  std::deque<TaskRecord> tasks;
  std::deque<MarkRecord> marks;
  uint64_t lost = 0;  // memory was exhausted

  bool Has(int32_t device) const {
    return std::ranges::find(choice.devices, static_cast<uint32_t>(device)) != choice.devices.end();
  }
};

struct Profiler {
  std::mutex mutex;
  std::string folder;  // empty: there is no session
  std::optional<Records> running;
  int profiles = 0;  // that this process has written
};

Profiler& TheProfiler() {
  static Profiler* profiler = [] {
    auto* created = new Profiler;
    // A child's calls are not the parent's profile.
    ForkLocks::Add(ForkOrder::kProfile,
                   {[created] { created->mutex.lock(); }, [created] { created->mutex.unlock(); },
                    [created] {
                      g_profile_runs = g_operands = false;
                      created->running.reset();
                      created->folder.clear();
                    }});
    return created;
  }();
  return *profiler;
}
[[maybe_unused]] const bool kProfilerMadeAtLoad = (TheProfiler(), true);

std::atomic<uint64_t> g_calls{0};

struct Call {
  uint64_t number = 0;
  uint64_t begin = 0;  // 0: it has ended
};
thread_local Call t_call;

// Calls `add` with the records of the profile that ran at `begin` and still runs.
template <class Add>
void Record(uint64_t begin, Add add) noexcept {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (!profiler.running || begin < profiler.running->begin) return;
  try {
    add(*profiler.running);
  } catch (const std::bad_alloc&) {
    ++profiler.running->lost;
  }
}

const char* NameOf(TaskKind kind) {
  switch (kind) {
    case TaskKind::kCompute:
      return "compute";
    case TaskKind::kHost:
      return "host";
    case TaskKind::kMark:
      return "mark";
    case TaskKind::kWait:
      return "wait";
    case TaskKind::kPoll:
      return "poll";
    case TaskKind::kGraph:
      return "graph";
  }
  return "";
}

std::string Quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class File {
 public:
  explicit File(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "we")) {
    ok_ = file_ != nullptr;
  }
  ~File() {
    if (file_ != nullptr) std::fclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void Write(const std::string& text) {
    ok_ = ok_ && std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  }
  Status Close() {
    ok_ = file_ != nullptr && std::fclose(std::exchange(file_, nullptr)) == 0 && ok_;
    if (ok_) return {};
    return Fail(ACL_ERROR_PROFILING_FAILURE, "the profile's file {} cannot be written: {}", path_,
                std::strerror(errno));
  }

 private:
  const std::string path_;
  FILE* file_;
  bool ok_;
};

// Others may not write there: torch_npu refuses such folders.
Status MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0750) == 0 || errno == EEXIST) return {};
  return Fail(ACL_ERROR_PROFILING_FAILURE, "the profile's folder {} cannot be made: {}", path,
              std::strerror(errno));
}

std::string FolderName(int number) {
  const LocalTime now = Now();
  std::string digits;
  for (char c : now.text) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return Format("PROF_{:06}_{}{:03}_{:X}U{:06}", number, digits, now.microseconds / 1000,
                static_cast<uint32_t>(getpid()), now.microseconds);
}

Status WriteRecords(const Records& records, uint64_t end, const std::string& path) {
  const std::vector<int64_t> devices(records.choice.devices.begin(), records.choice.devices.end());
  File file(path);
  file.Write(Format(
      "{{\"version\": 1, \"pid\": {}, \"devices\": [{}], \"begin\": {}, \"end\": {}, \"wall\": {}, "
      "\"lost\": {}}}\n",
      getpid(), Joined(devices), records.begin, end, records.wall, records.lost));
  for (const CallRecord& call : records.calls) {
    file.Write(Format("[\"call\", \"{}\", {}, {}, {}, {}]\n", call.api, call.number, call.thread,
                      call.begin, call.end));
  }
  for (const TaskRecord& task : records.tasks) {
    std::string line =
        Format("[\"task\", \"{}\", \"{}\", {}, {}, {}, {}, {}, {}", task.name, NameOf(task.kind),
               task.device, task.stream, task.ticket, task.call, task.begin, task.end);
    if (task.operands != nullptr) {
      for (const TaskOperands::Side* side : {&task.operands->inputs, &task.operands->outputs}) {
        line += Format(", [\"{}\", \"{}\", \"{}\"]", side->shapes, side->types, side->formats);
      }
    }
    file.Write(line + "]\n");
  }
  for (const MarkRecord& mark : records.marks) {
    file.Write(Format("[\"mark\", {}, {}, {}, {}, {}, {}, {}]\n", Quoted(mark.mark.message),
                      Quoted(mark.mark.domain), mark.device, mark.stream, mark.thread,
                      mark.mark.begin, mark.mark.end));
  }
  return file.Close();
}

// The folders as CANN has them, for who looks what there is: torch_npu reads the time from
// start_info and counts the devices.
Status Write(const Records& records, uint64_t end, const std::string& folder) {
  for (const char* inner : {"", "/host", "/host/data"}) {
    if (Status s = MakeFolder(folder + inner); !s.ok()) return s;
  }
  for (uint32_t device : records.choice.devices) {
    if (Status s = MakeFolder(Format("{}/device_{}", folder, device)); !s.ok()) return s;
  }
  File start(folder + "/host/start_info");
  start.Write(Format("{{\"collectionTimeBegin\": \"{}\", \"clockMonotonicRaw\": \"{}\"}}\n",
                     records.wall, records.begin));
  if (Status s = start.Close(); !s.ok()) return s;
  return WriteRecords(records, end, folder + "/host/data/profile.jsonl");
}

uint64_t Nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t ProfileClock() { return Nanoseconds(CLOCK_MONOTONIC_RAW); }

Status OpenProfiler(const std::string& folder) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (!profiler.folder.empty()) {
    return Fail(ACL_ERROR_REPEAT_INITIALIZE,
                "aclprofInit was called with {}, expected "
                "aclprofFinalize first",
                profiler.folder);
  }
  struct stat found {};
  if (mkdir(folder.c_str(), 0750) != 0 && errno != EEXIST) {
    return Fail(ACL_ERROR_INVALID_FILE, "profilerResultPath {} cannot be made: {}", folder,
                std::strerror(errno));
  }
  if (stat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) ||
      access(folder.c_str(), W_OK | X_OK) != 0) {
    return Fail(ACL_ERROR_INVALID_FILE, "profilerResultPath {} is no folder to write to", folder);
  }
  profiler.folder = folder;
  return {};
}

Status StartProfile(ProfileChoice choice) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (profiler.folder.empty()) {
    return Fail(ACL_ERROR_PROF_NOT_RUN, "no session of profiles, expected aclprofInit first");
  }
  if (profiler.running) {
    return Fail(ACL_ERROR_PROF_ALREADY_RUN, "a profile runs, expected aclprofStop first");
  }
  Records& records = profiler.running.emplace();
  records.choice = std::move(choice);
  records.wall = Nanoseconds(CLOCK_REALTIME) / 1000;
  records.begin = ProfileClock();
  g_operands = records.choice.operands;
  g_profile_runs = true;
  return {};
}

Status StopProfile() {
  Profiler& profiler = TheProfiler();
  std::optional<Records> records;
  std::string folder;
  {
    std::lock_guard lock(profiler.mutex);
    if (!profiler.running) return Fail(ACL_ERROR_PROF_NOT_RUN, "no profile runs");
    g_profile_runs = g_operands = false;
    records = std::exchange(profiler.running, std::nullopt);
    folder = Format("{}/{}", profiler.folder, FolderName(++profiler.profiles));
  }
  if (records->lost > 0) {
    Warn("memory was exhausted: the profile lacks {} calls, tasks and marks", records->lost);
  }
  return Write(*records, ProfileClock(), folder);
}

Status CloseProfiler() {
  Profiler& profiler = TheProfiler();
  bool runs = false;
  {
    std::lock_guard lock(profiler.mutex);
    if (profiler.folder.empty()) {
      return Fail(ACL_ERROR_PROF_NOT_RUN, "no session of profiles, expected aclprofInit first");
    }
    runs = profiler.running.has_value();
  }
  const Status stopped = runs ? StopProfile() : Status();
  std::lock_guard lock(profiler.mutex);
  profiler.folder.clear();
  return stopped;
}

void BeginProfiledCall() {
  t_call = {g_calls.fetch_add(1, std::memory_order_relaxed) + 1, ProfileClock()};
}

void EndProfiledCall(const char* api) {
  const uint64_t begin = std::exchange(t_call.begin, 0);
  if (begin == 0) return;
  const CallRecord call{api, t_call.number, ThisThread(), begin, ProfileClock()};
  Record(begin, [&](Records& records) {
    if (records.choice.calls) records.calls.push_back(call);
  });
}

uint64_t ProfiledCall() { return t_call.number; }

void AddProfileMark(ProfileMark mark, const Stream* stream) {
  const uint32_t thread = ThisThread();
  const int32_t on = stream == nullptr ? -1 : stream->id();
  const int32_t device = stream == nullptr ? -1 : stream->device();
  Record(mark.begin, [&](Records& records) {
    if (!records.choice.marks || (stream != nullptr && !records.Has(device))) return;
    records.marks.push_back({std::move(mark), device, on, thread});
  });
}

void ProfiledTask::Add() const {
  const TaskRecord task{task_.name(), task_.kind(), device_,        stream_,         ticket_,
                        call_,        begin_,       ProfileClock(), task_.operands()};
  Record(begin_, [&](Records& records) {
    if (records.choice.tasks && records.Has(device_)) records.tasks.push_back(task);
  });
}

}  // namespace anyacl

bool anyaclProfilesOperands() { return anyacl::g_operands.load(std::memory_order_relaxed); }
