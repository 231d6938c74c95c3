// SPDX-License-Identifier: Apache-2.0
// aclGetRecentErrMsg, the last error codes, and how threads see them.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

void Fail() { EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM); }

TEST(ErrorMessageTest, NullWhenThereIsNone) {
  InFreshProcess([] { EXPECT_EQ(aclGetRecentErrMsg(), nullptr); });
}

TEST(ErrorMessageTest, SuccessLeavesNone) {
  TakeMessages();
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST(ErrorMessageTest, ReadingClears) {
  TakeMessages();
  Fail();
  EXPECT_NE(aclGetRecentErrMsg(), nullptr);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST(ErrorMessageTest, NewestComesFirst) {
  TakeMessages();
  EXPECT_NE(aclrtFree(nullptr), 0);
  EXPECT_NE(aclrtGetDeviceCount(nullptr), 0);
  const std::string text = TakeMessages();
  const size_t newest = text.find("aclrtGetDeviceCount");
  const size_t older = text.find("aclrtFree");
  ASSERT_NE(newest, std::string::npos) << text;
  ASSERT_NE(older, std::string::npos) << text;
  EXPECT_LT(newest, older);
}

TEST(ErrorMessageTest, TextOutlivesFurtherCallsAndFailures) {
  TakeMessages();
  Fail();
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  const std::string copy = text;
  for (int i = 0; i < 100; ++i) Fail();
  EXPECT_EQ(copy, text);
  TakeMessages();
}

TEST(ErrorMessageTest, CarriesTheFamilyCodeAndTheProcess) {
  TakeMessages();
  Fail();
  const std::string text = TakeMessages();
  EXPECT_EQ(text.substr(0, 2), "EH") << text;  // argument errors of the acl layer: EH0001, EH0002
  EXPECT_NE(text.find("[PID: " + std::to_string(getpid()) + "]"), std::string::npos) << text;
}

TEST(ErrorMessageTest, EachThreadHasItsOwn) {
  TakeMessages();
  std::thread([] {
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    Fail();
  }).join();
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  Fail();
  std::thread([] { EXPECT_EQ(aclGetRecentErrMsg(), nullptr); }).join();
  EXPECT_NE(aclGetRecentErrMsg(), nullptr);
}

TEST(ErrorMessageTest, ModeOneSharesThemInTheProcess) {
  InFreshProcess([] {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("anyacl_mode_" + std::to_string(getpid())))
            .string();
    std::ofstream(path) << R"({"err_msg_mode": "1"})";
    EXPECT_OK(aclInit(path.c_str()));
    std::filesystem::remove(path);
    std::thread(&Fail).join();
    const std::string text = TakeMessages();
    EXPECT_NE(text.find("aclrtFree"), std::string::npos) << text;
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  });
}

TEST(ErrorMessageTest, UnreadMessagesDoNotPileUp) {
  TakeMessages();
  for (int i = 0; i < 20000; ++i) Fail();
  EXPECT_EQ(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM);
  const std::string text = TakeMessages();
  EXPECT_LE(text.size(), size_t{200} * 1024);
  EXPECT_NE(text.find("aclrtGetDeviceCount"), std::string::npos);  // the newest is kept
}

TEST(ErrorMessageTest, ThreadsMayFailAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) {
        TakeMessages();
        Fail();
        EXPECT_NE(aclGetRecentErrMsg(), nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(LastErrorTest, GetClearsAndPeekDoesNot) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  Fail();
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(LastErrorTest, SuccessKeepsIt) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  Fail();
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
}

TEST(LastErrorTest, NewestWins) {
  Fail();
  EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(LastErrorTest, EachThreadHasItsOwn) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  std::thread(&Fail).join();
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(LastErrorTest, ReadingMessagesKeepsIt) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  Fail();
  TakeMessages();
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
}

// Fails in its destructor and expects the message of that.
struct FailsAtTheEnd {
  ~FailsAtTheEnd() {
    std::string long_name(200, 'x');  // what a freed list would have in its place
    const int code = aclrtFree(nullptr);
    const char* message = aclGetRecentErrMsg();
    if (code != ACL_ERROR_INVALID_PARAM || message == nullptr ||
        std::string(message).find("devPtr") == std::string::npos) {
      _exit(3);
    }
  }
};

TEST(ErrorMessageTest, StaticDestructorsMayFail) {
  InFreshProcess([] {
    static FailsAtTheEnd outlives_everything;
    Fail();
  });
}

TEST(ErrorMessageTest, ThreadLocalDestructorsMayFail) {
  InFreshProcess([] {
    std::thread([] {
      thread_local FailsAtTheEnd outlives_the_list;
      static_cast<void>(&outlives_the_list);
      Fail();
    }).join();
  });
}

}  // namespace
}  // namespace anyacl::test
