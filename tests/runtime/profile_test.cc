// SPDX-License-Identifier: Apache-2.0
// Profiles: what is recorded of calls and tasks, and what is refused.
#include <sys/wait.h>

#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"
#include "capture_calls.h"
#include "profile_fixture.h"

namespace anyacl::test {
namespace {

void Clear(void* memory, aclrtStream stream) {
  EXPECT_OK(aclrtMemsetAsync(memory, 4096, 0, 4096, stream));
}

uint64_t ThisThread() { return static_cast<uint64_t>(syscall(SYS_gettid)); }

// One sum of `count` numbers.
void Add(float* memory, int64_t count, aclrtStream stream) {
  const int64_t one = 1;
  aclTensor* x = aclCreateTensor(&count, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND, &count, 1, memory);
  const float factor = 1;
  aclScalar* alpha = aclCreateScalar(const_cast<float*>(&factor), ACL_FLOAT);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnAddGetWorkspaceSize(x, x, alpha, x, &size, &executor));
  ASSERT_EQ(size, 0u);
  ASSERT_OK(aclnnAdd(nullptr, 0, executor, stream));
  EXPECT_OK(aclDestroyScalar(alpha));
  EXPECT_OK(aclDestroyTensor(x));
}

TEST_F(ProfileTest, TasksAreRecordedInOrderWithTheirCalls) {
  aclrtStream stream = NewStream();
  aclrtEvent event = NewEvent();
  auto* memory = static_cast<float*>(NewDeviceMemory(1 << 20));
  Clear(memory, stream);
  Open();
  Start(NewConfig());
  Clear(memory, stream);
  Add(memory, 1 << 16, stream);
  Add(memory, 16, stream);
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }, nullptr));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  const Seen seen = Stop();
  Clear(memory, stream);
  EXPECT_OK(aclrtSynchronizeStream(stream));

  EXPECT_EQ(seen.TaskNames(),
            (std::vector<std::string>{"aclrtMemsetAsync", "aclnnAdd", "aclnnAdd",
                                      "aclrtLaunchHostFunc", "aclrtRecordEvent"}));
  EXPECT_EQ(seen.about["devices"], json::array({0}));
  EXPECT_EQ(seen.about["pid"], getpid());
  EXPECT_EQ(seen.about["lost"], 0);
  uint64_t last = seen.about["begin"];
  for (const TaskSeen& task : seen.tasks) {
    EXPECT_EQ(task.device, 0);
    EXPECT_EQ(task.stream, id);
    EXPECT_GE(task.begin, last) << task.name;
    EXPECT_GE(task.end, task.begin);
    last = task.end;
    const CallSeen* call = seen.Call(task.call);
    ASSERT_NE(call, nullptr) << task.name;
    EXPECT_EQ(call->api, task.name);
    EXPECT_EQ(call->thread, ThisThread());
    EXPECT_LE(call->begin, task.begin);
  }
  EXPECT_LE(last, seen.about["end"].get<uint64_t>());
  EXPECT_EQ(seen.tasks[3].kind, "host");
  EXPECT_GE(seen.tasks[3].end - seen.tasks[3].begin, 10000000u);
  EXPECT_EQ(seen.tasks[1].inputs, json::array({"65536;65536", "FLOAT;FLOAT", "ND;ND"}));
  EXPECT_EQ(seen.tasks[2].outputs, json::array({"16", "FLOAT", "ND"}));
  EXPECT_TRUE(seen.tasks[0].inputs.is_null());
  EXPECT_EQ(seen.Calls("aclnnAddGetWorkspaceSize"), 2u);
  EXPECT_EQ(seen.Calls("aclrtSynchronizeStream"), 1u);
  EXPECT_EQ(seen.Calls("aclprofStart"), 0u);
}

TEST_F(ProfileTest, NothingIsWrittenWithoutAProfile) {
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(4096);
  Open();
  Clear(memory, stream);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclprofFinalize());
  EXPECT_TRUE(Folders().empty());
}

TEST_F(ProfileTest, KeepsWhatWasChosen) {
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(4096);
  for (uint64_t data : {ACL_PROF_TASK_TIME_L0, ACL_PROF_ACL_API, 0ULL}) {
    const TempDir folder;
    EXPECT_OK(aclprofInit(folder.path().c_str(), folder.path().string().size()));
    aclprofConfig* config = NewConfig({0}, data);
    EXPECT_OK(aclprofWarmup(config));
    EXPECT_OK(aclprofStart(config));
    Add(static_cast<float*>(memory), 16, stream);
    EXPECT_OK(aclprofMarkEx("m", 1, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclprofStop(config));
    EXPECT_OK(aclprofDestroyConfig(config));
    EXPECT_OK(aclprofFinalize());
    const auto first = *std::filesystem::directory_iterator(folder.path());
    const Seen seen(ReadFile(first.path() / "host/data/profile.jsonl"));
    EXPECT_EQ(seen.tasks.empty(), data != ACL_PROF_TASK_TIME_L0);
    EXPECT_EQ(seen.calls.empty(), data != ACL_PROF_ACL_API);
    EXPECT_TRUE(seen.marks.empty());
    for (const TaskSeen& task : seen.tasks) EXPECT_TRUE(task.inputs.is_null());
  }
}

// A folder for each; torch_npu reads the time in start_info and counts the devices.
TEST_F(ProfileTest, ASessionHasProfilesOneAfterAnother) {
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(4096);
  Open();
  aclprofConfig* config = NewConfig();
  for (int i = 1; i <= 2; ++i) {
    EXPECT_OK(aclprofStart(config));
    for (int k = 0; k < i; ++k) Clear(memory, stream);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclprofStop(config));
  }
  EXPECT_OK(aclprofStart(config));
  EXPECT_OK(aclprofFinalize());  // stops it
  EXPECT_OK(aclprofDestroyConfig(config));
  const auto folders = Folders();
  ASSERT_EQ(folders.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(folders[i].filename().string().find("PROF_"), 0u);
    EXPECT_TRUE(is_directory(folders[i] / "device_0"));
    const json start = json::parse(ReadFile(folders[i] / "host/start_info"));
    const Seen seen(ReadFile(folders[i] / "host/data/profile.jsonl"));
    EXPECT_EQ(start["clockMonotonicRaw"], std::to_string(seen.about["begin"].get<uint64_t>()));
    EXPECT_EQ(start["collectionTimeBegin"], std::to_string(seen.about["wall"].get<uint64_t>()));
    EXPECT_EQ(seen.tasks.size(), (i + 1) % 3);
  }
}

TEST_F(ProfileTest, HasTheTasksOfItsDevices) {
  ScopedEnv env("ANYACL_DEVICES", "3");
  InFreshProcess([] {
    const TempDir folder;
    ASSERT_OK(aclprofInit(folder.path().c_str(), folder.path().string().size()));
    aclprofConfig* config = NewConfig({2, 1});
    ASSERT_OK(aclprofStart(config));
    std::vector<aclrtStream> streams;
    for (int32_t device : {0, 1, 2}) {
      ASSERT_OK(aclrtSetDevice(device));
      void* memory = NewDeviceMemory(4096);
      for (int i = 0; i <= device; ++i) {
        streams.push_back(NewStream());
        Clear(memory, streams.back());
        EXPECT_OK(aclrtSynchronizeStream(streams.back()));
      }
    }
    EXPECT_OK(aclprofStop(config));
    EXPECT_OK(aclprofFinalize());
    const auto first = *std::filesystem::directory_iterator(folder.path());
    const Seen seen(ReadFile(first.path() / "host/data/profile.jsonl"));
    std::vector<int64_t> devices;
    std::vector<int64_t> ids;
    for (const TaskSeen& task : seen.tasks) {
      devices.push_back(task.device);
      ids.push_back(task.stream);
    }
    EXPECT_EQ(devices, (std::vector<int64_t>{1, 1, 2, 2, 2}));
    EXPECT_EQ(std::set<int64_t>(ids.begin(), ids.end()).size(), 5u);
    EXPECT_TRUE(is_directory(first.path() / "device_1"));
    EXPECT_TRUE(is_directory(first.path() / "device_2"));
    EXPECT_FALSE(exists(first.path() / "device_0"));
  });
}

TEST_F(ProfileTest, ThreadsRecordAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 200;
  Open();
  Start(NewConfig());
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      ASSERT_OK(aclrtSetDevice(0));
      aclrtStream stream = NewStream();
      void* memory = NewDeviceMemory(4096);
      for (int k = 0; k < kTasks; ++k) Clear(memory, stream);
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Seen seen = Stop();
  EXPECT_EQ(seen.Calls("aclrtMemsetAsync"), size_t{kThreads * kTasks});
  std::map<int64_t, uint64_t> last;
  std::map<int64_t, int> count;
  for (const TaskSeen& task : seen.tasks) {
    EXPECT_GE(task.begin, last[task.stream]);
    last[task.stream] = task.end;
    ++count[task.stream];
    EXPECT_NE(seen.Call(task.call), nullptr);
  }
  EXPECT_EQ(count.size(), size_t{kThreads});
  for (const auto& [stream, tasks] : count) EXPECT_EQ(tasks, kTasks);
}

// Profiles begin and end while others compute.
TEST_F(ProfileTest, StartsAndStopsBesideTasks) {
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    void* memory = NewDeviceMemory(4096);
    while (!stop) {
      Clear(memory, stream);
      EXPECT_OK(aclrtSynchronizeStream(stream));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  Open();
  aclprofConfig* config = NewConfig();
  for (int i = 0; i < 20; ++i) {
    EXPECT_OK(aclprofStart(config));
    EXPECT_OK(aclprofStop(config));
  }
  stop = true;
  worker.join();
  EXPECT_OK(aclprofDestroyConfig(config));
  EXPECT_OK(aclprofFinalize());
  for (const auto& folder : Folders()) {
    const Seen seen(ReadFile(folder / "host/data/profile.jsonl"));
    for (const TaskSeen& task : seen.tasks) {
      EXPECT_GE(task.begin, seen.about["begin"].get<uint64_t>());
      EXPECT_LE(task.end, seen.about["end"].get<uint64_t>());
    }
    for (const CallSeen& call : seen.calls) {
      EXPECT_GE(call.begin, seen.about["begin"].get<uint64_t>());
      EXPECT_GE(call.end, call.begin);
    }
  }
}

TEST_F(ProfileTest, HasTheNodesOfGraphs) {
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(4096);
  Begin(stream);
  Clear(memory, stream);
  Clear(memory, stream);
  aclmdlRI graph = End(stream);
  Open();
  Start(NewConfig());
  Replay(graph, stream);
  Replay(graph, stream);
  const Seen seen = Stop();
  EXPECT_EQ(seen.Calls("aclmdlRIExecuteAsync"), 2u);
  const std::vector<std::string> names = seen.TaskNames();
  EXPECT_EQ(std::ranges::count(names, "aclrtMemsetAsync"), 4);
  EXPECT_EQ(std::ranges::count(names, "aclmdlRIExecuteAsync"), 2);
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ProfileTest, AChildOfTheProcessHasNone) {
  if (IsEmulated()) GTEST_SKIP() << "QEMU aborts a forked child that starts a thread";
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(4096);
  Open();
  Start(NewConfig());
  Clear(memory, stream);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool ok = aclrtMemsetAsync(memory, 4096, 1, 4096, stream) == 0 &&
                    aclrtSynchronizeStream(stream) == 0 &&
                    aclprofStop(config_) == ACL_ERROR_PROF_NOT_RUN &&
                    aclprofFinalize() == ACL_ERROR_PROF_NOT_RUN;
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Stop().tasks.size(), 1u);
}

TEST_F(ProfileTest, RefusesWhatMeansNothing) {
  const std::string path = folder_.path();
  uint32_t devices[] = {0, 0, 77};
  aclprofConfig* config = NewConfig();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofInit(nullptr, 1), "profilerResultPath", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofInit("x", 0), "profilerResultPath", "empty");
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, aclprofInit("/no/such/folder", 15), "/no/such/folder");
  const std::string file = path + "/file";
  folder_.Write("file", "");
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, aclprofInit(file.c_str(), file.size()), "folder");
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofFinalize(), "aclprofInit");
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofStart(config), "aclprofInit");
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofStop(config), "no");

  EXPECT_OK(aclprofInit((path + "/new and more").c_str(), path.size() + 4));
  EXPECT_TRUE(std::filesystem::is_directory(path + "/new"));
  EXPECT_FAILS(ACL_ERROR_REPEAT_INITIALIZE, aclprofInit(path.c_str(), path.size()),
               "aclprofFinalize");
  EXPECT_OK(aclprofStart(config));
  EXPECT_FAILS(ACL_ERROR_PROF_ALREADY_RUN, aclprofStart(config), "aclprofStop");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofStop(nullptr), "profilerConfig");
  EXPECT_OK(aclprofStop(config));
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofStop(config), "no");
  // The folder went meanwhile.
  EXPECT_OK(aclprofStart(config));
  std::filesystem::remove_all(path + "/new");
  EXPECT_FAILS(ACL_ERROR_PROFILING_FAILURE, aclprofStop(config), "made");
  EXPECT_OK(aclprofFinalize());
  EXPECT_OK(aclprofDestroyConfig(config));
  for (int i = 0; i < 2; ++i) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofDestroyConfig(config), "profilerConfig", "alive");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofStart(config), "profilerConfig", "alive");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofWarmup(config), "profilerConfig", "alive");
  }

  const auto refused = [](uint32_t* list, uint32_t count, int metrics, const void* events,
                          uint64_t data, const char* word) {
    TakeMessages();
    EXPECT_EQ(aclprofCreateConfig(list, count, static_cast<aclprofAicoreMetrics>(metrics),
                                  static_cast<const aclprofAicoreEvents*>(events), data),
              nullptr);
    EXPECT_TRUE(HasWord(TakeMessages(), word)) << word;
  };
  refused(nullptr, 1, ACL_AICORE_NONE, nullptr, kAll, "deviceIdList");
  refused(devices, 0, ACL_AICORE_NONE, nullptr, kAll, "deviceNums");
  refused(devices, 2, ACL_AICORE_NONE, nullptr, kAll, "twice");
  refused(devices + 2, 1, ACL_AICORE_NONE, nullptr, kAll, "77");
  refused(devices, 1, 9, nullptr, kAll, "aicoreMetrics");
  refused(devices, 1, ACL_AICORE_NONE, devices, kAll, "aicoreEvents");
  refused(devices, 1, ACL_AICORE_NONE, nullptr, 1ULL << 60, "dataTypeConfig");
  // Counters are what a CPU does not have: the rest is recorded.
  config = aclprofCreateConfig(devices, 1, ACL_AICORE_PIPE_UTILIZATION, nullptr,
                               kAll | ACL_PROF_AICORE_METRICS);
  EXPECT_OK(aclprofDestroyConfig(config));

  EXPECT_FAILS(ACL_ERROR_PROF_MODULES_UNSUPPORTED,
               aclprofSetConfig(ACL_PROF_SYS_HARDWARE_MEM_FREQ, "50", 2), "3", "50");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofSetConfig(ACL_PROF_HOST_SYS, nullptr, 2), "config");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofSetConfig(ACL_PROF_ARGS_MAX, "1", 1), "configType");
}

}  // namespace
}  // namespace anyacl::test
