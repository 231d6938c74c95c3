// SPDX-License-Identifier: Apache-2.0
// Attention workers as processes of their own, and processes that end while a call waits.
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "ops/ffn_case.h"
#include "support/emulated.h"

namespace anyacl::test {
namespace {

// Memory that several processes map, each at its own address.
class SharedWindow {
 public:
  explicit SharedWindow(size_t bytes) : bytes_(bytes), file_(memfd_create("window", 0)) {
    EXPECT_EQ(ftruncate(file_, static_cast<off_t>(bytes)), 0);
    data_ = Map();
  }
  ~SharedWindow() {
    munmap(data_, bytes_);
    close(file_);
  }
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;

  int32_t* data() const { return data_; }
  // A second mapping, at another address.
  int32_t* Map() const {
    return static_cast<int32_t*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0));
  }

 private:
  size_t bytes_;
  int file_;
  int32_t* data_;
};

// The body of an attention worker: keeps the slots of one session filled, in every window, until it
// is killed. Uses memory only, so that it is safe after fork().
[[noreturn]] void Attend(const std::vector<int32_t*>& windows, const FfnShape& shape,
                         uint32_t session) {
  std::vector<int32_t> sequences(shape.micro_batches);
  std::vector<int32_t*> slots(windows.size());
  for (uint32_t m = 0;; m = (m + 1) % shape.micro_batches) {
    const size_t at = (session * shape.micro_batches + m) * shape.slot_ints();
    ++sequences[m];
    for (int32_t* window : windows) {
      int32_t* slot = window + at;
      // Four processes that never sleep would leave the worker a fraction of two cores.
      for (int looks = 0; __atomic_load_n(slot, __ATOMIC_ACQUIRE) == 1; ++looks) {
        looks < 100 ? sched_yield() : usleep(20);
      }
      slot[1] = sequences[m];
      for (size_t i = 0; i < shape.ids(); ++i) slot[2 + i] = IdOf(session, m, sequences[m], i);
      __atomic_store_n(slot, 1, __ATOMIC_RELEASE);
    }
  }
}

// One child per session, killed at the end.
class AttentionProcesses {
 public:
  AttentionProcesses(const std::vector<const SharedWindow*>& windows, const FfnShape& shape) {
    for (uint32_t s = 0; s < shape.sessions; ++s) {
      const pid_t pid = fork();
      if (pid == 0) {
        std::vector<int32_t*> mapped;
        for (const SharedWindow* window : windows) mapped.push_back(window->Map());
        Attend(mapped, shape, s);
      }
      pids_.push_back(pid);
    }
  }
  ~AttentionProcesses() {
    for (uint32_t s = 0; s < pids_.size(); ++s) Kill(s);
  }
  void Kill(uint32_t session) {
    pid_t& pid = pids_[session];
    if (pid == 0) return;
    kill(pid, SIGKILL);
    waitpid(std::exchange(pid, 0), nullptr, 0);
  }
  void Signal(uint32_t session, int signal) { kill(pids_[session], signal); }

 private:
  std::vector<pid_t> pids_;
};

// Checks what one call took; returns how many slots were wrong.
int CountWrong(const FfnWorker& worker, std::vector<int32_t>* taken) {
  const FfnShape& shape = worker.shape();
  taken->resize(size_t{shape.sessions} * shape.micro_batches);
  int wrong = 0;
  for (uint32_t o = 0; o < worker.out_num(); ++o) {
    const auto s = static_cast<uint32_t>(worker.session_ids()[o]);
    const auto m = static_cast<uint32_t>(worker.micro_batch_ids()[o]);
    const int32_t sequence = worker.layer_ids()[o];
    bool right = ++(*taken)[s * shape.micro_batches + m] == sequence;
    for (size_t i = 0; i < shape.ids(); ++i) {
      right &= worker.expert_ids()[o * shape.ids() + i] == IdOf(s, m, sequence, i);
    }
    wrong += !right;
  }
  return wrong;
}

class FfnProcessTest : public FfnTest {
 protected:
  // Calls of one worker, each checked.
  void Take(FfnWorker& worker, int32_t group_size, int calls) {
    for (int call = 0; call < calls; ++call) {
      ASSERT_OK(worker.Launch(group_size, stream()));
      ASSERT_OK(aclrtSynchronizeStream(stream()));
      ASSERT_EQ(CountWrong(worker, &taken_), 0);
    }
  }
  std::vector<int32_t> taken_;
};

TEST_F(FfnProcessTest, FourProcessesDeliverTenThousandRounds) {
  const FfnShape shape{4, 2, 2, 9};
  const SharedWindow window(shape.window_bytes());
  FfnWorker worker(shape, window.data());
  AttentionProcesses attention({&window}, shape);
  Take(worker, 4, 5000);
  Take(worker, 2, 2500);
  Take(worker, 1, 2500);
}

TEST_F(FfnProcessTest, AKilledProcessHoldsItsGroupOnly) {
  const FfnShape shape{4, 2, 2, 9};
  const SharedWindow window(shape.window_bytes());
  FfnWorker worker(shape, window.data());
  AttentionProcesses attention({&window}, shape);
  Take(worker, 2, 100);
  attention.Kill(3);
  // The other group goes on.
  Take(worker, 2, 200);
  // All together cannot; the worker is stopped in order.
  for (int32_t calls = 0; calls < 4; ++calls) {
    ASSERT_OK(worker.Launch(4, stream()));
    if (aclrtSynchronizeStreamWithTimeout(stream(), 100) != kSyncTimeout) continue;
    worker.SetRunFlag(0);
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(worker.out_num(), 0u);
    return;
  }
  FAIL() << "a call completes without a session that is gone";
}

TEST_F(FfnProcessTest, AStoppedProcessOnlyDelays) {
  const FfnShape shape{3, 2, 2, 9};
  const SharedWindow window(shape.window_bytes());
  FfnWorker worker(shape, window.data());
  AttentionProcesses attention({&window}, shape);
  for (int round = 0; round < 10; ++round) {
    const auto session = static_cast<uint32_t>(random().Int(0, 2));
    attention.Signal(session, SIGSTOP);
    std::thread resume([&, pause = random().Int(1, 100)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
      attention.Signal(session, SIGCONT);
    });
    Take(worker, 3, 50);
    resume.join();
  }
}

// Three attention processes write to the windows of two workers, which all map at other addresses.
TEST_F(FfnProcessTest, TwoWorkersAndThreeAttentionProcesses) {
  const FfnShape shape{3, 2, 2, 9};
  const SharedWindow first(shape.window_bytes());
  const SharedWindow second(shape.window_bytes() + 4);
  const size_t ready_at = shape.window_bytes() / 4;
  const pid_t other = fork();
  if (other == 0) {
    int32_t* window = second.Map();
    FfnWorker own(shape, window);
    __atomic_store_n(window + ready_at, 1, __ATOMIC_RELEASE);
    std::vector<int32_t> taken;
    aclrtStream own_stream = nullptr;
    int bad = aclrtCreateStream(&own_stream);
    for (int call = 0; call < 1000 && bad == 0; ++call) {
      bad = own.Run(3, own_stream);
      bad += CountWrong(own, &taken);
    }
    _exit(bad != 0);
  }
  FfnWorker worker(shape, first.data());
  while (__atomic_load_n(second.data() + ready_at, __ATOMIC_ACQUIRE) == 0) usleep(100);
  AttentionProcesses attention({&first, &second}, shape);
  Take(worker, 3, 1000);
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
}

// Runs the body in a process that has used nothing of the library, and expects it to end with
// `code`.
template <class Body>
void ExpectExits(int code, const Body& body) {
  if (IsEmulated()) {
    GTEST_SKIP() << "an emulator cannot start the program again";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        body();
        _exit(99);
      },
      ::testing::ExitedWithCode(code), "");
}

// A worker whose call waits; never freed.
FfnWorker& LaunchForever(int32_t group_size) {
  static auto* const kept = new std::vector<FfnWorker*>;
  auto* worker = kept->emplace_back(new FfnWorker({}));
  aclrtStream stream = nullptr;
  if (aclrtCreateStream(&stream) != 0) _exit(90);
  worker->ResetOutNum();
  if (worker->Launch(group_size, stream) != 0) _exit(91);
  worker->AwaitStart();
  return *worker;
}

using FfnExitTest = FfnTest;

TEST_F(FfnExitTest, TheProcessMayExitWhileCallsWait) {
  ExpectExits(7, [] {
    for (int32_t group_size : {1, 2, 1}) LaunchForever(group_size);
    std::exit(7);
  });
}

TEST_F(FfnExitTest, TheProcessMayExitAfterALongWait) {
  ExpectExits(7, [] {
    LaunchForever(2);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::exit(7);
  });
}

TEST_F(FfnExitTest, AResetEndsTheCalls) {
  ExpectExits(7, [] {
    FfnWorker& worker = LaunchForever(1);
    LaunchForever(2);
    worker.Publish(0, 0, 1, 2);
    if (aclrtResetDevice(0) != 0) _exit(1);
    std::exit(7);
  });
}

TEST_F(FfnExitTest, FinalisingDoesNotHang) {
  ExpectExits(7, [] {
    LaunchForever(1);
    if (aclFinalize() != 0) _exit(1);
    std::exit(7);
  });
}

// With ACL_LAUNCH_BLOCKING=1 the second phase is the call: for producers in other threads.
TEST_F(FfnExitTest, LaunchBlocking) {
  setenv("ACL_LAUNCH_BLOCKING", "1", 1);
  ExpectExits(7, [] {
    FfnWorker worker({});
    aclrtStream stream = nullptr;
    if (aclrtCreateStream(&stream) != 0) _exit(1);
    std::thread producer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      worker.PublishAll(1);
    });
    if (worker.Launch(2, stream) != 0) _exit(2);
    const bool done = worker.out_num() == 2;
    producer.join();
    std::exit(done ? 7 : 3);
  });
  unsetenv("ACL_LAUNCH_BLOCKING");
}

// ANYACL_STRICT=1 wants every buffer in memory that the runtime knows.
TEST_F(FfnExitTest, StrictMemory) {
  setenv("ANYACL_STRICT", "1", 1);
  ExpectExits(7, [] {
    const FfnShape shape;
    static int32_t window[48];
    FfnWorker worker(shape, window);
    worker.PublishAll(1);
    aclrtStream stream = nullptr;
    if (aclrtCreateStream(&stream) != 0) _exit(1);
    if (worker.Run(2, stream) != kContextError) _exit(2);
    void* known = nullptr;
    if (aclrtHostRegister(window, sizeof(window), ACL_HOST_REGISTER_MAPPED, &known) != 0) _exit(3);
    if (worker.Run(2, stream) != 0) _exit(4);
    std::exit(7);
  });
  unsetenv("ANYACL_STRICT");
}

}  // namespace
}  // namespace anyacl::test
