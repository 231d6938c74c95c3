// SPDX-License-Identifier: Apache-2.0
// Producers in threads: every slot arrives once, whole and in order.
#include <atomic>
#include <chrono>
#include <thread>

#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "ops/ffn_case.h"

namespace anyacl::test {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif
#else
constexpr bool kThreadSanitizer = false;
#endif

// Sequence numbers of what has been taken, and everything that can be wrong with it.
class Ledger {
 public:
  explicit Ledger(const FfnShape& shape)
      : shape_(shape), taken_(size_t{shape.sessions} * shape.micro_batches) {}

  void Check(const FfnWorker& worker) {
    const uint32_t out_num = worker.out_num();
    for (uint32_t o = 0; o < out_num; ++o) {
      const auto s = static_cast<uint32_t>(worker.session_ids()[o]);
      const auto m = static_cast<uint32_t>(worker.micro_batch_ids()[o]);
      ASSERT_LT(s, shape_.sessions);
      ASSERT_LT(m, shape_.micro_batches);
      int32_t& taken = taken_[s * shape_.micro_batches + m];
      const int32_t sequence = worker.layer_ids()[o];
      if (sequence != taken + 1) ++disorder_;
      taken = sequence;
      const int32_t* ids = worker.expert_ids() + o * shape_.ids();
      for (size_t i = 0; i < shape_.ids(); ++i) {
        if (ids[i] == IdOf(s, m, sequence, i)) continue;
        ++torn_;
        break;
      }
    }
    total_ += out_num;
  }

  uint64_t total() const { return total_; }
  uint64_t disorder() const { return disorder_; }
  uint64_t torn() const { return torn_; }

 private:
  const FfnShape shape_;
  std::vector<int32_t> taken_;
  uint64_t total_ = 0;
  uint64_t disorder_ = 0;
  uint64_t torn_ = 0;
};

// Threads that keep every micro batch of their sessions filled.
class Producers {
 public:
  // `broken` ones set the flag before the ids.
  Producers(FfnWorker& worker, uint32_t threads, bool broken) : worker_(worker), broken_(broken) {
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
          if (worker_.Flag(s, m) == 1) continue;
          idle = false;
          Fill(s, m, ++sequences[s * shape.micro_batches + m]);
          if (random.Chance(0.002)) {
            std::this_thread::sleep_for(std::chrono::microseconds(random.Int(1, 300)));
          }
        }
      }
      if (idle) std::this_thread::yield();
    }
  }

  void Fill(uint32_t s, uint32_t m, int32_t sequence) {
    if (broken_) {
      int32_t* slot = worker_.Slot(s, m);
      slot[1] = sequence;
      __atomic_store_n(slot, 1, __ATOMIC_RELEASE);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    if (!broken_) {
      worker_.Publish(s, m, sequence);
    }
    ++published_;
  }

  FfnWorker& worker_;
  const bool broken_;
  std::atomic<bool> stop_{false};
  std::atomic<uint64_t> published_{0};
  std::vector<std::thread> threads_;
};

class FfnStressTest : public FfnTest {
 protected:
  // `calls` calls on what `threads` producers deliver; every slot that was published is accounted
  // for at the end.
  void Stress(const FfnShape& shape, int32_t group_size, int calls, uint32_t threads) {
    SCOPED_TRACE("sessions " + std::to_string(shape.sessions) + ", group " +
                 std::to_string(group_size));
    FfnWorker worker(shape);
    Ledger ledger(shape);
    aclOpExecutor* executor = PrepareRepeatable(worker, group_size);
    Producers producers(worker, threads, false);
    for (int call = 0; call < calls; ++call) {
      ASSERT_OK(aclnnInplaceFfnWorkerScheduler(nullptr, 0, executor, stream()));
      ASSERT_OK(aclrtSynchronizeStream(stream()));
      ASSERT_GT(worker.out_num(), 0u);
      ledger.Check(worker);
    }
    producers.Stop();
    uint64_t left = 0;
    for (uint32_t s = 0; s < shape.sessions; ++s) {
      for (uint32_t m = 0; m < shape.micro_batches; ++m) left += worker.Flag(s, m) == 1;
    }
    EXPECT_EQ(ledger.total() + left, producers.published());
    EXPECT_EQ(ledger.disorder(), 0u);
    EXPECT_EQ(ledger.torn(), 0u);
    EXPECT_TRUE(worker.GuardsIntact());
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
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
};

// 10^5 calls in all.
TEST_F(FfnStressTest, AllSync) { Stress({4, 2, 2, 9}, 4, 40000, 4); }
TEST_F(FfnStressTest, Groups) { Stress({4, 3, 2, 9}, 2, 30000, 4); }
TEST_F(FfnStressTest, EverySessionForItself) { Stress({4, 2, 3, 7}, 1, 30000, 4); }

// More threads than cores, by far: nobody may spin another one out.
TEST_F(FfnStressTest, SixteenProducers) { Stress({16, 3, 4, 9}, 16, 2000, 16); }
TEST_F(FfnStressTest, ManySessions) { Stress({144, 2, 3, 9}, 12, 500, 4); }

// The detector must see what a producer without order does.
TEST_F(FfnStressTest, AProducerThatSetsTheFlagFirstIsFoundOut) {
  if (kThreadSanitizer) GTEST_SKIP() << "the race is meant";
  const FfnShape shape{2, 2, 2, 9};
  FfnWorker worker(shape);
  Ledger ledger(shape);
  Producers producers(worker, 2, true);
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
  Producers producers(worker, 2, false);
  int empty = 0;
  for (int call = 0; call < 5000; ++call) {
    ASSERT_OK(worker.Run(4, stream()));
    empty += worker.out_num() == 0;
    ledger.Check(worker);
  }
  done = true;
  toggler.join();
  producers.Stop();
  uint64_t left = 0;
  for (uint32_t s = 0; s < 4; ++s) {
    for (uint32_t m = 0; m < 2; ++m) left += worker.Flag(s, m) == 1;
  }
  EXPECT_GT(empty, 0);
  EXPECT_EQ(ledger.total() + left, producers.published());
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
  Producers producers(worker, 2, false);
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
