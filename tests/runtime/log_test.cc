// SPDX-License-Identifier: Apache-2.0
// The log by the ASCEND_* variables. Every test is a process of its own with its output in files.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "fixture.h"
#include "support/temp_dir.h"

namespace anyacl::test {
namespace {

namespace fs = std::filesystem;

struct Output {
  std::string out;
  std::string err;
};

// What `body` writes to the two standard streams.
template <class Body>
Output Capture(const Body& body) {
  TempDir dir;
  Output output;
  std::fflush(nullptr);
  const int saved_out = dup(1);
  const int saved_err = dup(2);
  EXPECT_NE(std::freopen((dir.path() / "out").c_str(), "w", stdout), nullptr);
  EXPECT_NE(std::freopen((dir.path() / "err").c_str(), "w", stderr), nullptr);
  body();
  std::fflush(nullptr);
  dup2(saved_out, 1);
  dup2(saved_err, 2);
  close(saved_out);
  close(saved_err);
  output.out = ReadFile(dir.path() / "out");
  output.err = ReadFile(dir.path() / "err");
  return output;
}

void MakeAnError() { EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM); }

bool Has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// A variable set by the environment of the test run would change what is expected.
class LogTest : public ::testing::Test {
 protected:
  LogTest() {
    for (const char* name :
         {"ASCEND_GLOBAL_LOG_LEVEL", "ASCEND_MODULE_LOG_LEVEL", "ASCEND_SLOG_PRINT_TO_STDOUT",
          "ASCEND_LOG_PRINT_TO_STDOUT", "ASCEND_PROCESS_LOG_PATH", "ASCEND_WORK_PATH"}) {
      unsetenv(name);
    }
  }
};

TEST_F(LogTest, NothingIsPrintedByDefault) {
  InFreshProcess([] {
    const Output output = Capture([] {
      MakeAnError();
      ACL_APP_LOG(ACL_ERROR, "visible %d", 1);
    });
    EXPECT_EQ(output.out, "");
    EXPECT_EQ(output.err, "");
  });
}

TEST_F(LogTest, NothingIsWrittenUnderHomeByDefault) {
  TempDir home;
  ScopedEnv env("HOME", home.path().string());
  InFreshProcess([&] {
    MakeAnError();
    EXPECT_EQ(home.Contents(), "");
  });
}

TEST_F(LogTest, PrintingShowsErrorsOnStderr) {
  for (const char* name : {"ASCEND_SLOG_PRINT_TO_STDOUT", "ASCEND_LOG_PRINT_TO_STDOUT"}) {
    ScopedEnv env(name, "1");
    InFreshProcess([] {
      const Output output = Capture(&MakeAnError);
      EXPECT_TRUE(Has(output.err, "[ERROR]")) << output.err;
      EXPECT_TRUE(Has(output.err, "aclrtFree")) << output.err;
      EXPECT_TRUE(Has(output.err, "devPtr")) << output.err;
      EXPECT_EQ(output.out, "");
    });
  }
}

TEST_F(LogTest, TheNewerPrintVariableWins) {
  ScopedEnv older("ASCEND_SLOG_PRINT_TO_STDOUT", "1");
  ScopedEnv newer("ASCEND_LOG_PRINT_TO_STDOUT", "0");
  InFreshProcess([] {
    const Output output = Capture(&MakeAnError);
    EXPECT_EQ(output.err, "");
  });
}

TEST_F(LogTest, LinesHaveTheDocumentedShape) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  InFreshProcess([] {
    const Output output = Capture([] { ACL_APP_LOG(ACL_ERROR, "value %d of %s", 42, "it"); });
    const std::regex shape(R"(\[ERROR\] [A-Z]+\()" + std::to_string(getpid()) +
                           R"(,[^)]+\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} )"
                           R"(\[log_test\.cc:\d+\]\s?\d+ \S+:\s?value 42 of it\n)");
    EXPECT_TRUE(std::regex_match(output.err, shape)) << output.err;
  });
}

TEST_F(LogTest, DefaultLevelIsError) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  InFreshProcess([] {
    const Output output = Capture([] {
      ACL_APP_LOG(ACL_DEBUG, "first");
      ACL_APP_LOG(ACL_INFO, "second");
      ACL_APP_LOG(ACL_WARNING, "third");
      ACL_APP_LOG(ACL_ERROR, "fourth");
    });
    const std::string all = output.out + output.err;
    EXPECT_FALSE(Has(all, "first") || Has(all, "second") || Has(all, "third")) << all;
    EXPECT_TRUE(Has(all, "fourth")) << all;
  });
}

TEST_F(LogTest, GlobalLevelSelects) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  const char* names[] = {"[DEBUG]", "[INFO]", "[WARNING]", "[ERROR]"};
  for (int level = 0; level <= 4; ++level) {
    ScopedEnv env("ASCEND_GLOBAL_LOG_LEVEL", std::to_string(level));
    InFreshProcess([&] {
      const Output output = Capture([] {
        for (int i = ACL_DEBUG; i <= ACL_ERROR; ++i) {
          ACL_APP_LOG(static_cast<aclLogLevel>(i), "text");
        }
      });
      const std::string all = output.out + output.err;
      for (int i = 0; i < 4; ++i) EXPECT_EQ(Has(all, names[i]), i >= level) << level << all;
    });
  }
}

TEST_F(LogTest, ModuleLevelOverridesTheGlobalOne) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  ScopedEnv global("ASCEND_GLOBAL_LOG_LEVEL", "3");
  ScopedEnv module("ASCEND_MODULE_LOG_LEVEL", "OP=0:ACL=4");
  InFreshProcess([] {
    const Output output = Capture(&MakeAnError);
    EXPECT_FALSE(Has(output.err, "aclrtFree")) << output.err;
  });
}

TEST_F(LogTest, MalformedLevelsAreIgnored) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  for (const char* level : {"", "x", "99", "-1"}) {
    ScopedEnv global("ASCEND_GLOBAL_LOG_LEVEL", level);
    ScopedEnv module("ASCEND_MODULE_LOG_LEVEL", "=:==:ACL:ACL=:=3:::");
    InFreshProcess([] {
      const Output output = Capture(&MakeAnError);
      EXPECT_TRUE(Has(output.err, "aclrtFree")) << output.err;
    });
  }
}

TEST_F(LogTest, ProcessLogPathGetsTheLines) {
  TempDir dir;
  ScopedEnv path("ASCEND_PROCESS_LOG_PATH", dir.path().string());
  InFreshProcess([&] {
    const Output output = Capture(&MakeAnError);
    EXPECT_EQ(output.err, "");
    EXPECT_TRUE(Has(dir.Contents(), "aclrtFree")) << dir.Contents();
  });
}

TEST_F(LogTest, WorkPathGetsTheLines) {
  TempDir dir;
  ScopedEnv path("ASCEND_WORK_PATH", dir.path().string());
  InFreshProcess([&] {
    MakeAnError();
    EXPECT_TRUE(Has(dir.Contents(), "aclrtFree")) << dir.Contents();
  });
}

TEST_F(LogTest, ProcessLogPathWinsOverWorkPath) {
  TempDir process;
  TempDir work;
  ScopedEnv process_path("ASCEND_PROCESS_LOG_PATH", process.path().string());
  ScopedEnv work_path("ASCEND_WORK_PATH", work.path().string());
  InFreshProcess([&] {
    MakeAnError();
    EXPECT_TRUE(Has(process.Contents(), "aclrtFree"));
    EXPECT_EQ(work.Contents(), "");
  });
}

TEST_F(LogTest, AnUnusableLogPathChangesNoResult) {
  ScopedEnv path("ASCEND_PROCESS_LOG_PATH", "/proc/nonexistent/deep");
  InFreshProcess([] {
    MakeAnError();
    EXPECT_TRUE(Has(TakeMessages(), "aclrtFree"));
  });
}

TEST_F(LogTest, AppLogCutsLongMessages) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  InFreshProcess([] {
    const std::string text(5000, 'x');
    const Output output = Capture([&] { ACL_APP_LOG(ACL_ERROR, "%s", text.c_str()); });
    const auto count = std::count(output.err.begin(), output.err.end(), 'x');
    EXPECT_GE(count, 800);
    EXPECT_LE(count, 1024);
  });
}

TEST_F(LogTest, AppLogToleratesNullTexts) {
  ScopedEnv print("ASCEND_LOG_PRINT_TO_STDOUT", "1");
  InFreshProcess([] {
    Capture([] {
      aclAppLog(ACL_ERROR, nullptr, nullptr, 0, "text");
      for (int level : BeyondEnum({77, -1})) {
        aclAppLog(static_cast<aclLogLevel>(level), "f", "f", 0, "text");
      }
      const char* volatile no_format = nullptr;
      aclAppLog(ACL_ERROR, "f", "f", 1, no_format);
    });
  });
}

}  // namespace
}  // namespace anyacl::test
