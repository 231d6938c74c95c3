// SPDX-License-Identifier: Apache-2.0
// Profiles in a folder of their own, and what their files hold.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "acl/acl_prof.h"
#include "fixture.h"
#include "support/temp_dir.h"

namespace anyacl::test {

using nlohmann::json;

inline constexpr uint64_t kAll = ACL_PROF_TASK_TIME | ACL_PROF_ACL_API | ACL_PROF_MSPROFTX;

inline aclprofConfig* NewConfig(std::vector<uint32_t> devices = {0}, uint64_t data = kAll) {
  aclprofConfig* config = aclprofCreateConfig(devices.data(), static_cast<uint32_t>(devices.size()),
                                              ACL_AICORE_NONE, nullptr, data);
  EXPECT_NE(config, nullptr) << TakeMessages();
  return config;
}

struct CallSeen {
  std::string api;
  uint64_t number, thread, begin, end;
};
struct TaskSeen {
  std::string name, kind;
  int64_t device, stream;
  uint64_t ticket, call, begin, end;
  json inputs, outputs;
};
struct MarkSeen {
  std::string message, domain;
  int64_t device, stream;
  uint64_t thread, begin, end;
};

// The file of a profile.
struct Seen {
  json about;
  std::vector<CallSeen> calls;
  std::vector<TaskSeen> tasks;
  std::vector<MarkSeen> marks;

  explicit Seen(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    about = json::parse(line);
    while (std::getline(lines, line)) {
      const json r = json::parse(line);
      if (r[0] == "call") {
        calls.push_back({r[1], r[2], r[3], r[4], r[5]});
      } else if (r[0] == "task") {
        tasks.push_back({r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8],
                         r.size() > 9 ? r[9] : json(), r.size() > 9 ? r[10] : json()});
      } else {
        marks.push_back({r[1], r[2], r[3], r[4], r[5], r[6], r[7]});
      }
    }
  }

  std::vector<std::string> TaskNames() const {
    std::vector<std::string> names;
    for (const TaskSeen& task : tasks) names.push_back(task.name);
    return names;
  }
  const CallSeen* Call(uint64_t number) const {
    for (const CallSeen& call : calls) {
      if (call.number == number) return &call;
    }
    return nullptr;
  }
  size_t Calls(const std::string& api) const {
    return static_cast<size_t>(
        std::ranges::count_if(calls, [&](const CallSeen& call) { return call.api == api; }));
  }
};

class ProfileTest : public RuntimeTest {
 protected:
  void Open() { ASSERT_OK(aclprofInit(folder_.path().c_str(), folder_.path().string().size())); }
  void Start(aclprofConfig* config) {
    config_ = config;
    ASSERT_OK(aclprofStart(config));
  }
  Seen Stop() {
    EXPECT_OK(aclprofStop(config_));
    EXPECT_OK(aclprofDestroyConfig(config_));
    EXPECT_OK(aclprofFinalize());
    return Only();
  }
  std::vector<std::filesystem::path> Folders() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
  }
  // What is in the one folder.
  Seen Only() const {
    const auto folders = Folders();
    EXPECT_EQ(folders.size(), 1u);
    return Seen(ReadFile(folders.at(0) / "host/data/profile.jsonl"));
  }

  const TempDir folder_;
  aclprofConfig* config_ = nullptr;
};

}  // namespace anyacl::test
