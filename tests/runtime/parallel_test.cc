// SPDX-License-Identifier: Apache-2.0
// ParallelFor: every index once, by the chunks that count and grain say, whoever computes them.
#include "runtime/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "fixture.h"
#include "runtime/parallel_job.h"

namespace anyacl::test {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

void Spin(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// Runs a loop and expects each of its chunks once.
void ExpectEachChunkOnce(int64_t count, int64_t grain) {
  const int64_t step = std::max<int64_t>(grain, 1);
  const int64_t chunks = count <= 0 ? 0 : (count - 1) / step + 1;
  std::vector<std::atomic<int>> calls(static_cast<size_t>(chunks));
  std::atomic<int64_t> wrong{0};
  ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
    const bool right = begin >= 0 && begin < count && begin % step == 0 &&
                       end - begin == std::min(step, count - begin);
    if (right) {
      ++calls[static_cast<size_t>(begin / step)];
    } else {
      ++wrong;
    }
  });
  ASSERT_EQ(wrong, 0) << "count " << count << " grain " << grain;
  for (size_t i = 0; i < calls.size(); ++i) {
    ASSERT_EQ(calls[i], 1) << "count " << count << " grain " << grain << " chunk " << i;
  }
}

TEST(ParallelForTest, EachChunkOnce) {
  for (const int64_t count : {-kMax, int64_t{-1}, int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3},
                              int64_t{7}, int64_t{64}, int64_t{1000}, int64_t{200003}}) {
    for (const int64_t grain : {int64_t{-5}, int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3},
                                int64_t{7}, int64_t{63}, int64_t{999}, int64_t{1000}, kMax}) {
      ASSERT_NO_FATAL_FAILURE(ExpectEachChunkOnce(count, grain));
    }
  }
}

TEST(ParallelForTest, EachChunkOnceInHugeRanges) {
  for (const int64_t count : {kMax, kMax - 1, kMax / 2 + 1}) {
    for (const int64_t parts : {2, 3, 7, 1000}) {
      ASSERT_NO_FATAL_FAILURE(ExpectEachChunkOnce(count, count / parts));
      ASSERT_NO_FATAL_FAILURE(ExpectEachChunkOnce(count, count / parts + 1));
    }
  }
}

TEST(ParallelForTest, SmallWorkIsOneCallInTheCaller) {
  int calls = 0;
  ParallelFor(100, 100, [&](int64_t begin, int64_t end) {
    ++calls;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 100);
  });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelForTest, WritesAreVisibleToTheCaller) {
  std::vector<int64_t> values(10000);
  for (int64_t round = 0; round < 200; ++round) {
    ParallelFor(10000, 100, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) values[static_cast<size_t>(i)] += i + round;
    });
  }
  for (int64_t i = 0; i < 10000; ++i) {
    ASSERT_EQ(values[static_cast<size_t>(i)], 200 * i + 199 * 200 / 2);
  }
}

// Rounded after each addition, so another order or other chunks would give other bits.
TEST(ParallelForTest, ReductionByChunksHasTheSameBitsAsOneThread) {
  constexpr int64_t kCount = 1000003;
  constexpr int64_t kGrain = 1000;
  std::vector<float> values(kCount);
  std::minstd_rand random(1);
  for (float& value : values) value = 1.0f / static_cast<float>(random() % 1000 + 1);
  const auto sum = [&](int64_t begin, int64_t end) {
    float result = 0;
    for (int64_t i = begin; i < end; ++i) result += values[static_cast<size_t>(i)];
    return result;
  };
  float expected = 0;
  for (int64_t begin = 0; begin < kCount; begin += kGrain) {
    expected += sum(begin, std::min(begin + kGrain, kCount));
  }
  for (int round = 0; round < 20; ++round) {
    std::vector<float> partial(kCount / kGrain + 1);
    ParallelFor(kCount, kGrain, [&](int64_t begin, int64_t end) {
      partial[static_cast<size_t>(begin / kGrain)] = sum(begin, end);
    });
    float actual = 0;
    for (const float part : partial) actual += part;
    ASSERT_EQ(std::memcmp(&actual, &expected, sizeof(actual)), 0) << actual << " " << expected;
  }
}

TEST(ParallelForTest, NestedLoopsFinish) {
  std::atomic<int64_t> innermost{0};
  ParallelFor(20, 1, [&](int64_t, int64_t) {
    ParallelFor(10, 1, [&](int64_t, int64_t) {
      ParallelFor(30, 7, [&](int64_t begin, int64_t end) { innermost += end - begin; });
    });
  });
  EXPECT_EQ(innermost, 20 * 10 * 30);
}

// Scratch for as many threads as there are chunks is enough, whoever comes: after a loop of many
// all workers are awake.
TEST(ParallelForTest, SlotsAreFewerThanChunks) {
  std::atomic<int64_t> largest = 0;
  for (int i = 0; i < 2000; ++i) {
    ParallelFor(4 * ThreadCount(), 1, [](int64_t, int64_t) { Spin(std::chrono::microseconds(3)); });
    ParallelFor(2, 1, [&](int64_t, int64_t, int64_t slot) {
      Spin(std::chrono::microseconds(20));
      int64_t seen = largest.load();
      while (slot > seen && !largest.compare_exchange_weak(seen, slot)) {
      }
    });
  }
  EXPECT_LT(largest.load(), 2);
}

// A slot belongs to one thread at a time, and loops within a chunk keep it.
TEST(ParallelForTest, SlotsAreTheThreadsOwn) {
  const auto threads = static_cast<size_t>(ThreadCount());
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> users(threads);
    std::atomic<int> wrong{0};
    ParallelFor(500, 1, [&](int64_t, int64_t, int64_t slot) {
      if (slot < 0 || slot >= ThreadCount()) {
        ++wrong;
        return;
      }
      std::atomic<int>& user = users[static_cast<size_t>(slot)];
      wrong += user.fetch_add(1) != 0;
      ParallelFor(3, 1, [&](int64_t, int64_t, int64_t inner) { wrong += inner != slot; });
      user.fetch_sub(1);
    });
    ASSERT_EQ(wrong, 0);
  }
  int64_t calls = 0;
  ParallelFor(5, 10, [&](int64_t begin, int64_t end, int64_t slot) {
    calls += begin == 0 && end == 5 && slot == 0;
  });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelForTest, ConcurrentCallers) {
  std::vector<std::thread> callers;
  for (int64_t caller = 1; caller <= 8; ++caller) {
    callers.emplace_back([caller] {
      for (int64_t round = 0; round < 300; ++round) {
        std::atomic<int64_t> sum{0};
        const int64_t count = caller * 100 + round;
        ParallelFor(count, caller, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) sum.fetch_add(i, std::memory_order_relaxed);
        });
        ASSERT_EQ(sum, count * (count - 1) / 2);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

// More than the pool has slots for: nobody leaves before everybody has come.
TEST(ParallelForTest, VeryManyCallersAtOnce) {
  constexpr int kCallers = 100;
  std::atomic<int> entered{0};
  std::atomic<int> chunks{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      ++entered;
      ParallelFor(2, 1, [&](int64_t, int64_t) {
        while (entered < kCallers) std::this_thread::yield();
        ++chunks;
      });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(chunks, 2 * kCallers);
}

// Keeps a loop running in a thread of its own until the end of its life; every thread that takes a
// chunk of it is held, workers too.
class HeldLoop {
 public:
  HeldLoop()
      : caller_([this] {
          ParallelFor(1000, 1, [this](int64_t, int64_t) {
            ++held_;
            while (!open_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            --held_;
          });
        }) {
    while (held_ == 0) std::this_thread::yield();
  }
  ~HeldLoop() {
    open_ = true;
    caller_.join();
  }

 private:
  std::atomic<int> held_{0};
  std::atomic<bool> open_{false};
  std::thread caller_;
};

TEST(ParallelForTest, BusyWorkersAreNotWaitedFor) {
  HeldLoop held;
  for (int round = 0; round < 100; ++round) {
    ASSERT_NO_FATAL_FAILURE(ExpectEachChunkOnce(1000, 7));
  }
}

TEST(ParallelForTest, AllThreadsTakePartInLongWork) {
  std::mutex mutex;
  std::vector<std::thread::id> seen;
  for (int round = 0; round < 100 && std::ssize(seen) < ThreadCount(); ++round) {
    ParallelFor(ThreadCount() * 4, 1, [&](int64_t, int64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      std::lock_guard lock(mutex);
      if (std::find(seen.begin(), seen.end(), std::this_thread::get_id()) == seen.end()) {
        seen.push_back(std::this_thread::get_id());
      }
    });
  }
  EXPECT_EQ(std::ssize(seen), ThreadCount());
}

TEST(ParallelForTest, SurvivesRandomUse) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < 4; ++caller) {
    callers.emplace_back([=] {
      std::minstd_rand random(seed + caller);
      while (std::chrono::steady_clock::now() < end) {
        const auto count = static_cast<int64_t>(random() % 3000);
        const auto grain = static_cast<int64_t>(random() % 50 + 1);
        ASSERT_NO_FATAL_FAILURE(ExpectEachChunkOnce(count, grain));
        // Idle times on both sides of how long workers spin.
        if (random() % 16 == 0) {
          std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
        }
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(ParallelJobTest, OwnersTakeFromTheFrontAndOthersFromTheBack) {
  Part part;
  part.Fill(10, 14);
  uint32_t unit = 0;
  EXPECT_EQ(part.Left(), 4u);
  EXPECT_TRUE(part.Take(true, &unit));
  EXPECT_EQ(unit, 10u);
  EXPECT_TRUE(part.Take(false, &unit));
  EXPECT_EQ(unit, 13u);
  EXPECT_TRUE(part.Take(true, &unit));
  EXPECT_EQ(unit, 11u);
  EXPECT_TRUE(part.Take(false, &unit));
  EXPECT_EQ(unit, 12u);
  EXPECT_FALSE(part.Take(true, &unit));
  EXPECT_FALSE(part.Take(false, &unit));
  EXPECT_EQ(part.Left(), 0u);
}

TEST(ParallelJobTest, OthersLeaveWhatTheOwnerIsAboutToTake) {
  Part part;
  part.Fill(0, 2);
  EXPECT_FALSE(part.OwnerWorks());
  part.OwnerBegins();
  EXPECT_TRUE(part.OwnerWorks());
  uint32_t unit = 7;
  EXPECT_TRUE(part.Take(false, &unit, 1));
  EXPECT_EQ(unit, 1u);
  EXPECT_FALSE(part.Take(false, &unit, 1));
  EXPECT_EQ(part.Left(), 1u);
  EXPECT_TRUE(part.Take(true, &unit));
  EXPECT_EQ(unit, 0u);
  part.Fill(0, 1);
  EXPECT_FALSE(part.OwnerWorks());
}

TEST(ParallelJobTest, MissedWorkAddsUpUntilAPause) {
  MissedWork missed;
  missed.Add(1000000, 10, 5, 50);
  EXPECT_EQ(missed.Sum(), 5u);
  missed.Add(1000060, 10, 6, 50);  // 50 after the loop before it
  EXPECT_EQ(missed.Sum(), 11u);
  missed.Add(1000121, 10, 7, 50);  // 51 after it
  EXPECT_EQ(missed.Sum(), 7u);
  missed.Clear();
  EXPECT_EQ(missed.Sum(), 0u);
  missed.Add(1000130, 9, 4, 50);
  EXPECT_EQ(missed.Sum(), 4u);
}

TEST(ParallelJobTest, SlotIsFreeOnlyWhenTheLastVisitorHasLeft) {
  SlotState state;
  EXPECT_EQ(state.Join(), 0u);
  ASSERT_TRUE(state.Acquire());
  EXPECT_FALSE(state.Acquire());
  EXPECT_EQ(state.Join(), 0u);
  state.Open(2);
  EXPECT_EQ(state.Join(), 2u);
  EXPECT_EQ(state.Join(), 1u);
  EXPECT_EQ(state.Join(), 0u);
  state.Close();
  state.Leave();
  EXPECT_FALSE(state.Acquire());
  state.Leave();
  EXPECT_TRUE(state.Acquire());
}

}  // namespace
}  // namespace anyacl::test
