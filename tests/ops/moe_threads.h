// SPDX-License-Identifier: Apache-2.0
// Threads as ranks of a communicator of the tests' own.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "ops/afd_world.h"
#include "support/device_test.h"

namespace anyacl::test {

inline constexpr const char* kName = "moe";
inline constexpr uint64_t kArea = 2 << 20;

class MoeThreadsTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    // A lost parcel would have all wait.
    ASSERT_OK(aclrtSetOpExecuteTimeOut(20));
  }

  using Body = std::function<void(int64_t rank, aclrtStream stream)>;
  static void RunThreads(int64_t ranks, const Body& body) {
    std::vector<std::thread> threads;
    for (int64_t r = 0; r < ranks; ++r) {
      threads.emplace_back([&body, r] {
        ASSERT_OK(aclrtSetDevice(static_cast<int32_t>(r)));
        aclrtStream stream = nullptr;
        ASSERT_OK(aclrtCreateStream(&stream));
        body(r, stream);
        EXPECT_OK(aclrtDestroyStream(stream));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace anyacl::test
