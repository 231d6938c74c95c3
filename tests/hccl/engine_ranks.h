// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of this process, on an engine in memory.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "hccl/hccl_comm.h"
#include "memory_engine.h"

namespace anyacl::test::hccl_engine {

inline constexpr uint32_t kRanks = 4;

struct Rank {
  uint32_t rank;
  HcclComm comm;
  aclrtStream stream;
};

// Every rank is a thread with a device and a stream.
inline void RunRanks(const std::function<void(Rank&)>& body) {
  std::vector<int32_t> devices;
  for (uint32_t i = 0; i < kRanks; ++i) devices.push_back(static_cast<int32_t>(i));
  std::vector<HcclComm> comms(kRanks);
  ASSERT_EQ(HcclCommInitAll(kRanks, devices.data(), comms.data()), HCCL_SUCCESS)
      << aclGetRecentErrMsg();
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kRanks; ++i) {
    threads.emplace_back([&, i] {
      ASSERT_EQ(aclrtSetDevice(devices[i]), ACL_SUCCESS);
      Rank rank{i, comms[i], nullptr};
      ASSERT_EQ(aclrtCreateStream(&rank.stream), ACL_SUCCESS);
      body(rank);
      if (rank.comm != nullptr) {
        EXPECT_EQ(HcclCommDestroy(rank.comm), HCCL_SUCCESS);
      }
      EXPECT_EQ(aclrtDestroyStream(rank.stream), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The engines are busy for that long, or until it ends.
class Busy {
 public:
  Busy() { anyacl::hccl::g_memory_engines_busy = true; }
  explicit Busy(std::chrono::milliseconds time) : Busy() {
    end_ = std::thread([time] {
      std::this_thread::sleep_for(time);
      anyacl::hccl::g_memory_engines_busy = false;
    });
  }
  ~Busy() {
    if (end_.joinable()) end_.join();
    anyacl::hccl::g_memory_engines_busy = false;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::thread end_;
};

template <class T>
T* Device(size_t count) {
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, count * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  return static_cast<T*>(memory);
}

}  // namespace anyacl::test::hccl_engine
