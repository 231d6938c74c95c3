// SPDX-License-Identifier: Apache-2.0
#include "reference/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/product.h"

namespace anyacl::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Attention {
 public:
  explicit Attention(const ReferenceAttention& a)
      : a_(a), group_(a.heads / a.kv_heads), one_token_(a.query_size == 1) {
    const auto rows = static_cast<size_t>(a.batch * a.heads * a.query_size);
    result_.out.assign(rows * static_cast<size_t>(a.dim), 0.0);
    result_.magnitude = result_.out;
    result_.lse.assign(rows, kInfinity);
    result_.exact.assign(rows, true);
    result_.slack.assign(rows, 0.0);
  }

  ReferenceResult Run() {
    for (int64_t b = 0; b < a_.batch; ++b) {
      for (int64_t g = 0; g < a_.kv_heads; ++g) {
        Dequantise(b, g);
        for (int64_t n = g * group_; n < (g + 1) * group_; ++n) {
          for (int64_t i = 0; i < QueryLength(b); ++i) Row(b, n, i);
        }
      }
    }
    return std::move(result_);
  }

 private:
  int64_t QueryLength(int64_t b) const {
    return one_token_ ? 1 : a_.query_lengths[static_cast<size_t>(b)];
  }
  int64_t KvLength(int64_t b) const { return a_.kv_lengths[static_cast<size_t>(b)]; }
  int64_t Columns(int64_t b) const { return a_.kv_empty ? 0 : a_.prefix + KvLength(b); }

  int64_t QueryStart(int64_t b) const {
    if (!a_.query_padding || one_token_) return 0;
    const int64_t start = a_.query_size - std::max<int64_t>(0, *a_.query_padding) - QueryLength(b);
    return std::max<int64_t>(0, start);
  }
  // Not bounded below.
  int64_t KvStart(int64_t b) const {
    if (!a_.kv_padding) return 0;
    return a_.kv_size - std::max<int64_t>(0, *a_.kv_padding) - KvLength(b);
  }

  bool InWindow(int64_t b, int64_t i, int64_t j) const {
    if (one_token_) return true;
    const int64_t delta = Columns(b) - QueryLength(b);
    const int64_t pre = std::clamp<int64_t>(a_.pre_tokens, -INT32_MAX, INT32_MAX);
    const int64_t next = std::clamp<int64_t>(a_.next_tokens, -INT32_MAX, INT32_MAX);
    switch (a_.sparse_mode) {
      case 0:
        if (a_.mask.empty() || a_.query_padding || a_.kv_padding) return true;
        return -pre <= j - i && j - i <= next;
      case 2:
        return j <= i;
      case 3:
        return j <= i + delta;
      case 4:
        return i - pre + delta <= j && j <= i + next + delta;
      default:
        return true;
    }
  }

  bool Masked(int64_t b, int64_t i, int64_t j) const {
    if (a_.mask.empty() || (!one_token_ && a_.sparse_mode >= 2)) return false;
    const int64_t mb = a_.mask_batch == 1 ? 0 : b;
    const int64_t row = one_token_ ? 0 : QueryStart(b) + i;
    const int64_t column = std::max<int64_t>(0, KvStart(b)) + j;
    return a_.mask[static_cast<size_t>((mb * a_.mask_rows + row) * a_.mask_columns + column)] != 0;
  }

  double Pse(int64_t b, int64_t n, int64_t i, int64_t j) const {
    if (a_.pse.empty()) return 0;
    const int64_t pb = a_.pse_batch == 1 ? 0 : b;
    const int64_t row = one_token_ ? 0 : QueryStart(b) + i;
    const int64_t column = std::max<int64_t>(0, KvStart(b)) + j;
    return a_.pse[static_cast<size_t>(((pb * a_.heads + n) * a_.pse_rows + row) * a_.pse_columns +
                                      column)];
  }

  // The number for column j (the prefix included) and channel d.
  double ScaleAt(const ReferenceScales& s, int64_t b, int64_t g, int64_t j, int64_t d,
                 double otherwise) const {
    if (s.values.empty()) return otherwise;
    if (s.values.size() == 1) return s.values[0];
    const int64_t token = std::max<int64_t>(0, KvStart(b)) + j;
    int64_t index = 0;
    if (s.mode == 0) index = g * a_.dim + d;
    if (s.mode == 1) index = b * s.tokens + token;
    if (s.mode == 2) index = g;
    if (s.mode == 3) index = (b * a_.kv_heads + g) * s.tokens + token;
    if (s.mode >= 4) {
      const int64_t block =
          a_.blocks[static_cast<size_t>(b * a_.block_width + token / a_.block_size)];
      const int64_t outer = s.mode == 4 ? block : block * a_.kv_heads + g;
      index = outer * a_.block_size + token % a_.block_size;
    }
    return s.values[static_cast<size_t>(index)];
  }

  double Element(const std::vector<double>& own, const std::vector<double>& prefix, int64_t b,
                 int64_t g, int64_t j, int64_t d) const {
    if (j < a_.prefix) {
      return prefix[static_cast<size_t>((g * a_.prefix_size + j) * a_.dim + d)];
    }
    const int64_t row = std::max<int64_t>(0, KvStart(b)) + j - a_.prefix;
    return own[static_cast<size_t>(((b * a_.kv_heads + g) * a_.kv_size + row) * a_.dim + d)];
  }

  double Key(int64_t b, int64_t g, int64_t j, int64_t d) const {
    return (Element(a_.k, a_.kp, b, g, j, d) + ScaleAt(a_.key_offset, b, g, j, d, 0)) *
           ScaleAt(a_.key_scale, b, g, j, d, 1);
  }
  double Value(int64_t b, int64_t g, int64_t j, int64_t d) const {
    return (Element(a_.v, a_.vp, b, g, j, d) + ScaleAt(a_.value_offset, b, g, j, d, 0)) *
           ScaleAt(a_.value_scale, b, g, j, d, 1);
  }

  // Once for all rows that meet them.
  void Dequantise(int64_t b, int64_t g) {
    keys_.clear();
    values_.clear();
    for (int64_t j = 0; j < Columns(b); ++j) {
      for (int64_t d = 0; d < a_.dim; ++d) {
        keys_.push_back(Key(b, g, j, d));
        values_.push_back(Value(b, g, j, d));
      }
    }
  }

  double Score(int64_t b, int64_t n, int64_t i, int64_t j) const {
    const int64_t row = QueryStart(b) + i;
    const int64_t q = ((b * a_.heads + n) * a_.query_size + row) * a_.dim;
    double sum = DotOf(a_.q.data() + q, keys_.data() + j * a_.dim, a_.dim).sum;
    if (a_.quantised) sum *= a_.deq1;
    return sum * static_cast<double>(static_cast<float>(a_.scale)) + Pse(b, n, i, j);
  }

  void Row(int64_t b, int64_t n, int64_t i) {
    const int64_t row = QueryStart(b) + i;
    const auto at = static_cast<size_t>((b * a_.heads + n) * a_.query_size + row);
    double* out = result_.out.data() + at * static_cast<size_t>(a_.dim);
    double* magnitude = result_.magnitude.data() + at * static_cast<size_t>(a_.dim);
    if (one_token_ && KvStart(b) < 0) return;  // zeros, even of an INT8 output
    std::vector<int64_t> columns;
    std::vector<double> scores;
    bool all_masked = true;
    for (int64_t j = 0; j < Columns(b); ++j) {
      if (!InWindow(b, i, j)) continue;
      columns.push_back(j);
      const bool masked = Masked(b, i, j);
      scores.push_back(masked ? -kInfinity : Score(b, n, i, j));
      all_masked = all_masked && masked;
    }
    const bool corrected = !one_token_ && (a_.inner_precise & 2) != 0;
    if (columns.empty() || (all_masked && corrected)) {
      if (one_token_ && !a_.kv_empty) Quantise(n, at, out);
      return;
    }
    const double lowest = one_token_ ? -1e12 : -0x1.fffffep127;
    double max = *std::max_element(scores.begin(), scores.end());
    if (all_masked) {
      std::fill(scores.begin(), scores.end(), 0.0);
      max = 0;
    }
    double sum = 0;
    for (size_t c = 0; c < columns.size(); ++c) {
      const double p = std::exp(scores[c] - max);
      sum += p;
      if (p == 0.0) continue;
      double weight = p;
      if (a_.quantised) {
        weight = std::clamp(std::nearbyint(p * a_.quant1), -128.0, 127.0) * a_.deq2;
        const double tie = std::abs(p * a_.quant1 - std::floor(p * a_.quant1) - 0.5);
        if (tie < 2e-3) result_.slack[at] += 128 * a_.deq2;
      }
      AddTerms(weight, std::abs(weight), values_.data() + columns[c] * a_.dim, a_.dim, out,
               magnitude);
    }
    for (int64_t d = 0; d < a_.dim; ++d) {
      out[d] /= sum;
      magnitude[d] /= sum;
    }
    result_.slack[at] /= sum;
    result_.lse[at] = (all_masked ? lowest : max) + std::log(sum);
    result_.exact[at] = false;
    Quantise(n, at, out);
  }

  void Quantise(int64_t n, size_t at, double* out) {
    if (!a_.int8_out) return;
    result_.exact[at] = false;
    for (int64_t d = 0; d < a_.dim; ++d) {
      const size_t c = a_.out_scale.size() == 1 ? 0 : static_cast<size_t>(n * a_.dim + d);
      const double offset = a_.out_offset.empty() ? 0 : a_.out_offset[c];
      out[d] = std::clamp(out[d] * a_.out_scale[c] + offset, -128.0, 127.0);
      result_.magnitude[at * static_cast<size_t>(a_.dim) + static_cast<size_t>(d)] *=
          std::abs(a_.out_scale[c]);
    }
  }

  const ReferenceAttention& a_;
  const int64_t group_;
  const bool one_token_;
  std::vector<double> keys_, values_;  // [column][D] of the head in hand
  ReferenceResult result_;
};

}  // namespace

ReferenceResult Attend(const ReferenceAttention& a) { return Attention(a).Run(); }

std::vector<double> ErrorBounds(const ReferenceAttention& a, const ReferenceResult& result,
                                OutputKind kind, bool integers) {
  const bool int8 = kind == OutputKind::kInt8;
  const double place = int8 ? 0 : kind == OutputKind::kBf16 ? 0x1p-8 : 0x1p-11;
  const double least = int8 ? 0.5 : 0x1p-24;
  const double probability = kind == OutputKind::kBf16 ? 0x1p-8 : 3e-5;
  const double largest_scale = int8 ? *std::max_element(a.out_scale.begin(), a.out_scale.end()) : 1;
  const auto dim = static_cast<size_t>(a.dim);
  std::vector<double> bounds;
  double largest = 0;
  for (size_t i = 0; i < result.out.size(); ++i) {
    if (integers && !int8 && i % dim == 0) {
      const auto first = result.magnitude.begin() + static_cast<std::ptrdiff_t>(i);
      largest = *std::max_element(first, first + a.dim);
    }
    bounds.push_back(place * std::abs(result.out[i]) + least + probability * result.magnitude[i] +
                     0x1p-12 * largest + result.slack[i / dim] * largest_scale);
  }
  return bounds;
}

}  // namespace anyacl::test
