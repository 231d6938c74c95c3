// SPDX-License-Identifier: Apache-2.0
// Producers in threads: every slot arrives once, whole and in order.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "ops/ffn_case.h"
#include "support/thread_sanitizer.h"

namespace anyacl::test {
namespace {

// Sequence numbers of what has been taken, and everything that can be wrong with it. Producers may
// read them, as the acknowledgements that an FFN worker's answers are.
class Ledger {
 public:
  explicit Ledger(const FfnShape& shape)
      : shape_(shape), taken_(size_t{shape.sessions} * shape.micro_batches) {}

  // The last sequence number taken from a slot.
  int32_t Taken(uint32_t session, uint32_t micro_batch) const {
    return taken_[session * shape_.micro_batches + micro_batch].load(std::memory_order_acquire);
  }

  void Check(const FfnWorker& worker) {
    const uint32_t out_num = worker.out_num();
    for (uint32_t o = 0; o < out_num; ++o) {
      const auto s = static_cast<uint32_t>(worker.session_ids()[o]);
      const auto m = static_cast<uint32_t>(worker.micro_batch_ids()[o]);
      ASSERT_LT(s, shape_.sessions);
      ASSERT_LT(m, shape_.micro_batches);
      const int32_t sequence = worker.layer_ids()[o];
      if (sequence != Taken(s, m) + 1) ++disorder_;
      const int32_t* ids = worker.expert_ids() + o * shape_.ids();
      for (size_t i = 0; i < shape_.ids(); ++i) {
        if (ids[i] == IdOf(s, m, sequence, i)) continue;
        ++torn_;
        break;
      }
      taken_[s * shape_.micro_batches + m].store(sequence, std::memory_order_release);
    }
    total_ += out_num;
  }

  uint64_t total() const { return total_; }
  uint64_t disorder() const { return disorder_; }
  uint64_t torn() const { return torn_; }

 private:
  const FfnShape shape_;
  std::vector<std::atomic<int32_t>> taken_;
  uint64_t total_ = 0;
  uint64_t disorder_ = 0;
  uint64_t torn_ = 0;
};

enum class Habit {
  kOrderly,
  kFlagFirst,              // sets the flag before the ids
  kAwaitsAcknowledgement,  // fills a slot again only when its content is in the ledger
};

// Threads that keep every micro batch of their sessions filled.
class Producers {
 public:
  Producers(FfnWorker& worker, const Ledger& ledger, uint32_t threads,
            Habit habit = Habit::kOrderly)
      : worker_(worker), ledger_(ledger), habit_(habit) {
    for (uint32_t t = 0; t < threads; ++t) {
      threads_.emplace_back([this, t, threads] { Produce(t, threads); });
    }
  }
  ~Producers() { Stop(); }

  // Returns when no slot will be published any more.
  void Stop() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  uint64_t published() const { return published_; }

 private:
  void Produce(uint32_t first, uint32_t step) {
    Random random(first + 1);
    const FfnShape& shape = worker_.shape();
    std::vector<int32_t> sequences(size_t{shape.sessions} * shape.micro_batches);
    while (!stop_) {
      bool idle = true;
      for (uint32_t s = first; s < shape.sessions; s += step) {
        for (uint32_t m = 0; m < shape.micro_batches; ++m) {
          int32_t& sequence = sequences[s * shape.micro_batches + m];
          if (!IsFree(s, m, sequence)) continue;
          idle = false;
          Fill(s, m, ++sequence);
          if (random.Chance(0.002)) Sleep(random.Int(1, 300));
        }
      }
      if (!idle) continue;
      // Hundreds of threads that only yield would leave the worker a fraction of the cores.
      if (step > 16) Sleep(50);
      std::this_thread::yield();
    }
  }

  bool IsFree(uint32_t s, uint32_t m, int32_t sequence) const {
    if (worker_.Flag(s, m) == 1) return false;
    return habit_ != Habit::kAwaitsAcknowledgement || ledger_.Taken(s, m) == sequence;
  }

  void Fill(uint32_t s, uint32_t m, int32_t sequence) {
    if (habit_ == Habit::kFlagFirst) {
      int32_t* slot = worker_.Slot(s, m);
      slot[1] = sequence;
      __atomic_store_n(slot, 1, __ATOMIC_RELEASE);
      Sleep(200);
    }
    worker_.Publish(s, m, sequence);
    ++published_;
  }

  static void Sleep(int64_t us) { std::this_thread::sleep_for(std::chrono::microseconds(us)); }

  FfnWorker& worker_;
  const Ledger& ledger_;
  const Habit habit_;
  std::atomic<bool> stop_{false};
  std::atomic<uint64_t> published_{0};
  std::vector<std::thread> threads_;
};

// Slots that have been published and not been taken.
uint64_t CountReady(const FfnWorker& worker) {
  uint64_t ready = 0;
  for (uint32_t s = 0; s < worker.shape().sessions; ++s) {
    for (uint32_t m = 0; m < worker.shape().micro_batches; ++m) ready += worker.Flag(s, m) == 1;
  }
  return ready;
}

class FfnStressTest : public FfnTest {
 protected:
  // Calls, while `more(calls)`, on what `threads` producers deliver; every slot that was published
  // is accounted for at the end.
  template <class More>
  void Stress(const FfnShape& shape, int32_t group_size, uint32_t threads, Habit habit,
              const More& more) {
    SCOPED_TRACE("sessions " + std::to_string(shape.sessions) + ", micro batches " +
                 std::to_string(shape.micro_batches) + ", group " + std::to_string(group_size));
    FfnWorker worker(shape);
    Ledger ledger(shape);
    aclOpExecutor* executor = PrepareRepeatable(worker, group_size);
    Producers producers(worker, ledger, threads, habit);
    for (int call = 0; more(call); ++call) {
      ASSERT_OK(aclnnInplaceFfnWorkerScheduler(nullptr, 0, executor, stream()));
      ASSERT_OK(aclrtSynchronizeStream(stream()));
      ASSERT_GT(worker.out_num(), 0u);
      ledger.Check(worker);
    }
    producers.Stop();
    EXPECT_EQ(ledger.total() + CountReady(worker), producers.published());
    EXPECT_EQ(ledger.disorder(), 0u);
    EXPECT_EQ(ledger.torn(), 0u);
    if (group_size == static_cast<int32_t>(shape.sessions)) ExpectNobodyStarves(shape, ledger);
    EXPECT_TRUE(worker.GuardsIntact());
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
    total_ += ledger.total();
  }
  void Stress(const FfnShape& shape, int32_t group_size, int calls, uint32_t threads) {
    Stress(shape, group_size, threads, Habit::kOrderly, [&](int call) { return call < calls; });
  }

  // Calls for all sessions take the micro batches in turn.
  static void ExpectNobodyStarves(const FfnShape& shape, const Ledger& ledger) {
    for (uint32_t s = 0; s < shape.sessions; ++s) {
      EXPECT_EQ(ledger.Taken(s, 0), ledger.Taken(0, 0));
      EXPECT_LE(ledger.Taken(s, 0) - ledger.Taken(s, shape.micro_batches - 1), 1);
    }
  }

  static aclOpExecutor* PrepareRepeatable(FfnWorker& worker, int32_t group_size) {
    const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(worker.tensor(), group_size, 0, size,
                                                            executor);
    });
    EXPECT_OK(prepared.code);
    EXPECT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
    return prepared.executor;
  }

  uint64_t total_ = 0;  // slots taken by Stress()
};

// More than 2 * 10^4 calls in all.
TEST_F(FfnStressTest, AllSync) { Stress({4, 2, 2, 9}, 4, 10000, 4); }
TEST_F(FfnStressTest, Groups) { Stress({4, 3, 2, 9}, 2, 5000, 4); }
TEST_F(FfnStressTest, EverySessionForItself) { Stress({4, 2, 3, 7}, 1, 5000, 4); }

// More threads than cores, by far: nobody may spin another one out.
TEST_F(FfnStressTest, SixteenProducers) { Stress({16, 3, 4, 9}, 16, 1000, 16); }
TEST_F(FfnStressTest, ManySessions) { Stress({144, 2, 3, 9}, 12, 500, 4); }

size_t ResidentBytes() {
  size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// A thread per session, up to 288 of them, that waits for an answer before it fills a slot again.
// ANYACL_LOAD_SECONDS: how long all combinations take together.
TEST_F(FfnStressTest, Load) {
  const char* text = std::getenv("ANYACL_LOAD_SECONDS");
  const double seconds = text != nullptr ? std::atof(text) : 1.0;
  constexpr int kCombinations = 4 * 3 * 2;
  const std::chrono::duration<double> time(seconds / kCombinations);
  for (uint32_t sessions : {2, 16, 144, 288}) {
    for (uint32_t micro_batches : {1, 2, 3}) {
      for (uint32_t group_size : {1u, sessions}) {
        const auto begin = std::chrono::steady_clock::now();
        size_t half_way = 0;
        Stress({sessions, micro_batches, 3, 9}, static_cast<int32_t>(group_size), sessions,
               Habit::kAwaitsAcknowledgement, [&](int) {
                 const auto waited = std::chrono::steady_clock::now() - begin;
                 if (half_way == 0 && waited > time / 2) half_way = ResidentBytes();
                 return waited < time;
               });
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
        if (half_way != 0) {
          EXPECT_LT(ResidentBytes(), half_way + (4 << 20));
        }
#endif
      }
    }
  }
  RecordProperty("slots", std::to_string(total_));
}

// The detector must see what a producer without order does.
TEST_F(FfnStressTest, AProducerThatSetsTheFlagFirstIsFoundOut) {
  if (kThreadSanitizer) GTEST_SKIP() << "the race is meant";
  const FfnShape shape{2, 2, 2, 9};
  FfnWorker worker(shape);
  Ledger ledger(shape);
  Producers producers(worker, ledger, 2, Habit::kFlagFirst);
  for (int call = 0; call < 20; ++call) {
    ASSERT_OK(worker.Run(1, stream()));
    ledger.Check(worker);
  }
  EXPECT_GT(ledger.torn(), 0u);
}

// Somebody stops and restarts the worker all the time: calls come back empty, nothing is lost.
TEST_F(FfnStressTest, RunFlagToggles) {
  const FfnShape shape{4, 2, 2, 9};
  FfnWorker worker(shape);
  Ledger ledger(shape);
  std::atomic<bool> done{false};
  std::thread toggler([&] {
    Random toggles(3);
    while (!done) {
      worker.SetRunFlag(toggles.Chance(0.5) ? 1 : 0);
      std::this_thread::sleep_for(std::chrono::microseconds(toggles.Int(1, 200)));
    }
  });
  Producers producers(worker, ledger, 2);
  int empty = 0;
  for (int call = 0; call < 5000; ++call) {
    ASSERT_OK(worker.Run(4, stream()));
    empty += worker.out_num() == 0;
    ledger.Check(worker);
  }
  done = true;
  toggler.join();
  producers.Stop();
  EXPECT_GT(empty, 0);
  EXPECT_EQ(ledger.total() + CountReady(worker), producers.published());
  EXPECT_EQ(ledger.disorder() + ledger.torn(), 0u);
}

// Aborts hit calls at any point: a slot is either taken whole or untouched.
TEST_F(FfnStressTest, Aborts) {
  const FfnShape shape{4, 2, 2, 9};
  FfnWorker worker(shape);
  Ledger ledger(shape);
  std::atomic<bool> done{false};
  std::thread aborter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    Random pauses(5);
    while (!done) {
      EXPECT_OK(aclrtStreamAbort(stream()));
      std::this_thread::sleep_for(std::chrono::microseconds(pauses.Int(1, 400)));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  Producers producers(worker, ledger, 2);
  int aborted = 0;
  for (int call = 0; call < 3000; ++call) {
    worker.Set(field::kOutNum, 0);
    ASSERT_OK(worker.Launch(4, stream()));
    const int code = aclrtSynchronizeStream(stream());
    ASSERT_TRUE(code == ACL_SUCCESS || code == kAborted) << code;
    // The one who waits hears of an abort before the task has ended; an abort of one's own waits.
    if (code == kAborted) {
      ++aborted;
      ASSERT_OK(aclrtStreamAbort(stream()));
    }
    ledger.Check(worker);
  }
  done = true;
  aborter.join();
  producers.Stop();
  RecordProperty("aborted", aborted);
  EXPECT_EQ(ledger.disorder() + ledger.torn(), 0u);
}

}  // namespace
}  // namespace anyacl::test
