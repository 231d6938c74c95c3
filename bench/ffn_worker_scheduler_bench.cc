// SPDX-License-Identifier: Apache-2.0
// The worker scheduler: takes against memcpy + memset of the same bytes, scans, the time from a
// flag to its effect, idle waits, the overhead of a call. Every figure is a median of one run;
// floors are measured in turn with what they bound.
#include <benchmark/benchmark.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "ops/afd/context.h"

namespace anyacl::afd {
namespace {

using Clock = std::chrono::steady_clock;

// DeepSeek-like: 30 tokens of 8 routed experts and a shared one, three micro batches in flight.
constexpr uint32_t kBatch = 30;
constexpr uint32_t kExperts = 9;
constexpr uint32_t kMicroBatches = 3;

double NanosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

double Quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

void SetQuantiles(benchmark::State& state, const std::vector<double>& nanoseconds) {
  state.counters["p50_ns"] = Quantile(nanoseconds, 0.5);
  state.counters["p99_ns"] = Quantile(nanoseconds, 0.99);
}

void Must(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s failed with %d: %s\n", what, code, aclGetRecentErrMsg());
  std::exit(1);
}

cpu_set_t Affinity() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof(set), &set);
  return set;
}

// Moves this thread to the index-th CPU that the program may use.
void Pin(int index) {
  static const cpu_set_t usable = Affinity();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &usable) && index-- == 0) CPU_SET(cpu, &set);
  }
  sched_setaffinity(0, sizeof(set), &set);
}

void SpinFor(double nanoseconds) {
  const auto begin = Clock::now();
  while (NanosecondsSince(begin) < nanoseconds) {
  }
}

// Ints on cache lines of their own, touched.
class Memory {
 public:
  explicit Memory(size_t bytes) : bytes_((bytes + 4095) / 4096 * 4096) {
    data_ = static_cast<unsigned char*>(std::aligned_alloc(4096, bytes_));
    std::memset(data_, 1, bytes_);
  }
  ~Memory() { std::free(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  unsigned char* data() const { return data_; }
  int32_t* ints() const { return reinterpret_cast<int32_t*>(data_); }

 private:
  size_t bytes_;
  unsigned char* data_;
};

// A context and its buffers.
class Worker {
 public:
  Worker(uint32_t sessions, uint32_t micro_batches, uint32_t batch, uint32_t experts)
      : window_{nullptr, sessions, micro_batches, uint64_t{4} * batch * experts},
        slots_(window_.slot_bytes() * sessions * micro_batches),
        context_memory_(sizeof(ScheduleContext)),
        small_(12 * sessions),
        ids_(window_.id_bytes * sessions) {
    window_.base = slots_.data();
    outputs_ = {small_.ints(), small_.ints() + sessions, small_.ints() + 2 * sessions, ids_.data()};
    auto* context = this->context();
    *context = {};
    context->common.session_num = sessions;
    context->common.micro_batch_num = micro_batches;
    context->common.micro_batch_size = batch;
    context->common.selected_expert_num = experts;
    context->control.run_flag = 1;
    auto& ffn = context->ffn;
    const auto address = [](const void* data) { return reinterpret_cast<uint64_t>(data); };
    ffn.token_info_buf = ffn.token_data_buf = address(slots_.data());
    ffn.token_info_buf_size = window_.slot_bytes() * sessions * micro_batches;
    ffn.layer_ids_buf = address(outputs_.layers);
    ffn.session_ids_buf = address(outputs_.sessions);
    ffn.micro_batch_ids_buf = address(outputs_.micro_batches);
    ffn.expert_ids_buf = address(outputs_.ids);
    ffn.layer_ids_buf_size = ffn.session_ids_buf_size = ffn.micro_batch_ids_buf_size =
        uint64_t{4} * sessions;
    ffn.expert_ids_buf_size = window_.id_bytes * sessions;
    SetFlags(0, sessions, 0);
    const int64_t size = sizeof(ScheduleContext);
    tensor_ = aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, context);
  }
  ~Worker() { aclDestroyTensor(tensor_); }

  ScheduleContext* context() const {
    return reinterpret_cast<ScheduleContext*>(context_memory_.data());
  }
  const Window& window() const { return window_; }
  const Outputs& outputs() const { return outputs_; }

  int32_t* Flag(uint64_t session, uint64_t micro_batch) const {
    return reinterpret_cast<int32_t*>(window_.Slot(session, micro_batch));
  }
  void SetFlags(uint64_t first, uint64_t end, int32_t value) const {
    for (uint64_t s = first; s < end; ++s) {
      for (uint64_t m = 0; m < window_.micro_batches; ++m) {
        __atomic_store_n(Flag(s, m), value, __ATOMIC_RELEASE);
      }
    }
  }
  void WriteIds(uint64_t session, uint64_t micro_batch) const {
    std::memset(window_.Slot(session, micro_batch) + kSlotHeader, 1, window_.id_bytes);
  }
  void AwaitPolling() const {
    while (__atomic_load_n(&context()->ffn.out_num, __ATOMIC_ACQUIRE) != 0) {
    }
  }

  void Launch(int32_t group_size, aclrtStream stream) const {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Must(aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(tensor_, group_size, 0, &size, &executor),
         "phase 1");
    Must(aclnnInplaceFfnWorkerScheduler(nullptr, size, executor, stream), "phase 2");
  }

 private:
  Window window_;
  Memory slots_;
  Memory context_memory_;
  Memory small_;
  Memory ids_;
  Outputs outputs_;
  aclTensor* tensor_ = nullptr;
};

// A stream whose thread has the second CPU while this thread has the first.
class PinnedStream {
 public:
  PinnedStream() : before_(Affinity()) {
    Must(aclrtCreateStream(&stream_), "aclrtCreateStream");
    Must(aclrtLaunchHostFunc(
             stream_, [](void*) { Pin(1); }, nullptr),
         "aclrtLaunchHostFunc");
    // Before this thread is pinned: waits spin only if the first of them sees several CPUs.
    Synchronize();
    Pin(0);
  }
  ~PinnedStream() {
    Must(aclrtDestroyStream(stream_), "aclrtDestroyStream");
    sched_setaffinity(0, sizeof(before_), &before_);
  }
  PinnedStream(const PinnedStream&) = delete;
  PinnedStream& operator=(const PinnedStream&) = delete;

  aclrtStream get() const { return stream_; }
  void Synchronize() const { Must(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream"); }

 private:
  const cpu_set_t before_;
  aclrtStream stream_ = nullptr;
};

// (a) All flags up: the scan and the take, against one memcpy and one memset of all ids, which go
// round as many buffers as there are micro batches and so have the same cache misses.
void BM_Take(benchmark::State& state) {
  const auto sessions = static_cast<uint32_t>(state.range(0));
  const Worker worker(sessions, kMicroBatches, kBatch, kExperts);
  const Window& window = worker.window();
  const size_t bytes = window.id_bytes * sessions;
  const Memory from(bytes * kMicroBatches), to(bytes);
  std::vector<double> takes, floors;
  uint64_t m = 0;
  // Blocks of calls, so that neither side finds its memory displaced by the other.
  constexpr uint32_t kBlock = 4 * kMicroBatches;
  for (auto _ : state) {
    double total = 0;
    for (uint32_t i = 0; i < kBlock; ++i, m = (m + 1) % kMicroBatches) {
      for (uint32_t s = 0; s < sessions; ++s) *worker.Flag(s, m) = kReady;
      const auto begin = Clock::now();
      if (SkipReady(window, m, 0, sessions) != sessions) std::abort();
      Take(window, worker.outputs(), m, 0, sessions, 0);
      const double took = NanosecondsSince(begin);
      if (i >= kMicroBatches) takes.push_back(took);
      total += took;
    }
    state.SetIterationTime(total * 1e-9 / kBlock);
    for (uint32_t i = 0; i < kBlock; ++i, m = (m + 1) % kMicroBatches) {
      const auto begin = Clock::now();
      std::memcpy(to.data(), from.data() + m * bytes, bytes);
      benchmark::ClobberMemory();
      std::memset(from.data() + m * bytes, kEmptyIdByte, bytes);
      benchmark::ClobberMemory();
      if (i >= kMicroBatches) floors.push_back(NanosecondsSince(begin));
    }
  }
  state.counters["take_ns"] = Quantile(takes, 0.5);
  state.counters["floor_ns"] = Quantile(floors, 0.5);
  state.counters["ratio"] = Quantile(takes, 0.5) / Quantile(floors, 0.5);
}
BENCHMARK(BM_Take)
    ->Arg(2)
    ->Arg(8)
    ->Arg(32)
    ->Arg(144)
    ->Arg(288)
    ->Arg(1024)
    ->UseManualTime()
    ->MinTime(0.02);

// The scan of flags that are all up, at a stride of 8 + 4 * ids bytes.
void BM_Scan(benchmark::State& state) {
  const auto sessions = static_cast<uint32_t>(state.range(0));
  const Worker worker(sessions, 1, 1, static_cast<uint32_t>(state.range(1) - 8) / 4);
  worker.SetFlags(0, sessions, kReady);
  for (auto _ : state) benchmark::DoNotOptimize(SkipReady(worker.window(), 0, 0, sessions));
}
BENCHMARK(BM_Scan)->Args({1024, 512})->Args({1024, 64})->Args({1024, 1088})->Args({288, 1088});

// (b) From a store of the flag by another core to the store that takes it down, seen by that core:
// two transfers of a cache line with one poll between them.
void BM_FlagRoundTrip(benchmark::State& state) {
  const Worker worker(1, 1, 1, 1);
  const PinnedStream stream;
  std::vector<double> trips;
  for (auto _ : state) {
    worker.context()->ffn.out_num = 9;
    worker.Launch(1, stream.get());
    worker.AwaitPolling();
    SpinFor(3000);
    const auto begin = Clock::now();
    __atomic_store_n(worker.Flag(0, 0), kReady, __ATOMIC_RELEASE);
    while (__atomic_load_n(worker.Flag(0, 0), __ATOMIC_ACQUIRE) == kReady) {
    }
    trips.push_back(NanosecondsSince(begin));
    state.SetIterationTime(trips.back() * 1e-9);
    stream.Synchronize();
  }
  SetQuantiles(state, trips);
}
BENCHMARK(BM_FlagRoundTrip)->UseManualTime()->Iterations(3000);

// (b) From the last flag to the return of the synchronisation, take included.
void BM_LastFlagToDone(benchmark::State& state) {
  const auto sessions = static_cast<uint32_t>(state.range(0));
  const Worker worker(sessions, kMicroBatches, kBatch, kExperts);
  const PinnedStream stream;
  std::vector<double> times;
  uint64_t m = 0;
  for (auto _ : state) {
    // As producers do, so that the slots come from this core's cache.
    for (uint32_t session = 0; session < sessions; ++session) worker.WriteIds(session, m);
    worker.SetFlags(0, sessions - 1, kReady);
    worker.context()->ffn.out_num = 9;
    worker.Launch(static_cast<int32_t>(sessions), stream.get());
    worker.AwaitPolling();
    SpinFor(20000);
    const auto begin = Clock::now();
    __atomic_store_n(worker.Flag(sessions - 1, m), kReady, __ATOMIC_RELEASE);
    stream.Synchronize();
    times.push_back(NanosecondsSince(begin));
    state.SetIterationTime(times.back() * 1e-9);
    m = (m + 1) % kMicroBatches;
  }
  SetQuantiles(state, times);
}
BENCHMARK(BM_LastFlagToDone)
    ->Arg(2)
    ->Arg(32)
    ->Arg(144)
    ->Arg(288)
    ->UseManualTime()
    ->Iterations(1000);

// From a stop to the return of the synchronisation, after a wait of so many milliseconds.
void BM_StopToDone(benchmark::State& state) {
  const Worker worker(2, 1, 1, 1);
  const PinnedStream stream;
  std::vector<double> times;
  for (auto _ : state) {
    __atomic_store_n(&worker.context()->control.run_flag, 1, __ATOMIC_RELEASE);
    worker.Launch(2, stream.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(state.range(0)));
    const auto begin = Clock::now();
    __atomic_store_n(&worker.context()->control.run_flag, 0, __ATOMIC_RELEASE);
    stream.Synchronize();
    times.push_back(NanosecondsSince(begin));
    state.SetIterationTime(times.back() * 1e-9);
  }
  SetQuantiles(state, times);
}
BENCHMARK(BM_StopToDone)->Arg(1)->Arg(100)->UseManualTime()->Iterations(10);

// (c) The share of a core that a call takes which has waited for a second.
void BM_IdleShare(benchmark::State& state) {
  const Worker worker(288, kMicroBatches, kBatch, kExperts);
  const PinnedStream stream;
  const auto cpu_seconds = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  for (auto _ : state) {
    __atomic_store_n(&worker.context()->control.run_flag, 1, __ATOMIC_RELEASE);
    worker.Launch(static_cast<int32_t>(state.range(0)), stream.get());
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const double begin = cpu_seconds();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    state.counters["percent_of_core"] = 100 * (cpu_seconds() - begin) / 2;
    __atomic_store_n(&worker.context()->control.run_flag, 0, __ATOMIC_RELEASE);
    stream.Synchronize();
  }
}
BENCHMARK(BM_IdleShare)->Arg(288)->Arg(1)->Iterations(1)->Unit(benchmark::kSecond);

// (e) Both phases as the client's thread sees them, and the whole of a call that finds its flag up.
void BM_Launch(benchmark::State& state) {
  const Worker worker(1, 1, 1, 1);
  const PinnedStream stream;
  std::vector<double> launches, calls;
  for (auto _ : state) {
    __atomic_store_n(worker.Flag(0, 0), kReady, __ATOMIC_RELEASE);
    const auto begin = Clock::now();
    worker.Launch(1, stream.get());
    launches.push_back(NanosecondsSince(begin));
    stream.Synchronize();
    calls.push_back(NanosecondsSince(begin));
  }
  state.counters["launch_p50_ns"] = Quantile(launches, 0.5);
  SetQuantiles(state, calls);
}
BENCHMARK(BM_Launch)->UseRealTime()->Iterations(20000);

}  // namespace
}  // namespace anyacl::afd

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0) return 1;
  benchmark::RunSpecifiedBenchmarks();
  aclrtResetDevice(0);
  return aclFinalize();
}
