// SPDX-License-Identifier: Apache-2.0
// Handles destroyed by one thread while others use them: an error for the user, never a crash.
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <thread>

#include "fixture.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using HandleRaceTest = RuntimeTest;

constexpr int kSlots = 8;
constexpr auto kDuration = std::chrono::milliseconds(150);

// Slots whose handles are replaced by one thread and used by the others.
using Slots = std::array<std::atomic<void*>, kSlots>;

template <class Use>
void Hammer(int users, Slots& slots, const std::function<void*()>& create,
            const std::function<int(void*)>& destroy, const Use& use) {
  for (auto& slot : slots) slot = create();
  std::atomic<bool> stop{false};
  std::atomic<int> started{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < users; ++t) {
    threads.emplace_back([&, t] {
      EXPECT_OK(aclrtSetDevice(0));
      ++started;
      Random random(static_cast<uint64_t>(t));
      while (!stop) use(random, slots[static_cast<size_t>(random.Int(0, kSlots - 1))].load());
      TakeMessages();
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  while (started < users) std::this_thread::yield();
  Random random(99);
  const auto end = std::chrono::steady_clock::now() + kDuration;
  while (std::chrono::steady_clock::now() < end) {
    auto& slot = slots[static_cast<size_t>(random.Int(0, kSlots - 1))];
    EXPECT_EQ(destroy(slot.load()), 0);
    slot = create();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// A use may succeed, find the handle stale, or be cut short by the destruction.
void ExpectOneOf(const std::set<int>& codes, int code) {
  EXPECT_TRUE(codes.count(code) == 1) << code << "\n" << TakeMessages();
}

TEST_F(HandleRaceTest, Streams) {
  void* memory = NewDeviceMemory(4096);
  Slots slots;
  Hammer(
      3, slots, [] { return NewStream(); }, [](void* s) { return aclrtDestroyStream(s); },
      [&](Random& random, void* stream) {
        const std::set<int> codes = {0, ACL_ERROR_RT_INVALID_HANDLE};
        aclrtStreamStatus status;
        switch (random.Int(0, 4)) {
          case 0: ExpectOneOf(codes, aclrtSynchronizeStream(stream)); break;
          case 1: ExpectOneOf(codes, aclrtStreamQuery(stream, &status)); break;
          case 2: ExpectOneOf(codes, aclrtLaunchHostFunc(stream, [](void*) {}, nullptr)); break;
          case 3: ExpectOneOf(codes, aclrtSynchronizeStreamWithTimeout(stream, 1000)); break;
          default:
            ExpectOneOf(codes, aclrtMemcpyAsync(memory, 8, static_cast<char*>(memory) + 64, 0,
                                                ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
        }
      });
}

TEST_F(HandleRaceTest, ForcedStreams) {
  Slots slots;
  Hammer(
      3, slots, [] { return NewStream(); }, [](void* s) { return aclrtDestroyStreamForce(s); },
      [&](Random& random, void* stream) {
        const std::set<int> codes = {0, ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_STREAM_ABORT};
        if (random.Chance(0.5)) {
          ExpectOneOf(codes, aclrtLaunchHostFunc(stream, [](void*) {}, nullptr));
        } else {
          ExpectOneOf(codes, aclrtSynchronizeStreamWithTimeout(stream, 1000));
        }
      });
}

TEST_F(HandleRaceTest, Events) {
  Slots slots;
  Hammer(
      3, slots, [] { return NewExEvent(); }, [](void* e) { return aclrtDestroyEvent(e); },
      [](Random& random, void* event) {
        const std::set<int> codes = {0, ACL_ERROR_RT_INVALID_HANDLE};
        aclrtEventRecordedStatus status;
        switch (random.Int(0, 3)) {
          case 0: ExpectOneOf(codes, aclrtRecordEvent(event, nullptr)); break;
          case 1: ExpectOneOf(codes, aclrtStreamWaitEvent(nullptr, event)); break;
          case 2: ExpectOneOf(codes, aclrtSynchronizeEvent(event)); break;
          default: ExpectOneOf(codes, aclrtQueryEventStatus(event, &status));
        }
      });
}

TEST_F(HandleRaceTest, Memory) {
  Slots slots;
  Hammer(
      3, slots, [] { return NewDeviceMemory(256); }, [](void* m) { return aclrtFree(m); },
      [](Random& random, void* memory) {
        aclrtPtrAttributes attributes;
        if (random.Chance(0.5)) {
          EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
        } else {
          void* other = NewDeviceMemory(256);
          EXPECT_OK(aclrtMemset(other, 256, 1, 256));
          EXPECT_OK(aclrtFree(other));
        }
      });
}

TEST_F(HandleRaceTest, Contexts) {
  aclrtContext own = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&own));
  Slots slots;
  Hammer(
      3, slots,
      [&] {
        aclrtContext context = nullptr;
        EXPECT_OK(aclrtCreateContext(&context, 0));
        EXPECT_OK(aclrtSetCurrentContext(own));
        return context;
      },
      [](void* c) { return aclrtDestroyContext(c); },
      [&](Random&, void* context) {
        ExpectOneOf({0, ACL_ERROR_RT_PARAM_INVALID}, aclrtSetCurrentContext(context));
        aclrtStream stream = nullptr;
        const std::set<int> codes = {0, ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_INVALID_HANDLE};
        ExpectOneOf(codes, aclrtCtxGetCurrentDefaultStream(&stream));
        ExpectOneOf(codes, aclrtLaunchHostFunc(nullptr, [](void*) {}, nullptr));
        ExpectOneOf(codes, aclrtSynchronizeStream(nullptr));
        EXPECT_OK(aclrtSetCurrentContext(own));
      });
}

// Of several threads that destroy one handle exactly one succeeds.
void ExpectOneWinner(const std::function<void*()>& create,
                     const std::function<int(void*)>& destroy) {
  for (int round = 0; round < 100; ++round) {
    void* handle = create();
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        EXPECT_OK(aclrtSetDevice(0));
        if (destroy(handle) == 0) ++winners;
        EXPECT_OK(aclrtResetDevice(0));
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
  }
}

TEST_F(HandleRaceTest, OneThreadWinsTheDestructionOfAStream) {
  ExpectOneWinner([] { return NewStream(); }, [](void* s) { return aclrtDestroyStream(s); });
}

TEST_F(HandleRaceTest, OneThreadWinsTheDestructionOfAnEvent) {
  ExpectOneWinner([] { return NewEvent(); }, [](void* e) { return aclrtDestroyEvent(e); });
}

TEST_F(HandleRaceTest, OneThreadWinsTheFree) {
  ExpectOneWinner([] { return NewDeviceMemory(64); }, [](void* m) { return aclrtFree(m); });
}

TEST(DeviceRaceTest, SetAndResetFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 200; ++i) {
        EXPECT_OK(aclrtSetDevice(0));
        // Another thread's reset may not take what this thread's reference keeps.
        aclrtStream stream = NewStream();
        void* memory = NewDeviceMemory(64);
        EXPECT_OK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
        EXPECT_OK(aclrtSynchronizeStream(stream));
        EXPECT_OK(aclrtResetDevice(0));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(DeviceRaceTest, ForcedResetWhileOthersWork) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        // Any of these may fail once the device is reset beneath it.
        aclrtSetDevice(0);
        aclrtStream stream = nullptr;
        aclrtCreateStream(&stream);
        aclrtLaunchHostFunc(stream, [](void*) {}, nullptr);
        aclrtSynchronizeStream(stream);
        aclrtEvent event = nullptr;
        aclrtCreateEvent(&event);
        aclrtRecordEvent(event, stream);
        aclrtDestroyEvent(event);
        aclrtDestroyStream(stream);
        TakeMessages();
      }
    });
  }
  const auto end = std::chrono::steady_clock::now() + kDuration;
  while (std::chrono::steady_clock::now() < end) {
    aclrtResetDeviceForce(0);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  aclrtResetDeviceForce(0);
  TakeMessages();
}

}  // namespace
}  // namespace anyacl::test
