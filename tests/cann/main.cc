// SPDX-License-Identifier: Apache-2.0
// Runs the unit tests that it is linked with and writes a line for each: "name: verdict", and what
// the library answered where a test failed.
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include "op_api_ut_common/op_api_ut.h"

namespace {

// A test that calls a function which the library lacks jumps to the address 0.
void OnFault(int, siginfo_t*, void* context) {
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#ifdef __x86_64__
  const auto at = static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#else
  const auto at = static_cast<uintptr_t>(machine.pc);
#endif
  if (at != 0) {
    signal(SIGSEGV, SIG_DFL);  // the fault comes again
    return;
  }
  constexpr char kAbsent[] = "absent function\n";
  (void)!write(1, kAbsent, sizeof(kAbsent) - 1);
  _exit(3);
}

class Lines : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    cann_ut::verdict = {};
    std::printf("@ %s.%s: ", test.test_suite_name(), test.name());
    std::fflush(stdout);
  }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed()) return;
    std::string summary = part.summary();
    for (char& c : summary) {
      if (c == '\n') c = ' ';
    }
    failures_ += "  line " + std::to_string(part.line_number()) + ": " + summary + "\n";
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const cann_ut::Verdict& verdict = cann_ut::verdict;
    if (!verdict.absent.empty()) {
      std::printf("absent %s\n", verdict.absent.c_str());
    } else if (verdict.other_chip) {
      std::printf("other chip\n");
    } else if (test.result()->Passed()) {
      std::printf("%s\n", verdict.answers.empty() ? "nothing called" : "ok");
    } else {
      std::printf("FAILED\n");
      for (const std::string& answer : verdict.answers) std::printf("  %s\n", answer.c_str());
      std::printf("%s", failures_.c_str());
    }
    std::fflush(stdout);
    failures_.clear();
  }

  std::string failures_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Lines);
  (void)RUN_ALL_TESTS();
  std::fflush(stdout);
  _exit(0);
}
