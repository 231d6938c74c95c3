// SPDX-License-Identifier: Apache-2.0
#include "operator_call.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "ceilings.h"
#include "machine.h"
#include "measure.h"
#include "report.h"

namespace anyacl::bench {
namespace {

// Seconds per call of `calls` calls in a row.
double TimeCalls(OperatorCall& call, int calls) {
  const double start = Now();
  for (int i = 0; i < calls; ++i) call.Enqueue();
  call.Synchronise();
  return (Now() - start) / calls;
}

struct Sample {
  double seconds;
  double percent;
  double ceiling;
};

Sample MeasureAgainst(OperatorCall& call, const Ceiling& ceiling) {
  constexpr int kRounds = 7;
  constexpr double kRoundSeconds = 1e-3;
  constexpr double kMostSeconds = 0.5;
  const double once = TimeCalls(call, 1);
  // The ceiling has sent the library's threads to sleep and evicted what a small case keeps in the
  // caches; the last level takes several calls to fill again.
  const int warm_up = call.bytes() <= LastLevelCacheBytes() ? 5 : 1;
  if (std::getenv("ANYACL_PIN") != nullptr) KeepOnFirstCpu();
  const int calls = std::clamp(static_cast<int>(kRoundSeconds / once), 3, 1000);

  std::vector<double> seconds;
  std::vector<double> percents;
  std::vector<double> ceilings = {ceiling.rate()};
  const double start = Now();
  for (int round = 0; round < kRounds; ++round) {
    TimeCalls(call, warm_up);
    seconds.push_back(TimeCalls(call, calls));
    ceilings.push_back(ceiling.rate());
    const double limit = (ceilings[round] + ceilings[round + 1]) / 2;
    percents.push_back(100 * static_cast<double>(call.bytes()) / seconds.back() / limit);
    if (Now() - start > kMostSeconds) break;
  }
  return {Median(seconds), Median(percents), Median(ceilings)};
}

bool FitsIntoCaches(const OperatorCall& call) {
  return call.bytes() <= LastLevelCacheBytes() / 4 * 3;
}

Ceiling CacheCopy(const OperatorCall& call) {
  return {"cache copy", [&] { return CacheCopyRate(call.bytes()); }};
}

}  // namespace

void OperatorCall::Synchronise() const {
  Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream");
}

void* OperatorCall::Workspace(uint64_t size) {
  if (size == 0) return nullptr;
  if (workspace_ == nullptr || workspace_->bytes() < size) {
    workspace_ = std::make_unique<Tensor>(ACL_INT8, std::vector{static_cast<int64_t>(size)});
  }
  return workspace_->data();
}

void MeasureThroughput(benchmark::State& state, OperatorCall& call, const Ceiling& ceiling) {
  for (auto _ : state) {
    const Sample sample = MeasureAgainst(call, ceiling);
    state.SetIterationTime(sample.seconds);
    state.counters[kBytesPerSecond] = static_cast<double>(call.bytes()) / sample.seconds;
    state.counters[kElementsPerSecond] = static_cast<double>(call.elements()) / sample.seconds;
    state.counters[kCeilingBytesPerSecond] = sample.ceiling;
    state.counters[kPercentOfCeiling] = sample.percent;
  }
  state.SetLabel(ceiling.label);
}

void MeasureAgainstCopy(benchmark::State& state, OperatorCall& call) {
  MeasureThroughput(
      state, call, FitsIntoCaches(call) ? CacheCopy(call) : Ceiling{"memory copy", MemoryCopyRate});
}

void MeasureAgainstTriad(benchmark::State& state, OperatorCall& call) {
  MeasureThroughput(
      state, call,
      FitsIntoCaches(call) ? CacheCopy(call) : Ceiling{"memory triad", MemoryTriadRate});
}

void MeasureAgainstRead(benchmark::State& state, OperatorCall& call) {
  MeasureThroughput(state, call,
                    FitsIntoCaches(call)
                        ? Ceiling{"cache read", [&] { return CacheReadRate(call.bytes()); }}
                        : Ceiling{"memory read", MemoryReadRate});
}

void MeasureLatency(benchmark::State& state, OperatorCall& call) {
  constexpr size_t kSamples = 1000;
  constexpr double kMostSeconds = 0.2;
  for (auto _ : state) {
    std::vector<double> seconds;
    const double start = Now();
    while (seconds.size() < kSamples && Now() - start < kMostSeconds) {
      seconds.push_back(TimeCalls(call, 1));
    }
    const double median = Median(seconds);
    state.SetIterationTime(median);
    state.counters[kP99Seconds] = Quantile(seconds, 0.99);
    state.counters[kElementsPerSecond] = static_cast<double>(call.elements()) / median;
  }
}

OperatorCall& CurrentCall::For(const std::string& name,
                               const std::function<std::unique_ptr<OperatorCall>()>& make) {
  if (name_ != name) {
    call_.reset();
    call_ = make();
    name_ = name;
  }
  return *call_;
}

void RegisterCall(const std::string& name, const std::shared_ptr<CurrentCall>& current,
                  const std::function<std::unique_ptr<OperatorCall>()>& make,
                  const Measure& measure) {
  const auto body = [=](benchmark::State& state) {
    OperatorCall& call = current->For(name, make);
    if (!call.error().empty()) {
      state.SkipWithError(call.error().c_str());
      return;
    }
    measure(state, call);
  };
  benchmark::RegisterBenchmark(name.c_str(), body)->Apply(OneSamplePerRepetition);
}

}  // namespace anyacl::bench
