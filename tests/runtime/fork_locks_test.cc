// SPDX-License-Identifier: Apache-2.0
// A fork while another thread makes a value for its first use; the lock that a fork holds often.
#include "base/fork_locks.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "base/short_lock.h"

namespace anyacl {
namespace {

TEST(FirstUse, IsAwaitedByAFork) {
  FirstUse<int>& number = *new FirstUse<int>(ForkOrder::kLog);  // the fork locks refer to it
  std::atomic<bool> entered{false}, done{false};
  // Detached, because the child, which has no such thread, could not join it.
  std::thread([&] {
    number.Get([&] {
      entered = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      return new int(7);
    });
    done = true;
  }).detach();
  while (!entered) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);  // without the wait, the maker's lock is held here for ever
    _exit(number.Get([] { return new int(8); }) == 7 ? 0 : 1);
  }
  while (!done) std::this_thread::yield();
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the child made a value of its own";
}

// Long enough for each to be kept from the lock and to sleep.
TEST(ShortLock, IsHeldByOneThreadAtATime) {
  ShortLock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        std::lock_guard held(lock);
        const int before = count;
        if (i % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        count = before + 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 800);
}

TEST(FirstUse, MakesOneValueForAllThreads) {
  FirstUse<int>& number = *new FirstUse<int>(ForkOrder::kLog);
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] { EXPECT_EQ(number.Get([&] { return new int(++made); }), 1); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace anyacl
