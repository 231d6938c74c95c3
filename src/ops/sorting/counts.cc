// SPDX-License-Identifier: Apache-2.0
// Bincount and Histc. Threads count for themselves and add up; weights are added by one thread, in
// the order of the elements.
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/blocks/convert.h"
#include "ops/sorting/rows.h"

namespace anyacl::sorting {
namespace {

constexpr int64_t kCountBlock = 512;
constexpr int64_t kCountPiece = 32 * kCountBlock;

// Elements of a row as numbers of another type: body(numbers, count, place of the first).
template <class T, class Body>
void ForBlocks(const Rows& rows, aclDataType from_type, aclDataType type, const char* row,
               int64_t begin, int64_t end, const Body& body) {
  T numbers[kCountBlock];
  for (; begin < end; begin += kCountBlock) {
    const int64_t last = std::min(end, begin + kCountBlock);
    rows.ForRuns(row, begin, last, [&](const char* from, int64_t step, int64_t n, int64_t first) {
      blocks::ConvertElements(from_type, from, step, type,
                              reinterpret_cast<char*>(numbers + (first - begin)), sizeof(T), n);
    });
    body(numbers, last - begin, begin);
  }
}

// out[i] = sums[i]
void StoreSums(const Bindings& bindings, const TensorView& out, aclDataType type,
               const void* sums) {
  blocks::ConvertElements(type, static_cast<const char*>(sums), BitsOf(type) / 8, out.dtype,
                          out.Address(bindings), out.strides[0] * BytesOf(out), out.sizes[0]);
}

// Counts of each thread, added up.
class Counters {
 public:
  Counters(WorkspaceBook* book, int64_t bins) : bins_(bins) {
    const int64_t threads = bins <= (int64_t{1} << 16) ? ThreadCount() : 1;
    threads_ = threads;
    counts_ = book->Book<int64_t>(threads, bins);
  }
  // count(counts, begin, end) for pieces of `elements` elements; returns the sums.
  template <class Count>
  int64_t* Run(const Bindings& bindings, int64_t elements, const Count& count) const {
    int64_t* const all = counts_.In(bindings);
    std::fill_n(all, threads_ * bins_, 0);
    if (threads_ == 1) {
      count(all, 0, elements);
      return all;
    }
    ParallelFor(elements, kCountPiece, [&](int64_t begin, int64_t end, int64_t slot) {
      count(all + slot * bins_, begin, end);
    });
    for (int64_t t = 1; t < threads_; ++t) {
      for (int64_t b = 0; b < bins_; ++b) all[b] += all[t * bins_ + b];
    }
    return all;
  }

 private:
  int64_t bins_, threads_;
  WorkspaceSlot<int64_t> counts_;
};

class BincountPlan final : public BookedPlan {
 public:
  BincountPlan(const TensorView& self, const TensorView& weights, const TensorView& out)
      : self_(self, -1),
        weights_(weights.given() ? weights : self, -1),
        types_{self.dtype, weights.dtype},
        weighted_(weights.given()),
        out_(out),
        counters_(&book_, out.sizes[0]) {
    if (weighted_) sums_ = book_.Book<double>(static_cast<size_t>(out.sizes[0]));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t bins = out_.sizes[0];
    const char* const row = self_.length() > 0 ? self_.Row(bindings, 0) : nullptr;
    std::atomic<int64_t> wrong{-1};
    const auto visit = [&](int64_t begin, int64_t end, const auto& add) {
      ForBlocks<int64_t>(self_, types_[0], ACL_INT64, row, begin, end,
                         [&](const int64_t* values, int64_t n, int64_t first) {
                           for (int64_t i = 0; i < n; ++i) {
                             if (static_cast<uint64_t>(values[i]) < static_cast<uint64_t>(bins)) {
                               add(values[i], first + i);
                             } else {
                               wrong.store(first + i, std::memory_order_relaxed);
                             }
                           }
                         });
    };
    if (!weighted_) {
      const int64_t* const counts =
          counters_.Run(bindings, self_.length(), [&](int64_t* mine, int64_t begin, int64_t end) {
            visit(begin, end, [&](int64_t value, int64_t) { ++mine[value]; });
          });
      if (bins > 0) StoreSums(bindings, out_, ACL_INT64, counts);
    } else {
      double* const sums = sums_.In(bindings);
      std::fill_n(sums, bins, 0.0);
      AddWeights(bindings, sums, visit);
      if (bins > 0) StoreSums(bindings, out_, ACL_DOUBLE, sums);
    }
    if (wrong.load() < 0) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "self: an element (number {}) is not from 0 to {}: out.shape = [{}]", wrong.load(),
                bins - 1, bins);
  }

 private:
  // Sums of FLOAT results are rounded at each step, as they are where sums are FLOAT.
  template <class Visit>
  void AddWeights(const Bindings& bindings, double* sums, const Visit& visit) const {
    if (self_.length() == 0) return;
    const char* const row = weights_.Row(bindings, 0);
    const bool narrow = out_.dtype == ACL_FLOAT;
    ForBlocks<double>(weights_, types_[1], ACL_DOUBLE, row, 0, self_.length(),
                      [&](const double* weights, int64_t n, int64_t first) {
                        visit(first, first + n, [&](int64_t value, int64_t place) {
                          const double sum = sums[value] + weights[place - first];
                          sums[value] = narrow ? static_cast<double>(static_cast<float>(sum)) : sum;
                        });
                      });
  }

  const Rows self_, weights_;
  const aclDataType types_[2];
  const bool weighted_;
  const TensorView out_;
  const Counters counters_;
  WorkspaceSlot<double> sums_;
};

// Bins of equal widths; what lies outside of min to max, and NaN, is not counted.
class HistcPlan final : public BookedPlan {
 public:
  HistcPlan(const TensorView& self, const TensorView& out, double low, double high)
      : self_(self, -1),
        type_(self.dtype),
        out_(out),
        low_(low),
        high_(high),
        counters_(&book_, out.sizes[0]) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const char* const row = self_.length() > 0 ? self_.Row(bindings, 0) : nullptr;
    double low = low_, high = high_;
    if (low == high && row != nullptr) FindRange(row, &low, &high);
    if (low == high) {
      low -= 1;
      high += 1;
    }
    if (!std::isfinite(low) || !std::isfinite(high)) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "min = {}, max = {}, expected finite numbers", low,
                  high);
    }
    constexpr double kMost = std::numeric_limits<float>::max();
    const bool narrow = (type_ == ACL_FLOAT || type_ == ACL_FLOAT16 || type_ == ACL_BF16) &&
                        low >= -kMost && high <= kMost;
    const int64_t* const counts =
        counters_.Run(bindings, self_.length(), [&](int64_t* mine, int64_t begin, int64_t end) {
          narrow ? Count<float>(row, begin, end, low, high, mine)
                 : Count<double>(row, begin, end, low, high, mine);
        });
    StoreSums(bindings, out_, ACL_INT64, counts);
    return {};
  }

 private:
  void FindRange(const char* row, double* low, double* high) const {
    *low = std::numeric_limits<double>::infinity();
    *high = -*low;
    ForBlocks<double>(self_, type_, ACL_DOUBLE, row, 0, self_.length(),
                      [&](const double* values, int64_t n, int64_t) {
                        for (int64_t i = 0; i < n; ++i) {
                          *low = std::isnan(values[i]) ? values[i] : std::min(*low, values[i]);
                          *high = std::max(*high, values[i]);
                        }
                      });
  }
  // In the elements' own precision, as elements at the borders of bins are counted elsewhere.
  template <class T>
  void Count(const char* row, int64_t begin, int64_t end, double low, double high,
             int64_t* counts) const {
    const int64_t bins = out_.sizes[0];
    const auto first = static_cast<T>(low);
    const auto last = static_cast<T>(high);
    const auto width = static_cast<T>(last - first);
    // The usual formula overflows near the type's limits, and has no answer for a range that is one
    // number in this type: it is the middle of whatever range was meant.
    const bool wide = !std::isfinite(width * static_cast<T>(bins));
    const auto place_of = [&](T x) {
      if (wide) return (x / 2 - first / 2) / (last / 2 - first / 2) * static_cast<T>(bins);
      if (width == 0) return static_cast<T>(bins) / 2;
      return (x - first) * static_cast<T>(bins) / width;
    };
    constexpr aclDataType kType = sizeof(T) == 4 ? ACL_FLOAT : ACL_DOUBLE;
    ForBlocks<T>(self_, type_, kType, row, begin, end, [&](const T* values, int64_t n, int64_t) {
      for (int64_t i = 0; i < n; ++i) {
        if (!(values[i] >= first && values[i] <= last)) continue;
        ++counts[std::min(static_cast<int64_t>(place_of(values[i])), bins - 1)];
      }
    });
  }

  const Rows self_;
  const aclDataType type_;
  const TensorView out_;
  const double low_, high_;
  const Counters counters_;
};

}  // namespace

Status PrepareBincount(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView out = ViewOf(operands, kOut);
  if (out.sizes[0] < operands.Int(kMinLength)) {
    return Fail(operands.spec().codes.shape, "out.shape = {}, expected at least minlength = {}",
                ShapeOf(out).ToString(), operands.Int(kMinLength));
  }
  TensorView weights;
  if (operands.Given(kWeights)) weights = ViewOf(operands, kWeights);
  const TensorView self = ViewOf(operands, kSelf);
  if (out.sizes[0] == 0 && self.elements() == 0) return {};
  call->plan = std::make_shared<BincountPlan>(self, weights, out);
  return {};
}

Status PrepareHistc(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue low, high;
  if (Status s = ReadScalar(operands, kMin, &low); !s.ok()) return s;
  if (Status s = ReadScalar(operands, kMax, &high); !s.ok()) return s;
  if (!(low.real <= high.real)) {
    return Fail(operands.spec().codes.shape, "min = {}, expected no more than max = {}", low.real,
                high.real);
  }
  call->plan = std::make_shared<HistcPlan>(ViewOf(operands, kSelf), ViewOf(operands, kOut),
                                           low.real, high.real);
  return {};
}

}  // namespace anyacl::sorting
