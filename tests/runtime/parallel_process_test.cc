// SPDX-License-Identifier: Apache-2.0
// The pool and its process: ANYACL_THREADS and ANYACL_PIN, CPU sets, forked children, exit. Every
// test is a process of its own.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <thread>

#include "fixture.h"
#include "runtime/parallel.h"
#include "support/thread_sanitizer.h"

namespace anyacl::test {
namespace {

cpu_set_t OwnCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  return set;
}

void RestrictToFirstCpu() {
  cpu_set_t set = OwnCpus();
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ASSERT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
}

// Lets a worker look around; false if none turned up in some seconds.
template <class Look>
bool InWorker(const Look& look) {
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> looked{false};
  for (int round = 0; round < 1000 && !looked; ++round) {
    ParallelFor(4, 1, [&](int64_t, int64_t) {
      if (std::this_thread::get_id() != caller && !looked.exchange(true)) look();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
  }
  return looked;
}

TEST(ThreadsSettingTest, IsTheNumberOfThreads) {
  for (const int64_t threads : {1, 2, 7, 1024}) {
    ScopedEnv env("ANYACL_THREADS", std::to_string(threads));
    InFreshProcess([&] {
      EXPECT_EQ(ThreadCount(), threads);
      std::atomic<int64_t> sum{0};
      ParallelFor(5000, 1, [&](int64_t begin, int64_t) { sum += begin; });
      EXPECT_EQ(sum, 4999 * 5000 / 2);
    });
  }
}

TEST(ThreadsSettingTest, UnusableNumbersGiveOneThreadForEachCpu) {
  for (const char* value : {"", "0", "-1", "1025", "two", "2 ", "99999999999999999999"}) {
    ScopedEnv env("ANYACL_THREADS", value);
    InFreshProcess([] {
      const cpu_set_t cpus = OwnCpus();
      EXPECT_EQ(ThreadCount(), CPU_COUNT(&cpus));
    });
  }
}

TEST(ThreadsSettingTest, OneThreadIsTheCallerAlone) {
  ScopedEnv env("ANYACL_THREADS", "1");
  InFreshProcess([] {
    const auto caller = std::this_thread::get_id();
    int64_t next = 0;
    ParallelFor(10, 3, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(begin, next);
      next = end;
    });
    EXPECT_EQ(next, 10);
  });
}

TEST(PoolCpusTest, CpusOfTheProcessCount) {
  InFreshProcess([] {
    RestrictToFirstCpu();
    EXPECT_EQ(ThreadCount(), 1);
  });
}

TEST(PoolCpusTest, CallerWithOneCpuDoesNotConfineTheWorkers) {
  ScopedEnv env("ANYACL_THREADS", "2");
  InFreshProcess([] {
    const cpu_set_t all = OwnCpus();
    std::thread([&] {
      RestrictToFirstCpu();
      EXPECT_TRUE(InWorker([&] {
        const cpu_set_t set = OwnCpus();
        EXPECT_TRUE(CPU_EQUAL(&set, &all));
      }));
    }).join();
  });
}

TEST(PoolCpusTest, PinnedWorkersHaveOneCpu) {
  ScopedEnv threads("ANYACL_THREADS", "2");
  ScopedEnv pin("ANYACL_PIN", "1");
  InFreshProcess([] {
    EXPECT_TRUE(InWorker([] {
      const cpu_set_t set = OwnCpus();
      EXPECT_EQ(CPU_COUNT(&set), 1);
    }));
  });
}

TEST(PoolFloatTest, WorkersRoundToNearestWhateverTheirStarterDoes) {
  ScopedEnv env("ANYACL_THREADS", "2");
  InFreshProcess([] {
    std::fesetround(FE_UPWARD);
    volatile float five = 5.0f;  // 5/6 lies nearer to the float below it
    const float upward = five / 6.0f;
    EXPECT_TRUE(InWorker([&] { EXPECT_LT(five / 6.0f, upward); }));
  });
}

TEST(PoolExitTest, ProcessMayEndWhileWorkersCompute) {
  ScopedEnv env("ANYACL_THREADS", "3");
  InFreshProcess([] {
    static std::atomic<int> inside{0};
    std::thread([] {
      ParallelFor(3, 1, [](int64_t, int64_t) {
        // The first shows that the work is worth a wake-up, the others never end.
        const bool first = inside++ == 0;
        do {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } while (!first);
      });
    }).detach();
    while (inside < 3) std::this_thread::yield();
  });
}

// Forks a child that expects `body` to return true.
template <class Body>
void ExpectInChild(const Body& body) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

class PoolForkTest : public testing::Test {
 protected:
  void SetUp() override {
    if (IsEmulated()) GTEST_SKIP() << "QEMU aborts a forked child that starts a thread";
    if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer aborts such a child, too";
  }
};

TEST_F(PoolForkTest, ChildHasWorkersOfItsOwn) {
  ScopedEnv env("ANYACL_THREADS", "3");
  InFreshProcess([] {
    ASSERT_TRUE(InWorker([] {}));
    ExpectInChild([] {
      bool grandchild = false;
      const bool worker = InWorker([] {});
      ExpectInChild([] { return InWorker([] {}); });
      grandchild = !::testing::Test::HasFailure();
      return worker && grandchild;
    });
    EXPECT_TRUE(InWorker([] {}));
  });
}

// Scratch memory that was booked before the fork is for as many threads as there were.
TEST_F(PoolForkTest, ChildWithMoreCpusHasNoMoreThreads) {
  InFreshProcess([] {
    const cpu_set_t all = OwnCpus();
    RestrictToFirstCpu();
    ASSERT_EQ(ThreadCount(), 1);
    ExpectInChild(
        [&] { return sched_setaffinity(0, sizeof(all), &all) == 0 && ThreadCount() == 1; });
  });
}

TEST_F(PoolForkTest, ChildOfABusyProcess) {
  ScopedEnv env("ANYACL_THREADS", "3");
  InFreshProcess([] {
    std::atomic<bool> stop{false};
    std::thread busy([&] {
      while (!stop) ParallelFor(1000, 1, [](int64_t, int64_t) {});
    });
    for (int round = 0; round < 30; ++round) {
      ExpectInChild([] {
        std::atomic<int64_t> sum{0};
        ParallelFor(1000, 1, [&](int64_t begin, int64_t) { sum += begin; });
        return sum == 999 * 1000 / 2;
      });
    }
    stop = true;
    busy.join();
  });
}

}  // namespace
}  // namespace anyacl::test
