// SPDX-License-Identifier: Apache-2.0
// Points and ranges that a program marks in a profile.
#include <cstring>
#include <map>
#include <set>

#include "profile_fixture.h"

// As torch_npu looks them up; the header's do nothing.
extern "C" {
void mstxMarkA(const char* message, aclrtStream stream);
uint64_t mstxRangeStartA(const char* message, aclrtStream stream);
void mstxRangeEnd(uint64_t id);
void* mstxDomainCreateA(const char* name);
void mstxDomainDestroy(void* domain);
void mstxDomainMarkA(void* domain, const char* message, aclrtStream stream);
uint64_t mstxDomainRangeStartA(void* domain, const char* message, aclrtStream stream);
void mstxDomainRangeEnd(void* domain, uint64_t id);
}

namespace anyacl::test {
namespace {

TEST_F(ProfileTest, HasMarksOfThreadsAndStreams) {
  aclrtStream stream = NewStream();
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  void* stamp = aclprofCreateStamp();
  ASSERT_NE(stamp, nullptr);
  // Before, nothing is kept.
  EXPECT_OK(aclprofMarkEx("early", 5, stream));
  EXPECT_OK(aclprofMark(stamp));
  mstxMarkA("early", stream);
  EXPECT_EQ(mstxRangeStartA("early", stream), 0u);
  mstxRangeEnd(0);
  Open();
  Start(NewConfig());
  EXPECT_OK(aclprofSetStampTraceMessage(stamp, "pointless", 5));
  EXPECT_OK(aclprofMark(stamp));
  EXPECT_OK(aclprofPush(stamp));
  EXPECT_OK(aclprofSetStampTraceMessage(stamp, "inner", 5));
  EXPECT_OK(aclprofPush(stamp));
  EXPECT_OK(aclprofPop());
  EXPECT_OK(aclprofPop());
  uint32_t range = 0;
  EXPECT_OK(aclprofRangeStart(stamp, &range));
  std::thread([&] { EXPECT_OK(aclprofRangeStop(range)); }).join();
  EXPECT_OK(aclprofMarkEx("\"both\"\n", 7, stream));
  const uint64_t in_stream = mstxRangeStartA("long", stream);
  EXPECT_NE(in_stream, 0u);
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }, nullptr));
  mstxRangeEnd(in_stream);
  void* domain = mstxDomainCreateA("mine");
  mstxDomainMarkA(domain, "there", nullptr);
  mstxDomainRangeEnd(domain, mstxDomainRangeStartA(domain, "during", nullptr));
  mstxDomainDestroy(domain);
  aclprofStepInfo* step = aclprofCreateStepInfo();
  EXPECT_OK(aclprofGetStepTimestamp(step, ACL_STEP_START, stream));
  aclprofDestroyStepInfo(step);
  // Of a stream that is gone when it ends: only the thread's.
  aclrtStream gone = NewStream();
  const uint64_t in_gone = mstxRangeStartA("gone", gone);
  EXPECT_OK(aclrtDestroyStream(gone));
  mstxRangeEnd(in_gone);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  aclprofDestroyStamp(stamp);
  const Seen seen = Stop();

  std::map<std::pair<std::string, int64_t>, const MarkSeen*> found;
  for (const MarkSeen& mark : seen.marks) {
    EXPECT_LE(mark.begin, mark.end);
    EXPECT_EQ(mark.device, mark.stream == id ? 0 : -1);
    EXPECT_EQ(mark.domain,
              mark.message == "there" || mark.message == "during" ? "mine" : "default");
    found[{mark.message, mark.stream}] = &mark;
  }
  EXPECT_EQ(seen.marks.size(), 12u);
  for (const char* message : {"point", "inner", "\"both\"\n", "long", "there", "during", "gone"}) {
    ASSERT_TRUE(found.count({message, -1})) << message;
  }
  for (const char* message : {"\"both\"\n", "long", "step start"}) {
    ASSERT_TRUE(found.count({message, id})) << message;
  }
  const MarkSeen& in = *found[{"long", id}];
  EXPECT_GE(in.end - in.begin, 5000000u);
}

TEST_F(ProfileTest, RefusesMarksThatMeanNothing) {
  aclrtStream stream = NewStream();
  void* stamp = aclprofCreateStamp();
  uint32_t range = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofMark(nullptr), "stamp");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofPush(&range), "stamp");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofPop(), "aclprofPush");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofRangeStart(stamp, nullptr), "rangeId");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofRangeStart(nullptr, &range), "stamp");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofRangeStop(7777), "7777");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofSetStampTraceMessage(stamp, nullptr, 1), "msg");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofSetStampTraceMessage(stamp, "", 0), "msgLen");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofMarkEx(nullptr, 1, stream), "msg");
  aclprofStepInfo* step = aclprofCreateStepInfo();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofGetStepTimestamp(nullptr, ACL_STEP_START, stream),
               "stepInfo");
  aclprofDestroyStepInfo(step);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofGetStepTimestamp(step, ACL_STEP_END, stream),
               "stepInfo");
  aclprofDestroyStamp(stamp);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofMark(stamp), "stamp");
  TakeMessages();
  mstxMarkA(nullptr, stream);
  EXPECT_TRUE(HasWord(TakeMessages(), "message"));
  mstxRangeEnd(1ULL << 40);
  EXPECT_TRUE(HasWord(TakeMessages(), "id"));
  mstxDomainMarkA(&range, "m", stream);
  EXPECT_TRUE(HasWord(TakeMessages(), "domain"));
}

}  // namespace
}  // namespace anyacl::test
