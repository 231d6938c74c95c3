// SPDX-License-Identifier: Apache-2.0
// What most runtime tests need: device 0, streams, memory, a way to hold a stream, fresh processes.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "expect_fails.h"
#include "support/emulated.h"

namespace anyacl::test {

// Device 0 is set in the test and released, with all that the test left on it, at its end.
class RuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(aclrtSetDevice(0)); }
  void TearDown() override { EXPECT_OK(aclrtResetDevice(0)); }
};

inline aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

inline aclrtEvent NewEvent() {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEvent(&event));
  return event;
}

inline aclrtEvent NewExEvent(uint32_t flag = ACL_EVENT_SYNC) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, flag));
  return event;
}

inline aclrtPhysicalMemProp DeviceProp() {
  aclrtPhysicalMemProp prop = {};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location.id = 0;
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  return prop;
}

inline void* NewDeviceMemory(size_t size) {
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
  return memory;
}

// The least host function.
inline void DoNothing(void*) {}

// Holds a stream: Block() enqueues a host function that returns when the gate opens, at the latest
// with the gate's destruction.
class Gate {
 public:
  Gate() : state_(NewState()) {}
  ~Gate() { Open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void Block(aclrtStream stream) { ASSERT_OK(aclrtLaunchHostFunc(stream, &Wait, state_)); }

  // As Block, and returns only when the stream has reached the gate.
  void BlockNow(aclrtStream stream) {
    Block(stream);
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [this] { return state_->entered; });
  }

  void Open() {
    std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->changed.notify_all();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    bool entered = false;
  };

  // States outlive their gates: a host function may still be waking up, or may have been dropped
  // from its stream and never run.
  static State* NewState() {
    static std::mutex mutex;
    static auto* states = new std::vector<std::unique_ptr<State>>;
    std::lock_guard lock(mutex);
    return states->emplace_back(std::make_unique<State>()).get();
  }

  static void Wait(void* argument) {
    auto* state = static_cast<State*>(argument);
    std::unique_lock lock(state->mutex);
    state->entered = true;
    state->changed.notify_all();
    state->changed.wait(lock, [state] { return state->open; });
  }

  State* state_;
};

// An environment variable for the life of the object; fresh processes inherit it.
class ScopedEnv {
 public:
  ScopedEnv(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~ScopedEnv() { unsetenv(name_); }
  ScopedEnv(const ScopedEnv&) = delete;
  ScopedEnv& operator=(const ScopedEnv&) = delete;

 private:
  const char* name_;
};

// Ends a process that InFreshProcess started. GoogleTest prints nothing in such a process but shows
// its stderr where the expectation about it fails.
[[noreturn]] inline void EndFreshProcess() {
  const ::testing::TestResult& result =
      *::testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int i = 0; i < result.total_part_count(); ++i) {
    const ::testing::TestPartResult& part = result.GetTestPartResult(i);
    if (part.failed()) std::cerr << part << "\n";
  }
  std::exit(result.Failed() ? 1 : 0);
}

// Runs `body` in a process of its own, which has executed nothing of the library before, and
// expects it to end by itself without a failed expectation.
template <class Body>
void InFreshProcess(const Body& body) {
  // Under an emulator a program cannot start itself: a fork of a process that has executed nothing
  // of the library, which holds for programs whose tests all come here, has to do.
  GTEST_FLAG_SET(death_test_style, IsEmulated() ? "fast" : "threadsafe");
  EXPECT_EXIT(
      {
        body();
        EndFreshProcess();
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace anyacl::test
