// SPDX-License-Identifier: Apache-2.0
#include "reference/flash_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/product.h"

namespace anyacl::test {
namespace {

constexpr double kFp32 = 0x1p-24;

// Whether row i sees column j.
bool Sees(const FlashProblem& p, int64_t b, int64_t n, int64_t i, int64_t j) {
  if (!p.has_mask) return true;
  if (p.mask.given() && p.mask.At(b, n, i, j) != 0) return false;
  const int64_t from_end = j - (p.key - p.query);  // counted from the lower right corner
  switch (p.sparse_mode) {
    case 0:
      return j >= i - p.pre_tokens && j <= i + p.next_tokens;
    case 2:
      return j <= i;
    case 3:
      return from_end <= i;
    case 4:
      return from_end >= i - p.pre_tokens && from_end <= i + p.next_tokens;
    case 5:
    case 6:
      return from_end <= i || j < p.prefix[static_cast<size_t>(b)];
    default:
      return true;
  }
}

bool Keeps(const FlashProblem& p, int64_t b, int64_t n, int64_t i, int64_t j) {
  if (p.drop.empty()) return true;
  const int64_t bit = ((b * p.heads + n) * p.query + i) * p.key + j;
  return (p.drop[static_cast<size_t>(bit / 8)] >> (bit % 8) & 1) != 0;
}

// One query head.
class Head {
 public:
  Head(const FlashProblem& problem, double unit, double held, int64_t b, int64_t n,
       FlashResult* result)
      : p_(problem),
        unit_(unit),
        held_(held),
        b_(b),
        n_(n),
        row0_((b * problem.heads + n) * problem.query),
        column0_((b * problem.kv_heads + n / (problem.heads / problem.kv_heads)) * problem.key),
        r_(*result) {}

  void Row(int64_t i) {
    Scores(i);
    Out(i);
    if (!p_.dy.empty()) Gradients(i);
  }

 private:
  const double* K(int64_t j) const { return p_.k.data() + (column0_ + j) * p_.dim; }
  const double* V(int64_t j) const { return p_.v.data() + (column0_ + j) * p_.value_dim; }

  // p_of_ and what it may be off relatively.
  void Scores(int64_t i) {
    const auto count = static_cast<size_t>(p_.key);
    p_of_.assign(count, 0);
    p_of_sink_ = 0;
    std::vector<double> s(count, -INFINITY);
    double max = -INFINITY, largest = 0;
    for (int64_t j = 0; j < p_.key; ++j) {
      if (!Sees(p_, b_, n_, i, j)) continue;
      const auto [product, size] = DotOf(p_.q.data() + (row0_ + i) * p_.dim, K(j), p_.dim);
      const double pse = p_.pse.given() ? p_.pse.At(b_, n_, i, j) : 0;
      const double pse_scale = p_.scales_pse ? p_.scale : 1;
      const double score = p_.scale * product + pse_scale * pse;
      if (!std::isinf(pse)) {
        largest = std::max(largest, std::fabs(p_.scale) * size + std::fabs(pse_scale * pse));
      }
      s[static_cast<size_t>(j)] = score;
      max = std::max(max, score);
    }
    // A column that every row sees, if there are columns.
    const bool has_sink = !p_.sink.empty() && p_.key > 0;
    const double sink = has_sink ? p_.sink[static_cast<size_t>(n_)] : -INFINITY;
    max = std::max(max, sink);
    const auto row = static_cast<size_t>(row0_ + i);
    const double score_error = static_cast<double>(p_.dim + 8) * kFp32 * largest;
    relative_ = 2 * score_error + static_cast<double>(p_.key + 32) * kFp32;
    if (max == -INFINITY) {
      // No column: statistics that make every probability 0.
      const double huge = std::numeric_limits<float>::max();
      r_.max.values[row] = p_.key == 0 ? 0 : -huge;
      r_.sum.values[row] = p_.key == 0 ? 0 : huge;
      return;
    }
    double sum = 0;
    for (size_t j = 0; j < count; ++j) sum += p_of_[j] = std::exp(s[j] - max);
    sum += p_of_sink_ = std::exp(sink - max);
    p_of_sink_ /= sum;
    for (double& p : p_of_) p /= sum;
    r_.max.values[row] = max;
    r_.max.bounds[row] = score_error;
    r_.sum.values[row] = sum;
    r_.sum.bounds[row] = sum * relative_;
  }

  double Weight(int64_t i, int64_t j) const {
    return Keeps(p_, b_, n_, i, j) ? 1 / p_.keep_prob : 0;
  }

  void Out(int64_t i) {
    std::vector<double> weights = p_of_;
    for (int64_t j = 0; j < p_.key; ++j) weights[static_cast<size_t>(j)] *= Weight(i, j);
    const ProductSums out = ProductOf(weights.data(), V(0), 1, p_.key, p_.value_dim);
    for (int64_t d = 0; d < p_.value_dim; ++d) {
      const auto at = static_cast<size_t>((row0_ + i) * p_.value_dim + d);
      r_.out.values[at] = out.sums[static_cast<size_t>(d)];
      r_.out.bounds[at] = out.sizes[static_cast<size_t>(d)] * (relative_ + unit_);
    }
  }

  static void Add(Near& to, int64_t at, double value, double bound) {
    to.values[static_cast<size_t>(at)] += value;
    to.bounds[static_cast<size_t>(at)] += bound;
  }
  // weight * x, which may be off by `error` times its magnitude.
  static void AddRow(Near& to, int64_t row, double weight, double error, const double* x,
                     int64_t count) {
    AddTerms(weight, error, x, count, to.values.data() + row * count,
             to.bounds.data() + row * count);
  }

  void Gradients(int64_t i) {
    const double* dy = p_.dy.data() + (row0_ + i) * p_.value_dim;
    const auto [delta, delta_size] =
        DotOf(dy, r_.out.values.data() + (row0_ + i) * p_.value_dim, p_.value_dim);
    const double off = relative_ + static_cast<double>(p_.value_dim) * kFp32;
    if (!p_.sink.empty()) {
      Add(r_.dsink, n_, -p_of_sink_ * delta, p_of_sink_ * delta_size * (off + held_));
    }
    for (int64_t j = 0; j < p_.key; ++j) {
      const double p = p_of_[static_cast<size_t>(j)], w = Weight(i, j);
      const auto [product, size] = DotOf(dy, V(j), p_.value_dim);
      const double dp = w * product;
      const double ds = p * (dp - delta) * p_.scale;
      const double ds_off =
          std::fabs(p * p_.scale) * ((w * size + delta_size) * off + delta_size * held_);
      if (!r_.dpse.values.empty()) {
        const double by_pse = p_.scales_pse ? 1 : 1 / p_.scale;
        Add(r_.dpse, (row0_ + i) * p_.key + j, ds * by_pse,
            std::fabs(by_pse) * (ds_off + std::fabs(ds) * 2 * kFp32));
      }
      const double sums = unit_ + static_cast<double>(p_.key + p_.query * p_.heads) * kFp32;
      const double error = ds_off + std::fabs(ds) * sums;
      AddRow(r_.dq, row0_ + i, ds, error, K(j), p_.dim);
      AddRow(r_.dk, column0_ + j, ds, error, p_.q.data() + (row0_ + i) * p_.dim, p_.dim);
      AddRow(r_.dv, column0_ + j, p * w, std::fabs(p * w) * (relative_ + sums), dy, p_.value_dim);
    }
  }

  const FlashProblem& p_;
  const double unit_, held_;
  const int64_t b_, n_, row0_, column0_;
  FlashResult& r_;
  std::vector<double> p_of_;
  double p_of_sink_ = 0;
  double relative_ = 0;
};

}  // namespace

template <class T>
size_t Shared<T>::IndexOf(int64_t b, int64_t n, int64_t i, int64_t j) const {
  const int64_t index[4] = {b, n, i, j};
  int64_t at = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t k = index[4 - dims.size() + d];
    at = at * dims[d] + (dims[d] == 1 ? 0 : k);
  }
  return static_cast<size_t>(at);
}

template struct Shared<double>;
template struct Shared<uint8_t>;

void Near::Resize(int64_t count) {
  values.assign(static_cast<size_t>(count), 0);
  bounds.assign(static_cast<size_t>(count), 0);
}

void MakePse(FlashProblem& p, const Shared<double>& slopes, bool roots, int64_t row_place,
             int64_t column_place) {
  p.scales_pse = false;
  p.pse = {{slopes.dims.size() == 1 ? 1 : p.batch, p.heads, p.query, p.key}, {}};
  for (double slope : slopes.values) {
    for (int64_t i = 0; i < p.query; ++i) {
      for (int64_t j = 0; j < p.key; ++j) {
        const auto distance = std::fabs(static_cast<double>(row_place + i - column_place - j));
        p.pse.values.push_back(-slope * (roots ? std::sqrt(distance) : distance));
      }
    }
  }
}

FlashResult FlashAttention(const FlashProblem& p, double unit, double held) {
  FlashResult result;
  const int64_t rows = p.batch * p.heads * p.query, columns = p.batch * p.kv_heads * p.key;
  result.out.Resize(rows * p.value_dim);
  result.max.Resize(rows);
  result.sum.Resize(rows);
  if (!p.dy.empty()) {
    result.dq.Resize(rows * p.dim);
    result.dk.Resize(columns * p.dim);
    result.dv.Resize(columns * p.value_dim);
    result.dpse.Resize(rows * p.key);
    result.dsink.Resize(static_cast<int64_t>(p.sink.size()));
  }
  for (int64_t b = 0; b < p.batch; ++b) {
    for (int64_t n = 0; n < p.heads; ++n) {
      Head head(p, unit, held, b, n, &result);
      for (int64_t i = 0; i < p.query; ++i) head.Row(i);
    }
  }
  return result;
}

}  // namespace anyacl::test
