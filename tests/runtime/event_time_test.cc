// SPDX-License-Identifier: Apache-2.0
// Times of events: what lies between two, in both directions, and what is refused.
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "fixture.h"

namespace anyacl::test {
namespace {

using EventTimeTest = RuntimeTest;

TEST_F(EventTimeTest, ElapsedTimeMeasuresWhatLiesBetween) {
  for (bool ex : {false, true}) {
    aclrtStream stream = NewStream();
    aclrtEvent start = ex ? NewExEvent(ACL_EVENT_TIME_LINE) : NewEvent();
    aclrtEvent end = ex ? NewExEvent(ACL_EVENT_TIME_LINE) : NewEvent();
    const auto before = std::chrono::steady_clock::now();
    EXPECT_OK(aclrtRecordEvent(start, stream));
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); },
        nullptr));
    EXPECT_OK(aclrtRecordEvent(end, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    const std::chrono::duration<float, std::milli> around =
        std::chrono::steady_clock::now() - before;
    float ms = -1;
    EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
    EXPECT_GE(ms, 29.0f);
    EXPECT_LE(ms, around.count() + 0.01f);  // in single precision
    // A whole number of microseconds.
    EXPECT_NEAR(ms * 1000.0f, std::round(ms * 1000.0f), 0.02f);
  }
}

TEST_F(EventTimeTest, ElapsedTimeBackwardsIsNegative) {
  aclrtStream stream = NewStream();
  aclrtEvent earlier = NewEvent();
  aclrtEvent later = NewEvent();
  EXPECT_OK(aclrtRecordEvent(earlier, stream));
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, nullptr));
  EXPECT_OK(aclrtRecordEvent(later, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  float forwards = 0;
  float backwards = 0;
  EXPECT_OK(aclrtEventElapsedTime(&forwards, earlier, later));
  EXPECT_OK(aclrtEventElapsedTime(&backwards, later, earlier));
  EXPECT_LT(backwards, 0.0f);
  EXPECT_EQ(backwards, -forwards);
}

TEST_F(EventTimeTest, ElapsedTimeNeedsTwoCompletedEvents) {
  aclrtStream stream = NewStream();
  aclrtEvent start = NewEvent();
  aclrtEvent end = NewEvent();
  float ms = -1;
  const auto expect_refused = [&] {
    TakeMessages();
    const int code = aclrtEventElapsedTime(&ms, start, end);
    EXPECT_TRUE(code == ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID || code == ACL_ERROR_RT_INTERNAL_ERROR)
        << code;
    EXPECT_NE(TakeMessages().find("aclrtEventElapsedTime"), std::string::npos);
  };
  expect_refused();
  EXPECT_OK(aclrtRecordEvent(start, stream));
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtRecordEvent(end, stream));
  expect_refused();
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 0.0f);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtEventElapsedTime(nullptr, start, end), "ms", "null");
}

TEST_F(EventTimeTest, TimestampsGrow) {
  aclrtStream stream = NewStream();
  aclrtEvent first = NewEvent();
  aclrtEvent second = NewEvent();
  EXPECT_OK(aclrtRecordEvent(first, stream));
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, nullptr));
  EXPECT_OK(aclrtRecordEvent(second, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  uint64_t earlier = 0;
  uint64_t later = 0;
  EXPECT_OK(aclrtEventGetTimestamp(first, &earlier));
  EXPECT_OK(aclrtEventGetTimestamp(second, &later));
  EXPECT_GE(later, earlier + 1900);
  EXPECT_NE(aclrtEventGetTimestamp(NewEvent(), &later), 0);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtEventGetTimestamp(first, nullptr), "timestamp",
               "null");
}

}  // namespace
}  // namespace anyacl::test
