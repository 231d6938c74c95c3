// SPDX-License-Identifier: Apache-2.0
// Profile: how long API calls and the tasks of streams took, between aclprofStart and aclprofStop.
// While none runs, it costs a call, an appended task and a task that runs one look at a flag each.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "runtime/task.h"

namespace anyacl {

class Stream;

// What a profile keeps.
struct ProfileChoice {
  std::vector<uint32_t> devices;  // of tasks, and of marks in streams
  bool calls = false;
  bool tasks = false;
  bool operands = false;  // of tasks
  bool marks = false;
};

// A session of profiles, whose folders will lie in `folder`.
Status OpenProfiler(const std::string& folder);
// Stops the profile that runs, too.
Status CloseProfiler();
Status StartProfile(ProfileChoice choice);
// Writes what was recorded: docs/architecture.md, "Profiles".
Status StopProfile();

extern std::atomic<bool> g_profile_runs;
inline bool ProfileRuns() { return g_profile_runs.load(std::memory_order_relaxed); }

// Nanoseconds of the clock that torch_npu takes for its own records.
uint64_t ProfileClock();

// Around an API call that no other surrounds in this thread.
void BeginProfiledCall();
void EndProfiledCall(const char* api);
// The number of the last that began in this thread; no two have the same.
uint64_t ProfiledCall();

inline constexpr char kDefaultDomain[] = "default";

// A point or range that the client marked.
struct ProfileMark {
  std::string message;
  std::string domain;
  uint64_t begin;
  uint64_t end;  // of a point: its begin
};
// In this thread, or in a stream.
void AddProfileMark(ProfileMark mark, const Stream* stream = nullptr);

// While it lives, a task of a profiled device may run.
class ProfiledTask {
 public:
  // `call` is the number of the API call that appended it; 0: not known.
  ProfiledTask(const Task& task, int32_t device, int32_t stream, uint64_t ticket, uint64_t call)
      : task_(task), device_(device), stream_(stream), ticket_(ticket), call_(call) {
    if (ProfileRuns()) begin_ = ProfileClock();
  }
  ~ProfiledTask() {
    if (begin_ != 0) Add();
  }
  ProfiledTask(const ProfiledTask&) = delete;
  ProfiledTask& operator=(const ProfiledTask&) = delete;

 private:
  void Add() const;

  const Task& task_;
  const int32_t device_;
  const int32_t stream_;
  const uint64_t ticket_;
  const uint64_t call_;
  uint64_t begin_ = 0;  // no profile ran
};

}  // namespace anyacl
