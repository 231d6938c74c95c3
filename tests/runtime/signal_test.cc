// SPDX-License-Identifier: Apache-2.0
// Signals: the client's own threads take them, the library's take none.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "fixture.h"
#include "runtime/parallel.h"

namespace anyacl::test {
namespace {

sigset_t MaskOfThisThread() {
  sigset_t mask;
  sigemptyset(&mask);
  EXPECT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &mask), 0);
  return mask;
}

void ExpectBlocked(const sigset_t& mask) {
  for (int number :
       {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1, SIGUSR2, SIGPROF, SIGRTMIN, SIGRTMAX}) {
    EXPECT_EQ(sigismember(&mask, number), 1) << number;
  }
  // Of these a thread's own handler must learn.
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    EXPECT_EQ(sigismember(&mask, number), 0) << number;
  }
}

class SignalTest : public RuntimeTest {};

TEST_F(SignalTest, AStreamsThreadTakesNone) {
  const sigset_t before = MaskOfThisThread();
  aclrtStream stream = NewStream();
  static sigset_t mask;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { mask = MaskOfThisThread(); }, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ExpectBlocked(mask);
  const sigset_t after = MaskOfThisThread();
  for (int number = 1; number < SIGRTMIN; ++number) {
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number)) << number;
  }
}

TEST_F(SignalTest, ThePoolsThreadsTakeNone) {
  const auto self = std::this_thread::get_id();
  std::mutex mutex;
  std::vector<sigset_t> masks;
  // As long as it takes a worker to come.
  const auto look = [&](int64_t, int64_t) {
    if (std::this_thread::get_id() != self) {
      std::lock_guard lock(mutex);
      masks.push_back(MaskOfThisThread());
    } else {
      std::this_thread::yield();
    }
  };
  while (ThreadCount() > 1 && masks.empty()) ParallelFor(1 << 12, 1, look);
  for (const sigset_t& mask : masks) ExpectBlocked(mask);
}

}  // namespace
}  // namespace anyacl::test
