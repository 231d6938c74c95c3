// SPDX-License-Identifier: Apache-2.0
// aclInit, aclFinalize, their reference count and the configuration file. Every test is a process
// of its own, because initialisation is state of the process.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "fixture.h"

namespace anyacl::test {
namespace {

// A configuration file with the given text, removed at the end.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("anyacl_config_" + std::to_string(getpid()) + "_" + std::to_string(counter_++)))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~ConfigFile() { std::filesystem::remove(path_); }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  static inline int counter_ = 0;
  std::string path_;
};

void ExpectInit(int code, const std::string& text, const char* word = "configPath") {
  InFreshProcess([&] {
    ConfigFile config(text);
    if (code == 0) {
      EXPECT_OK(aclInit(config.path()));
    } else {
      EXPECT_FAILS(code, aclInit(config.path()), word);
    }
  });
}

TEST(InitTest, NullMeansNoConfiguration) {
  InFreshProcess([] { EXPECT_OK(aclInit(nullptr)); });
}

TEST(InitTest, EmptyPathMeansNoConfiguration) {
  InFreshProcess([] { EXPECT_OK(aclInit("")); });
}

TEST(InitTest, EmptyFileMeansNoConfiguration) { ExpectInit(ACL_SUCCESS, ""); }

TEST(InitTest, EmptyJsonObjectIsAccepted) { ExpectInit(ACL_SUCCESS, "{}"); }

TEST(InitTest, SecondInitReportsRepetitionAndKeepsState) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_FAILS(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
    void* memory = NewDeviceMemory(16);
    EXPECT_OK(aclrtFree(memory));
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_OK(aclFinalize());
  });
}

TEST(InitTest, SecondInitDoesNotReadItsConfiguration) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_FAILS(ACL_ERROR_REPEAT_INITIALIZE, aclInit("/nonexistent/anyacl.json"));
    ConfigFile broken("{ not json");
    EXPECT_FAILS(ACL_ERROR_REPEAT_INITIALIZE, aclInit(broken.path()));
  });
}

TEST(InitTest, UnreadableFileIsAnError) {
  InFreshProcess([] {
    EXPECT_FAILS(ACL_ERROR_INVALID_FILE, aclInit("/nonexistent/anyacl.json"), "configPath",
                 "/nonexistent/anyacl.json");
  });
}

TEST(InitTest, DirectoryIsNotAConfiguration) {
  InFreshProcess([] { EXPECT_FAILS(ACL_ERROR_INVALID_FILE, aclInit("/tmp"), "configPath"); });
}

TEST(InitTest, FailedInitLeavesTheLibraryUninitialised) {
  InFreshProcess([] {
    EXPECT_EQ(aclInit("/nonexistent/anyacl.json"), ACL_ERROR_INVALID_FILE);
    EXPECT_OK(aclInit(nullptr));
  });
}

TEST(InitTest, MalformedJsonIsAParseError) { ExpectInit(ACL_ERROR_PARSE_FILE, "{ \"dump\": "); }

TEST(InitTest, TrailingTextIsAParseError) { ExpectInit(ACL_ERROR_PARSE_FILE, "{} x"); }

TEST(InitTest, BinaryFileIsAParseError) { ExpectInit(ACL_ERROR_PARSE_FILE, "\xff\xfe\x01{"); }

std::string NestedObjects(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "{\"a\":";
  text += "1";
  return text + std::string(static_cast<size_t>(depth), '}');
}

TEST(InitTest, TenLevelsOfNestingAreAccepted) { ExpectInit(ACL_SUCCESS, NestedObjects(10)); }

TEST(InitTest, ElevenLevelsOfNestingAreAParseError) {
  ExpectInit(ACL_ERROR_PARSE_FILE, NestedObjects(11));
}

TEST(InitTest, VeryDeepNestingDoesNotExhaustTheStack) {
  ExpectInit(ACL_ERROR_PARSE_FILE, NestedObjects(200000));
}

TEST(InitTest, BracesInsideStringsDoNotNest) {
  ExpectInit(ACL_SUCCESS, "{\"note\": \"{{{{{{{{{{{{{{{{ \\\" [[[[[[[[[[[[\"}");
}

TEST(InitTest, UnknownKeysAreIgnored) {
  ExpectInit(ACL_SUCCESS, R"({"future": {"x": [1, 2, {"y": null}]}, "other": true})");
}

TEST(InitTest, KnownKeysWithoutEffectAreAccepted) {
  ExpectInit(ACL_SUCCESS, R"({
    "dump": {"dump_path": "/tmp", "dump_list": []},
    "profiler": {"switch": "off"},
    "max_opqueue_num": "10000",
    "aicpu_stack_size": 1024,
    "printf_fifo_size": 1048576,
    "op_debug_config": {"enable_debug_kernel": "off"}
  })");
}

TEST(InitTest, DefaultDeviceIsHonoured) {
  ScopedEnv devices("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    ConfigFile config(R"({"defaultDevice": {"default_device": "1"}})");
    ASSERT_OK(aclInit(config.path()));
    int32_t device = -1;
    EXPECT_OK(aclrtGetDevice(&device));
    EXPECT_EQ(device, 1);
    void* memory = NewDeviceMemory(64);
    EXPECT_OK(aclrtFree(memory));
  });
}

TEST(InitTest, BadDefaultDeviceTextIsAnInvalidParameter) {
  ExpectInit(ACL_ERROR_INVALID_PARAM, R"({"defaultDevice": {"default_device": "first"}})",
             "default_device");
}

TEST(InitTest, BadEventModeTextIsAnInvalidParameter) {
  ExpectInit(ACL_ERROR_INVALID_PARAM, R"({"event_mode": "sometimes"})", "event_mode");
}

TEST(InitTest, PerThreadErrorMessagesByDefault) {
  ExpectInit(ACL_SUCCESS, R"({"err_msg_mode": "0"})");
}

TEST(InitTest, SameConfigurationAgainAfterFinalizeIsAccepted) {
  InFreshProcess([] {
    ConfigFile first(R"({"err_msg_mode": "0"})");
    ConfigFile same(R"({"err_msg_mode": "0"})");
    EXPECT_OK(aclInit(first.path()));
    EXPECT_OK(aclFinalize());
    EXPECT_OK(aclInit(first.path()));
    EXPECT_OK(aclFinalize());
    EXPECT_OK(aclInit(same.path()));
  });
}

TEST(InitTest, OtherConfigurationAfterFinalizeIsRefused) {
  InFreshProcess([] {
    ConfigFile first(R"({"err_msg_mode": "0"})");
    ConfigFile other(R"({"err_msg_mode": "1"})");
    EXPECT_OK(aclInit(first.path()));
    EXPECT_OK(aclFinalize());
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclInit(other.path()), "configPath", "expected");
    EXPECT_OK(aclInit(first.path()));
  });
}

TEST(InitTest, NothingDemandsInit) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    void* memory = NewDeviceMemory(128);
    aclrtStream stream = NewStream();
    EXPECT_OK(aclrtMemsetAsync(memory, 128, 1, 128, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtDestroyStream(stream));
    EXPECT_OK(aclrtFree(memory));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(FinalizeTest, SecondFinalizeReportsRepetition) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclFinalize());
    EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
  });
}

TEST(FinalizeTest, FinalizeWithoutInitSucceeds) {
  InFreshProcess([] { EXPECT_OK(aclFinalize()); });
}

TEST(FinalizeTest, FinalizeEndsWhateverTheNumberOfInits) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    EXPECT_OK(aclFinalize());
    EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclFinalize());
  });
}

TEST(FinalizeTest, InitAfterFinalizeStartsAgain) {
  InFreshProcess([] {
    for (int round = 0; round < 3; ++round) {
      EXPECT_OK(aclInit(nullptr));
      EXPECT_OK(aclrtSetDevice(0));
      aclrtStream stream = NewStream();
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_OK(aclrtDestroyStream(stream));
      EXPECT_OK(aclrtResetDevice(0));
      EXPECT_OK(aclFinalize());
    }
  });
}

TEST(FinalizeTest, LeakedResourcesDoNotMakeItFail) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    NewDeviceMemory(1 << 20);
    NewEvent();
    NewStream();
    EXPECT_OK(aclFinalize());
  });
}

TEST(FinalizeTest, ReferenceCountsDown) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    uint64_t left = 99;
    EXPECT_OK(aclFinalizeReference(&left));
    EXPECT_EQ(left, 2u);
    EXPECT_OK(aclFinalizeReference(&left));
    EXPECT_EQ(left, 1u);
    EXPECT_OK(aclFinalizeReference(&left));
    EXPECT_EQ(left, 0u);
    EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, aclFinalizeReference(&left));
    EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  });
}

TEST(FinalizeTest, ReferenceCountPointerMayBeNull) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    EXPECT_OK(aclFinalizeReference(nullptr));
    EXPECT_OK(aclFinalizeReference(nullptr));
    EXPECT_EQ(aclFinalizeReference(nullptr), ACL_ERROR_REPEAT_FINALIZE);
  });
}

TEST(FinalizeTest, ReferenceWithoutInitReportsRepetition) {
  InFreshProcess([] {
    uint64_t left = 0;
    EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, aclFinalizeReference(&left));
  });
}

// The streams stay usable, and so does the order between them.
TEST(FinalizeTest, WaitsOfOneDeviceForAnotherGoOn) {
  ScopedEnv devices("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(1));
    Gate gate;
    gate.BlockNow(nullptr);
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
    static bool ran = false;
    EXPECT_OK(aclrtLaunchHostFunc(
        nullptr, [](void*) { ran = true; }, nullptr));
    EXPECT_OK(aclFinalize());
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_TRUE(ran);
  });
}

// A reset cannot wait for another device, and must not run what the wait held back either.
TEST(ResetTest, DropsWhatWaitsForAnotherDevice) {
  ScopedEnv devices("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(1));
    Gate gate;
    gate.BlockNow(nullptr);
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
    static bool ran = false;
    EXPECT_OK(aclrtLaunchHostFunc(
        nullptr, [](void*) { ran = true; }, nullptr));
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_FALSE(ran);
    gate.Open();
    EXPECT_OK(aclrtResetDevice(1));
  });
}

}  // namespace
}  // namespace anyacl::test
