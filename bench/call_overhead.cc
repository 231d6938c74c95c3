// SPDX-License-Identifier: Apache-2.0
#include "call_overhead.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "device.h"
#include "measure.h"
#include "report.h"

namespace anyacl::bench {
namespace {

constexpr int kWarmSamples = 5000;
constexpr int kColdSamples = 200;
// Long enough for every thread of the library to have gone to sleep.
constexpr std::chrono::milliseconds kColdPause(1);

using Action = std::function<void()>;

struct Samples {
  int count;
  Action measured;
  // Before and after each sample, outside the measured time; may be null.
  Action prepare = nullptr;
  Action finish = nullptr;
};

void Register(const std::string& name, Samples samples) {
  const auto body = [samples = std::move(samples)](benchmark::State& state) {
    for (auto _ : state) {
      std::vector<double> seconds;
      for (int i = 0; i < samples.count; ++i) {
        if (samples.prepare != nullptr) samples.prepare();
        const double start = Now();
        samples.measured();
        seconds.push_back(Now() - start);
        if (samples.finish != nullptr) samples.finish();
      }
      state.SetIterationTime(Median(seconds));
      state.counters[kP99Seconds] = Quantile(seconds, 0.99);
    }
  };
  benchmark::RegisterBenchmark(("Call/" + name).c_str(), body)->Apply(OneSamplePerRepetition);
}

void Pause() { std::this_thread::sleep_for(kColdPause); }

// The smallest work that goes through every step of an operator.
class TinyQuant {
 public:
  explicit TinyQuant(aclrtStream stream)
      : stream_(stream), x_(ACL_FLOAT16, {1, 16}), y_(ACL_INT8, {1, 16}), scale_(ACL_FLOAT, {1}) {
    const std::vector<aclFloat16> ones(16, aclFloatToFloat16(1));
    x_.Upload(ones.data());
  }

  void PhaseOne() {
    Check(aclnnDynamicQuantV2GetWorkspaceSize(x_.get(), nullptr, nullptr, ACL_INT8, y_.get(),
                                              scale_.get(), nullptr, &workspace_size_, &executor_),
          "aclnnDynamicQuantV2GetWorkspaceSize");
  }
  void PhaseTwo() {
    Check(aclnnDynamicQuantV2(nullptr, workspace_size_, executor_, stream_), "aclnnDynamicQuantV2");
  }
  void Synchronise() { Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream"); }

 private:
  aclrtStream stream_;
  Tensor x_;
  Tensor y_;
  Tensor scale_;
  uint64_t workspace_size_ = 0;
  aclOpExecutor* executor_ = nullptr;
};

void RegisterOperatorCall(aclrtStream stream) {
  const auto quant = std::make_shared<TinyQuant>(stream);
  const Action phase_one = [quant] { quant->PhaseOne(); };
  const Action phase_two = [quant] { quant->PhaseTwo(); };
  const Action synchronise = [quant] { quant->Synchronise(); };
  const Action both_phases = [quant] {
    quant->PhaseOne();
    quant->PhaseTwo();
  };
  const Action run = [quant] {
    quant->PhaseTwo();
    quant->Synchronise();
  };
  const Action whole = [quant] {
    quant->PhaseOne();
    quant->PhaseTwo();
    quant->Synchronise();
  };
  Register("operator", {kWarmSamples, whole});
  Register("operator_after_pause", {kColdSamples, whole, Pause});
  Register("operator/phase_one", {kWarmSamples, phase_one, nullptr, run});
  Register("operator/phase_two", {kWarmSamples, phase_two, phase_one, synchronise});
  Register("operator/synchronise", {kWarmSamples, synchronise, both_phases});
}

struct Events {
  Events() { Check(aclrtCreateEvent(&event), "aclrtCreateEvent"); }
  ~Events() { aclrtDestroyEvent(event); }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  aclrtEvent event = nullptr;
};

void RegisterStream(aclrtStream stream) {
  const Action synchronise = [stream] {
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  };
  Register("empty_synchronise", {kWarmSamples, synchronise});

  const auto events = std::make_shared<Events>();
  const Action record = [=] { Check(aclrtRecordEvent(events->event, stream), "aclrtRecordEvent"); };
  const Action wait = [=] {
    Check(aclrtStreamWaitEvent(stream, events->event), "aclrtStreamWaitEvent");
  };
  Register("event_record", {kWarmSamples, record, nullptr, synchronise});
  Register("event_record_and_synchronise", {kWarmSamples, [=] {
                                              record();
                                              Check(aclrtSynchronizeEvent(events->event),
                                                    "aclrtSynchronizeEvent");
                                            }});
  Register("stream_wait_event", {kWarmSamples, wait, record, synchronise});
}

// A graph of copies of one word: what a replay costs is the difference to the empty one.
class TinyGraph {
 public:
  explicit TinyGraph(int tasks) : from_(ACL_INT32, {1}), to_(ACL_INT32, {1}) {
    Check(aclrtCreateStream(&stream_), "aclrtCreateStream");
    Check(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), "aclmdlRICaptureBegin");
    for (int i = 0; i < tasks; ++i) {
      Check(aclrtMemcpyAsync(to_.data(), 4, from_.data(), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_),
            "aclrtMemcpyAsync");
    }
    Check(aclmdlRICaptureEnd(stream_, &graph_), "aclmdlRICaptureEnd");
  }
  ~TinyGraph() {
    aclmdlRIDestroy(graph_);
    aclrtDestroyStream(stream_);
  }
  TinyGraph(const TinyGraph&) = delete;
  TinyGraph& operator=(const TinyGraph&) = delete;

  void Replay() {
    Check(aclmdlRIExecuteAsync(graph_, stream_), "aclmdlRIExecuteAsync");
    Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream");
  }

 private:
  Tensor from_;
  Tensor to_;
  aclrtStream stream_ = nullptr;
  aclmdlRI graph_ = nullptr;
};

void RegisterGraphs() {
  for (int tasks : {0, 100}) {
    const auto graph = std::make_shared<TinyGraph>(tasks);
    Register("graph_of_" + std::to_string(tasks) + "_tasks",
             {kWarmSamples, [graph] { graph->Replay(); }});
  }
}

void RegisterMemoryCalls(aclrtStream stream) {
  for (const auto& [name, bytes] :
       {std::pair<const char*, size_t>{"64KiB", 64 << 10}, {"64MiB", 64 << 20}}) {
    Register(std::string("malloc_and_free_") + name,
             {kColdSamples, [bytes = bytes] {
                void* memory = nullptr;
                Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
                Check(aclrtFree(memory), "aclrtFree");
              }});
  }

  const auto device = std::make_shared<Tensor>(ACL_INT8, std::vector<int64_t>{1024});
  const auto host = std::make_shared<std::vector<char>>(1024);
  Register("memcpy_1KiB_to_device", {kWarmSamples, [=] { device->Upload(host->data()); }});
  Register("memcpy_1KiB_to_host", {kWarmSamples, [=] { device->Download(host->data()); }});
  const auto other = std::make_shared<Tensor>(ACL_INT8, std::vector<int64_t>{1024});
  Register("memcpy_async_1KiB_and_synchronise",
           {kWarmSamples, [=] {
              Check(aclrtMemcpyAsync(other->data(), 1024, device->data(), 1024,
                                     ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
                    "aclrtMemcpyAsync");
              Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
            }});
}

}  // namespace

void RegisterCallOverhead(aclrtStream stream) {
  RegisterOperatorCall(stream);
  RegisterStream(stream);
  RegisterGraphs();
  RegisterMemoryCalls(stream);
}

}  // namespace anyacl::bench
