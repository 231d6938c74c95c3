// SPDX-License-Identifier: Apache-2.0
#include "grouped_matmul_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
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
#include "report.h"

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

// xorshift (Marsaglia 2003) in words of 64 bits.
class Random {
 public:
  uint64_t Next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  // From `low` to twice that.
  float Scale(float low) { return low * (1 + static_cast<float>(Next() >> 40) * 0x1p-24f); }
  template <class T>
  std::vector<T> Bytes(size_t count) {
    std::vector<uint64_t> words((count * sizeof(T) + 7) / 8);
    for (uint64_t& word : words) word = Next();
    const T* first = reinterpret_cast<const T*>(words.data());
    return {first, first + count};
  }

 private:
  uint64_t state_ = 88172645463325252;
};

// The weights of a model, which the cases that name it share.
struct Matrices {
  explicit Matrices(const GroupedCase& c) : shape(c) {
    Random random;
    const bool int8 = IsInt8(c.weights);
    bytes = random.Bytes<int8_t>(static_cast<size_t>(c.experts * c.k * c.n / (int8 ? 1 : 2)));
    const int64_t width = int8 ? 32 : 64;
    weight =
        std::make_unique<Tensor>(int8 ? ACL_INT8 : ACL_INT4,
                                 std::vector<int64_t>{c.experts, c.n / width, c.k / 16, 16, width});
    weight->Upload(bytes.data());
    const int64_t groups = GroupsOf(c);
    scales.resize(static_cast<size_t>(c.experts * groups * c.n));
    for (float& scale : scales) scale = random.Scale(0.001f);
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
    for (float& value : biases) value = random.Scale(0.1f);
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
    Random random;
    const int64_t m = c.rows * c.experts;
    x_values_ = random.Bytes<int8_t>(static_cast<size_t>(m * c.k));
    x_ = std::make_unique<Tensor>(ACL_INT8, std::vector<int64_t>{m, c.k});
    x_->Upload(x_values_.data());
    for (int64_t i = 0; i < m; ++i) x_scales_.push_back(random.Scale(0.0001f));
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
  double Column(int64_t row, int64_t expert, int64_t n) const {
    const int64_t groups = GroupsOf(case_);
    const int64_t size = case_.k / groups;
    const bool int8 = IsInt8(case_.weights);
    double sum = 0;
    for (int64_t g = 0; g < groups; ++g) {
      int64_t part = 0;
      for (int64_t k = g * size; k < (g + 1) * size; ++k) {
        const int64_t x = x_values_[static_cast<size_t>(row * case_.k + k)];
        part += (int8 ? x : x - 8) * matrices_->Weight(expert, k, n);
      }
      sum += static_cast<double>(part) *
             matrices_->scales[static_cast<size_t>((expert * groups + g) * case_.n + n)];
    }
    if (!int8) sum += matrices_->biases[static_cast<size_t>(expert * case_.n + n)];
    return sum * x_scales_[static_cast<size_t>(row)];
  }

  // The first and the last row against the definition, in double.
  void Verify() {
    const int64_t half = case_.n / 2;
    std::vector<int8_t> q(q_->bytes());
    q_->Download(q.data());
    std::vector<float> scales(q_scale_->bytes() / sizeof(float));
    q_scale_->Download(scales.data());
    const int64_t last = case_.rows * case_.experts - 1;
    for (int64_t row : {int64_t{0}, last}) {
      std::vector<double> s(static_cast<size_t>(half));
      double largest = 0;
      for (int64_t j = 0; j < half; ++j) {
        const int64_t expert = row == 0 ? 0 : case_.experts - 1;
        const double a = Column(row, expert, j);
        s[static_cast<size_t>(j)] = a / (1 + std::exp(-a)) * Column(row, expert, half + j);
        largest = std::max(largest, std::abs(s[static_cast<size_t>(j)]));
      }
      const double scale = largest / 127;
      bool right = std::abs(scales[static_cast<size_t>(row)] - scale) <= 1e-5 * scale;
      for (int64_t j = 0; j < half; ++j) {
        const double value = q[static_cast<size_t>(row * half + j)];
        right &= std::abs(value - s[static_cast<size_t>(j)] / scale) <= 0.501;
      }
      if (!right) error_ = "row " + std::to_string(row) + " is wrong";
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
