// SPDX-License-Identifier: Apache-2.0
// The calls that tests of graphs are made of.
#pragma once

#include <atomic>
#include <functional>

#include "fixture.h"

namespace anyacl::test {

using CaptureTest = RuntimeTest;

inline void Begin(aclrtStream stream, aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) {
  ASSERT_OK(aclmdlRICaptureBegin(stream, mode));
}

inline aclmdlRI End(aclrtStream stream) {
  aclmdlRI graph = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
  return graph;
}

inline aclmdlRICaptureStatus StatusOf(aclrtStream stream) {
  auto status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, nullptr));
  return status;
}

inline void Replay(aclmdlRI graph, aclrtStream stream) {
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// Enqueues `body`, which the test keeps alive.
inline void Launch(aclrtStream stream, std::function<void()>& body) {
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* argument) { (*static_cast<std::function<void()>*>(argument))(); }, &body));
}

inline void Launch(aclrtStream stream, std::atomic<int>& counter) {
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); }, &counter));
}

// What is on the stream cannot end yet; 20 ms are enough to see it if it does.
inline void ExpectBusy(aclrtStream stream) {
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}

inline void Fork(aclrtStream from, aclrtStream to, aclrtEvent event) {
  EXPECT_OK(aclrtRecordEvent(event, from));
  EXPECT_OK(aclrtStreamWaitEvent(to, event));
}

// Device memory of one number.
class Number {
 public:
  explicit Number(int value) : address_(static_cast<int*>(NewDeviceMemory(sizeof(int)))) {
    *address_ = value;
  }
  ~Number() { EXPECT_OK(aclrtFree(address_)); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  int& value() { return *address_; }
  void CopyTo(Number& other, aclrtStream stream) {
    EXPECT_OK(aclrtMemcpyAsync(other.address_, sizeof(int), address_, sizeof(int),
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }

 private:
  int* address_;
};

// The three synchronous calls and the asynchronous one that becomes synchronous.
inline void ExpectSynchronousCalls(bool allowed, aclrtStream other) {
  Number number(1);
  int host = 0;
  const int refused = allowed ? 0 : ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT;
  EXPECT_EQ(aclrtMemcpy(&host, 4, &number.value(), 4, ACL_MEMCPY_DEVICE_TO_HOST), refused);
  EXPECT_EQ(aclrtMemcpy2d(&host, 4, &number.value(), 4, 4, 1, ACL_MEMCPY_DEVICE_TO_HOST), refused);
  EXPECT_EQ(aclrtMemset(&number.value(), 4, 0, 4), refused);
  EXPECT_EQ(aclrtMemcpyAsync(&host, 4, &number.value(), 4, ACL_MEMCPY_DEVICE_TO_HOST, other),
            allowed ? 0 : ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
}

}  // namespace anyacl::test
