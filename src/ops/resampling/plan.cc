// SPDX-License-Identifier: Apache-2.0
// One row of the result after the other: the rows that it needs are summed up first, which is done
// by the vector, and then the sum is resampled along itself. Rows that have been read are kept for
// the next rows of the result.
#include "ops/resampling/plan.h"

#include <algorithm>

#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::resampling {
namespace {

// Rows of an image that a thread keeps; sums are taken of half as many at a time.
constexpr int64_t kKept = 64;
constexpr int64_t kChunk = kKept / 2;
constexpr int64_t kLine = 16;

int64_t RoundUp(int64_t a) { return (a + kLine - 1) / kLine * kLine; }

// Neighbours of a table that have as many elements.
using Runs = std::vector<AlongRun>;
template <class Number>
Runs RunsOf(const Table<Number>& table) {
  Runs runs;
  for (size_t j = 0; j + 1 < table.begins.size(); ++j) {
    const int64_t taps = table.begins[j + 1] - table.begins[j];
    if (runs.empty() || runs.back().taps != taps) runs.push_back({0, taps});
    ++runs.back().count;
  }
  return runs;
}

struct Kernel {
  static void Across(const float* const* rows, const float* weights, int64_t taps, int64_t count,
                     float* to) {
    Kernels().resampling.across({rows, weights, taps, count, to});
  }
  static void Across(const double* const* rows, const double* weights, int64_t taps, int64_t count,
                     double* to) {
    for (int64_t j = 0; j < count; ++j) {
      double sum = 0;
      for (int64_t t = 0; t < taps; ++t) sum += weights[t] * rows[t][j];
      to[j] = sum;
    }
  }
  static void Along(const float* from, const Table<float>& table, const Runs& runs, float* to) {
    Kernels().resampling.along({from, table.at.data(), table.weights.data(), runs.data(),
                                static_cast<int64_t>(runs.size()), to});
  }
  static void Along(const double* from, const Table<double>& table, const Runs&, double* to) {
    for (int64_t j = 0; j < table.size(); ++j) {
      double sum = 0;
      const auto at = static_cast<size_t>(j);
      for (auto i = static_cast<size_t>(table.begins[at]);
           i < static_cast<size_t>(table.begins[at + 1]); ++i) {
        sum += table.weights[i] * from[table.at[i]];
      }
      to[j] = sum;
    }
  }
  static void Divide(float* to, const float* divisors, float divisor, int64_t count) {
    Kernels().resampling.divide(to, divisors, divisor, count);
  }
  static void Divide(double*, const double*, double, int64_t) {}  // averages are of no DOUBLE
};

// One run: the matrices, and the views with their addresses.
template <class Number>
class Resampler {
 public:
  Resampler(const Params& p, const Bindings& bindings) : p_(p) {
    for (int i = 0; i < kSpatial; ++i) {
      forward_[i] = TableOf<Number>(p.axes[i]);
      if (!p.counts) {
        forward_[i].divisors.assign(forward_[i].divisors.size(), Number{1});
      }
      tables_[i] = p.backward ? Transposed(forward_[i], p.axes[i].in) : forward_[i];
    }
    runs_ = RunsOf(tables_[2]);
    from_ = bindings.data[static_cast<size_t>(p.from.slot)] == nullptr ? nullptr
                                                                       : p.from.Address(bindings);
    to_ = p.to.Address(bindings);
  }

  // Numbers of scratch memory.
  static int64_t Scratch(const Params& p) {
    return (kKept + 1) * RoundUp(p.from.sizes[4]) + RoundUp(p.to.sizes[4]);
  }

  // Rows [begin, end) of the result, counted through all images.
  void Rows(int64_t begin, int64_t end, Number* scratch) {
    Cache cache;
    cache.rows = scratch;
    cache.sum = scratch + kKept * RoundUp(p_.from.sizes[4]);
    cache.result = cache.sum + RoundUp(p_.from.sizes[4]);
    std::fill_n(cache.kept, kKept, int64_t{-1});
    for (int64_t i = begin; i < end; ++i) Row(i, cache);
  }

 private:
  struct Cache {
    Number* rows;
    Number* sum;
    Number* result;
    int64_t kept[kKept];
  };

  void Row(int64_t row, Cache& cache) {
    const int64_t h = row % p_.to.sizes[3];
    const int64_t d = row / p_.to.sizes[3] % p_.to.sizes[2];
    const int64_t image = row / p_.to.sizes[3] / p_.to.sizes[2];
    const int64_t width = p_.from.sizes[4];
    bool any = false;
    const Table<Number>& depth = tables_[0];
    const Table<Number>& height = tables_[1];
    for (auto i = depth.begins[static_cast<size_t>(d)];
         i < depth.begins[static_cast<size_t>(d) + 1]; ++i) {
      const auto plane = static_cast<size_t>(i);
      const int64_t last = height.begins[static_cast<size_t>(h) + 1];
      for (int64_t j = height.begins[static_cast<size_t>(h)]; j < last; j += kChunk) {
        AddRows(image, depth.at[plane], depth.weights[plane], j, std::min(kChunk, last - j), any,
                cache);
        any = true;
      }
    }
    if (!any) std::fill_n(cache.sum, width, Number{0});
    // Where it becomes no other type it is made in its place.
    char* const to = to_ + OffsetOf(p_.to, image, d, h);
    const bool in_place = p_.to.strides[4] == 1 && IsNumber(p_.to.dtype);
    Number* const result = in_place ? reinterpret_cast<Number*>(to) : cache.result;
    Kernel::Along(cache.sum, tables_[2], runs_, result);
    if (p_.divides && !p_.backward) {
      const Number divisor = static_cast<Number>(p_.divisor) *
                             forward_[0].divisors[static_cast<size_t>(d)] *
                             forward_[1].divisors[static_cast<size_t>(h)];
      Kernel::Divide(result, forward_[2].divisors.data(), divisor, p_.to.sizes[4]);
    }
    if (in_place) return;
    blocks::StoreRow(result, p_.to.sizes[4], p_.to.dtype, to, p_.to.strides[4]);
  }

  // sum = (resume ? sum : 0) + the rows of one plane with their weights.
  void AddRows(int64_t image, int64_t d, Number weight, int64_t first, int64_t count, bool resume,
               Cache& cache) {
    const Number* rows[kChunk + 1];
    Number weights[kChunk + 1];
    int64_t taps = 0;
    if (resume) {
      rows[taps] = cache.sum;
      weights[taps++] = Number{1};
    }
    for (int64_t j = first; j < first + count; ++j) {
      const auto at = static_cast<size_t>(j);
      rows[taps] = Read(image, d, tables_[1].at[at], cache);
      weights[taps++] = weight * tables_[1].weights[at];
    }
    Kernel::Across(rows, weights, taps, p_.from.sizes[4], cache.sum);
  }

  // Neighbouring rows have places of their own.
  const Number* Read(int64_t image, int64_t d, int64_t h, Cache& cache) {
    const int64_t row = (image * p_.from.sizes[2] + d) * p_.from.sizes[3] + h;
    const char* const at = from_ + OffsetOf(p_.from, image, d, h);
    if (!p_.backward && p_.from.strides[4] == 1 && IsNumber(p_.from.dtype)) {
      return reinterpret_cast<const Number*>(at);
    }
    const int64_t place = h % kKept;
    Number* const numbers = cache.rows + place * RoundUp(p_.from.sizes[4]);
    if (cache.kept[place] == row) return numbers;
    cache.kept[place] = row;
    blocks::LoadRow(p_.from.dtype, at, p_.from.strides[4], p_.from.sizes[4], numbers);
    if (p_.divides && p_.backward) {
      const Number divisor = static_cast<Number>(p_.divisor) *
                             forward_[0].divisors[static_cast<size_t>(d)] *
                             forward_[1].divisors[static_cast<size_t>(h)];
      Kernel::Divide(numbers, forward_[2].divisors.data(), divisor, p_.from.sizes[4]);
    }
    return numbers;
  }

  static bool IsNumber(aclDataType dtype) {
    return dtype == (std::is_same_v<Number, float> ? ACL_FLOAT : ACL_DOUBLE);
  }

  // In bytes.
  static int64_t OffsetOf(const TensorView& view, int64_t image, int64_t d, int64_t h) {
    return (image / view.sizes[1] * view.strides[0] + image % view.sizes[1] * view.strides[1] +
            d * view.strides[2] + h * view.strides[3]) *
           (BitsOf(view.dtype) / 8);
  }

  const Params& p_;
  Table<Number> forward_[kSpatial], tables_[kSpatial];
  Runs runs_;  // of the last one
  const char* from_;
  char* to_;
};

class ResamplingPlan final : public BookedPlan {
 public:
  explicit ResamplingPlan(const Params& params) : p_(params) {
    const int64_t numbers = RoundUp(Resampler<float>::Scratch(p_));
    scratch_ = book_.Book<char>(
        ThreadCount(), numbers * static_cast<int64_t>(Doubles() ? sizeof(double) : sizeof(float)));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Doubles() ? RunIn<double>(bindings) : RunIn<float>(bindings);
    return {};
  }

 private:
  bool Doubles() const { return p_.from.dtype == ACL_DOUBLE; }

  template <class Number>
  void RunIn(const Bindings& bindings) const {
    Resampler<Number> resampler(p_, bindings);
    const int64_t rows = p_.to.sizes[0] * p_.to.sizes[1] * p_.to.sizes[2] * p_.to.sizes[3];
    // Some rows at a time, which read the same rows: 4 us at 2 numbers per ns.
    const int64_t cost = std::max<int64_t>(1, p_.to.sizes[4] + p_.from.sizes[4]);
    auto* const scratch = reinterpret_cast<Number*>(scratch_.In(bindings));
    ParallelFor(rows, 1 + 8192 / cost, [&](int64_t begin, int64_t end, int64_t slot) {
      resampler.Rows(begin, end, scratch + slot * RoundUp(Resampler<float>::Scratch(p_)));
    });
  }

  const Params p_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

std::shared_ptr<const Plan> MakePlan(const Params& params) {
  return std::make_shared<ResamplingPlan>(params);
}

}  // namespace anyacl::resampling
