// SPDX-License-Identifier: Apache-2.0
#include "grouped_matmul_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"
#include "ceilings.h"
#include "device.h"
#include "grouped_matmul_shapes.h"
#include "machine.h"
#include "measure.h"
#include "reference/grouped_matmul.h"
#include "report.h"
#include "support/fixed.h"

namespace anyacl::bench {
namespace {

bool IsInt8(GroupedWeights weights) { return weights == GroupedWeights::kInt8; }

// Groups of k with scales of their own.
int64_t GroupsOf(const GroupedCase& c) {
  if (c.weights == GroupedWeights::kInt4Group128) return c.k / 128;
  return c.weights == GroupedWeights::kInt4Group256 ? c.k / 256 : 1;
}

std::string NameOf(const GroupedCase& c) {
  static constexpr const char* kWeights[] = {"int8", "int4", "int4_group128", "int4_group256"};
  static constexpr const char* kRouting[] = {"", "/skewed", "/two_empty"};
  return std::string(c.model) + "/" + std::to_string(c.experts) + "x" + std::to_string(c.k) + "x" +
         std::to_string(c.n) + "/" + kWeights[static_cast<int>(c.weights)] + "/" +
         std::to_string(c.rows) + "_rows" + kRouting[static_cast<int>(c.routing)];
}

// From `low` to twice that.
float Scale(test::FixedSequence& sequence, float low) { return low * (1 + sequence.Unit()); }

// Bytes, eight of a number: a model has gigabytes of them.
std::vector<int8_t> Bytes(test::FixedSequence& sequence, size_t count) {
  std::vector<uint64_t> words((count + 7) / 8);
  for (uint64_t& word : words) {
    word = sequence.Next();
    word ^= word >> 32;  // the lowest bits of the sequence have short periods
  }
  const auto* first = reinterpret_cast<const int8_t*>(words.data());
  return {first, first + count};
}

// The weights of a model, which the cases that name it share.
struct Matrices {
  explicit Matrices(const GroupedCase& c) : shape(c) {
    test::FixedSequence sequence;
    const bool int8 = IsInt8(c.weights);
    bytes = Bytes(sequence, static_cast<size_t>(c.experts * c.k * c.n / (int8 ? 1 : 2)));
    const int64_t width = int8 ? 32 : 64;
    weight =
        std::make_unique<Tensor>(int8 ? ACL_INT8 : ACL_INT4,
                                 std::vector<int64_t>{c.experts, c.n / width, c.k / 16, 16, width});
    weight->Upload(bytes.data());
    const int64_t groups = GroupsOf(c);
    scales.resize(static_cast<size_t>(c.experts * groups * c.n));
    for (float& scale : scales) scale = Scale(sequence, 0.001f);
    if (int8) {
      scale = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{c.experts, c.n});
      scale->Upload(scales.data());
      return;
    }
    scale = std::make_unique<Tensor>(ACL_UINT64, std::vector<int64_t>{c.experts, groups, c.n});
    std::vector<uint64_t> words;
    for (float value : scales) {
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      words.push_back(bits);
    }
    scale->Upload(words.data());
    biases.resize(static_cast<size_t>(c.experts * c.n));
    for (float& value : biases) value = Scale(sequence, 0.1f);
    bias = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{c.experts, c.n});
    bias->Upload(biases.data());
  }

  bool Serves(const GroupedCase& c) const {
    return c.experts == shape.experts && c.k == shape.k && c.n == shape.n &&
           c.weights == shape.weights;
  }

  int Weight(int64_t expert, int64_t k, int64_t n) const {
    const int64_t width = IsInt8(shape.weights) ? 32 : 64;
    const int64_t at =
        expert * shape.k * shape.n + n / width * (width * shape.k) + k * width + n % width;
    if (IsInt8(shape.weights)) return bytes[static_cast<size_t>(at)];
    const int nibble = bytes[static_cast<size_t>(at / 2)] >> (at % 2 == 0 ? 0 : 4) & 15;
    return (nibble ^ 8) - 8;
  }

  const GroupedCase shape;
  std::vector<int8_t> bytes;
  std::vector<float> scales, biases;
  std::unique_ptr<Tensor> weight, scale, bias;
};

std::vector<int64_t> RowsOf(const GroupedCase& c) {
  std::vector<int64_t> rows(static_cast<size_t>(c.experts), c.rows);
  const int64_t all = c.rows * c.experts;
  if (c.routing == Routing::kSkewed) {
    for (int64_t e = 0; e < c.experts; ++e) {
      const int64_t rest = all - all / 2;
      rows[static_cast<size_t>(e)] =
          e == 0 ? all / 2 : rest * e / (c.experts - 1) - rest * (e - 1) / (c.experts - 1);
    }
  } else if (c.routing == Routing::kTwoEmpty) {
    rows[2] = rows[5] = 0;
    const int64_t busy = c.experts - 2;
    int64_t i = 0;
    for (int64_t& count : rows) {
      if (count == 0) continue;
      count = all * (i + 1) / busy - all * i / busy;
      ++i;
    }
  }
  return rows;
}

class GroupedCall {
 public:
  GroupedCall(const GroupedCase& c, const std::shared_ptr<const Matrices>& matrices,
              aclrtStream stream)
      : case_(c), matrices_(matrices), stream_(stream), rows_(RowsOf(c)) {
    test::FixedSequence sequence;
    const int64_t m = c.rows * c.experts;
    x_values_ = Bytes(sequence, static_cast<size_t>(m * c.k));
    x_ = std::make_unique<Tensor>(ACL_INT8, std::vector<int64_t>{m, c.k});
    x_->Upload(x_values_.data());
    for (int64_t i = 0; i < m; ++i) x_scales_.push_back(Scale(sequence, 0.0001f));
    x_scale_ = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{m});
    x_scale_->Upload(x_scales_.data());
    std::vector<int64_t> bounds;
    for (int64_t count : rows_) bounds.push_back((bounds.empty() ? 0 : bounds.back()) + count);
    groups_ = std::make_unique<Tensor>(ACL_INT64, std::vector<int64_t>{c.experts});
    groups_->Upload(bounds.data());
    q_ = std::make_unique<Tensor>(ACL_INT8, std::vector<int64_t>{m, c.n / 2});
    q_scale_ = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{m});
    Enqueue();
    Synchronise();
    Verify();
  }

  const std::string& error() const { return error_; }

  double operations() const {
    return 2.0 * static_cast<double>(case_.rows * case_.experts) * static_cast<double>(case_.k) *
           static_cast<double>(case_.n);
  }
  // Of weights and their scales, which every call has to read; the rest is small beside them.
  double bytes() const {
    double experts = 0;
    for (int64_t count : rows_) experts += count > 0 ? 1 : 0;
    const double all = static_cast<double>(matrices_->weight->bytes() + matrices_->scale->bytes());
    return all * experts / static_cast<double>(case_.experts);
  }

  void Enqueue() {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const auto output = [](const std::unique_ptr<Tensor>& t) {
      return const_cast<aclTensor*>(t->get());
    };
    Check(aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
              x_->get(), matrices_->weight->get(),
              matrices_->bias == nullptr ? nullptr : matrices_->bias->get(), nullptr,
              matrices_->scale->get(), x_scale_->get(), groups_->get(), output(q_),
              output(q_scale_), nullptr, &size, &executor),
          "aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize");
    if (workspace_ == nullptr) {
      workspace_ = std::make_unique<Tensor>(ACL_INT8, std::vector<int64_t>{int64_t(size)});
    }
    Check(aclnnGroupedMatmulSwigluQuantWeightNZ(workspace_->data(), size, executor, stream_),
          "aclnnGroupedMatmulSwigluQuantWeightNZ");
  }

  void Synchronise() { Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream"); }

 private:
  // One row of an expert as a problem of its own.
  test::GroupedMatmulInput RowOf(int64_t row, int64_t expert) const {
    const int64_t k = case_.k, n = case_.n, groups = GroupsOf(case_);
    const auto piece = [](const auto& all, int64_t at, int64_t count) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(at * count);
      return std::vector(first, first + static_cast<std::ptrdiff_t>(count));
    };
    test::GroupedMatmulInput in;
    in.rows = in.experts = 1;
    in.depth = k;
    in.columns = n;
    in.groups = groups;
    in.int4 = !IsInt8(case_.weights);
    in.x = piece(x_values_, row, k);
    for (int64_t i = 0; i < k * n; ++i) {
      in.weight.push_back(static_cast<int8_t>(matrices_->Weight(expert, i / n, i % n)));
    }
    in.scale = piece(matrices_->scales, expert, groups * n);
    if (in.int4) in.bias = piece(matrices_->biases, expert, n);
    in.x_scale = {x_scales_[static_cast<size_t>(row)]};
    in.group_list = {1};
    return in;
  }

  // The first and the last row.
  void Verify() {
    const int64_t half = case_.n / 2;
    std::vector<int8_t> q(q_->bytes());
    q_->Download(q.data());
    std::vector<float> scales(q_scale_->bytes() / sizeof(float));
    q_scale_->Download(scales.data());
    const int64_t last = case_.rows * case_.experts - 1;
    for (int64_t row : {int64_t{0}, last}) {
      const test::GroupedMatmulInput in = RowOf(row, row == 0 ? 0 : case_.experts - 1);
      const auto first = q.begin() + static_cast<std::ptrdiff_t>(row * half);
      const std::string difference = test::Difference(
          in, test::GroupedMatmul(in), {first, first + half}, {scales[static_cast<size_t>(row)]});
      if (!difference.empty()) error_ = "row " + std::to_string(row) + ": " + difference;
    }
  }

  const GroupedCase& case_;
  const std::shared_ptr<const Matrices> matrices_;
  aclrtStream stream_;
  const std::vector<int64_t> rows_;
  std::vector<int8_t> x_values_;
  std::vector<float> x_scales_;
  std::unique_ptr<Tensor> x_, x_scale_, groups_, q_, q_scale_, workspace_;
  std::string error_;
};

// Keeps the call of the case that runs, and the weights while the cases share them.
class CurrentCall {
 public:
  explicit CurrentCall(aclrtStream stream) : stream_(stream) {}

  GroupedCall& For(const GroupedCase& c) {
    if (case_ != &c) {
      call_.reset();
      if (matrices_ == nullptr || !matrices_->Serves(c)) {
        matrices_.reset();
        matrices_ = std::make_shared<const Matrices>(c);
      }
      call_ = std::make_unique<GroupedCall>(c, matrices_, stream_);
      case_ = &c;
    }
    return *call_;
  }

 private:
  aclrtStream stream_;
  const GroupedCase* case_ = nullptr;
  std::shared_ptr<const Matrices> matrices_;
  std::unique_ptr<GroupedCall> call_;
};

double TimeCalls(GroupedCall& call, int calls) {
  const double start = Now();
  for (int i = 0; i < calls; ++i) call.Enqueue();
  call.Synchronise();
  return (Now() - start) / calls;
}

// Alternates between the limits and the calls, whose limits change over time.
void Measure(benchmark::State& state, GroupedCall& call) {
  constexpr int kRounds = 3;
  constexpr double kRoundSeconds = 0.03;
  const double once = TimeCalls(call, 1);
  const int calls = std::clamp(static_cast<int>(kRoundSeconds / once), 1, 200);
  for (auto _ : state) {
    std::vector<double> seconds, reads = {MemoryReadRate()}, dots = {Int8DotRate()};
    std::vector<double> of_memory, of_dots;
    for (int round = 0; round < kRounds; ++round) {
      TimeCalls(call, 1);
      seconds.push_back(TimeCalls(call, calls));
      reads.push_back(MemoryReadRate());
      dots.push_back(Int8DotRate());
      const auto i = static_cast<size_t>(round);
      of_memory.push_back(200 * call.bytes() / seconds[i] / (reads[i] + reads[i + 1]));
      of_dots.push_back(200 * call.operations() / seconds[i] / (dots[i] + dots[i + 1]));
    }
    const double time = Median(seconds);
    state.SetIterationTime(time);
    state.counters[kBytesPerSecond] = call.bytes() / time;
    state.counters[kOperationsPerSecond] = call.operations() / time;
    state.counters[kCeilingBytesPerSecond] = Median(reads);
    state.counters[kCeilingOperationsPerSecond] = Median(dots);
    state.counters[kPercentOfMemory] = Median(of_memory);
    state.counters[kPercentOfCompute] = Median(of_dots);
    state.counters[kPercentOfCeiling] = std::max(Median(of_memory), Median(of_dots));
  }
  state.SetLabel("roofline");
}

// Those of one model follow each other, because they share the weights, which take longer to make
// than to multiply.
std::vector<GroupedCase> AllCases() {
  std::vector<GroupedCase> cases;
  for (GroupedCase c : kGroupedSweeps) {
    for (int64_t rows : kGroupedRows) {
      c.rows = rows;
      cases.push_back(c);
    }
  }
  cases.insert(cases.end(), std::begin(kGroupedCases), std::end(kGroupedCases));
  return cases;
}

}  // namespace

void RegisterGroupedMatmul(aclrtStream stream) {
  static const std::vector<GroupedCase> cases = AllCases();
  const auto current = std::make_shared<CurrentCall>(stream);
  for (const GroupedCase& c : cases) {
    const auto body = [current, &c](benchmark::State& state) {
      GroupedCall& call = current->For(c);
      if (!call.error().empty()) {
        state.SkipWithError(call.error().c_str());
        return;
      }
      Measure(state, call);
    };
    benchmark::RegisterBenchmark(("GroupedMatmul/" + NameOf(c)).c_str(), body)
        ->Apply(OneSamplePerRepetition);
  }
}

}  // namespace anyacl::bench
