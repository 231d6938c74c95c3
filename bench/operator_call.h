// SPDX-License-Identifier: Apache-2.0
// What benchmarks of operators share: a call that can be repeated, its throughput against a ceiling
// of the same moment, its latency.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "acl/acl.h"
#include "device.h"

namespace anyacl::bench {

// The tensors of one case, filled, and its calls.
class OperatorCall {
 public:
  OperatorCall(aclrtStream stream, int64_t elements) : stream_(stream), elements_(elements) {}
  virtual ~OperatorCall() = default;
  OperatorCall(const OperatorCall&) = delete;
  OperatorCall& operator=(const OperatorCall&) = delete;

  // Both phases.
  virtual void Enqueue() = 0;
  // Bytes that any implementation must read and write.
  virtual size_t bytes() const = 0;

  void Synchronise() const;
  void Run() {
    Enqueue();
    Synchronise();
  }

  aclrtStream stream() const { return stream_; }
  // What rates count.
  int64_t elements() const { return elements_; }
  // Empty if the results are right, which was checked once.
  const std::string& error() const { return error_; }

 protected:
  // At least `size` bytes, the same for every call that needs no more.
  void* Workspace(uint64_t size);
  void set_error(std::string error) { error_ = std::move(error); }

 private:
  aclrtStream stream_;
  int64_t elements_;
  std::string error_;
  std::unique_ptr<Tensor> workspace_;
};

// A limit and how to measure it, in bytes per second.
struct Ceiling {
  const char* label;
  std::function<double()> rate;
};

// Seconds per call, bytes and elements per second, percent of the ceiling. It alternates between
// the ceiling and the calls, because the ceiling of memory changes over time: each run is compared
// with the mean of its neighbours.
void MeasureThroughput(benchmark::State& state, OperatorCall& call, const Ceiling& ceiling);

// The ceiling is that of the call's bytes, in the caches if they fit and in memory if not: a copy
// of them, one that reads two arrays for each that it writes, a loop that reads.
void MeasureAgainstCopy(benchmark::State& state, OperatorCall& call);
void MeasureAgainstTriad(benchmark::State& state, OperatorCall& call);
void MeasureAgainstRead(benchmark::State& state, OperatorCall& call);

// Both phases and a synchronisation, one call at a time.
void MeasureLatency(benchmark::State& state, OperatorCall& call);

// Keeps the call of a benchmark for its repetitions; the call before it is freed.
class CurrentCall {
 public:
  explicit CurrentCall(aclrtStream stream) : stream_(stream) {}

  aclrtStream stream() const { return stream_; }
  OperatorCall& For(const std::string& name,
                    const std::function<std::unique_ptr<OperatorCall>()>& make);

 private:
  aclrtStream stream_;
  std::string name_;
  std::unique_ptr<OperatorCall> call_;
};

using Measure = std::function<void(benchmark::State&, OperatorCall&)>;

// A benchmark of the call that `make` makes when it first runs.
void RegisterCall(const std::string& name, const std::shared_ptr<CurrentCall>& current,
                  const std::function<std::unique_ptr<OperatorCall>()>& make,
                  const Measure& measure);

}  // namespace anyacl::bench
