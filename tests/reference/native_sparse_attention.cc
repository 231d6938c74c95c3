// SPDX-License-Identifier: Apache-2.0
#include "reference/native_sparse_attention.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace anyacl::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

size_t At(int64_t row, int64_t head, int64_t heads, int64_t dim, int64_t d = 0) {
  return static_cast<size_t>((row * heads + head) * dim + d);
}

// Calls visit(block, row, w) for every row of every block.
void ForBlocks(const CompressProblem& p,
               const std::function<void(int64_t block, int64_t row, int64_t w)>& visit) {
  int64_t begin = 0, block = 0;
  for (int64_t end : p.ends) {
    for (int64_t first = begin; first + p.window <= end; first += p.stride, ++block) {
      for (int64_t w = 0; w < p.window; ++w) visit(block, first + w, w);
    }
    begin = end;
  }
}

// Calls visit(row, head, keys) for each row and head of queries; a block named twice gives its keys
// twice.
void ForRows(
    const SelectedProblem& p,
    const std::function<void(int64_t row, int64_t head, const std::vector<int64_t>& keys)>& visit) {
  int64_t first_row = 0, first_key = 0;
  for (size_t b = 0; b < p.rows.size(); ++b) {
    for (int64_t i = 0; i < p.rows[b]; ++i) {
      for (int64_t head = 0; head < p.heads; ++head) {
        std::vector<int64_t> keys;
        const int64_t key_head = head / (p.heads / p.key_heads);
        for (int64_t k = 0; k < p.count; ++k) {
          const int64_t block = p.indices[At(first_row + i, key_head, p.key_heads, p.count, k)];
          for (int64_t j = block * p.block; j < (block + 1) * p.block; ++j) {
            if (j < p.keys[b] && (!p.causal || j <= i)) keys.push_back(first_key + j);
          }
        }
        visit(first_row + i, head, keys);
      }
    }
    first_row += p.rows[b];
    first_key += p.keys[b];
  }
}

double Dot(const std::vector<double>& a, size_t at, const std::vector<double>& b, size_t other,
           int64_t count, double* size = nullptr) {
  double sum = 0;
  for (size_t d = 0; d < static_cast<size_t>(count); ++d) {
    sum += a[at + d] * b[other + d];
    if (size != nullptr) *size += std::abs(a[at + d] * b[other + d]);
  }
  return sum;
}

}  // namespace

int64_t CompressProblem::blocks() const {
  int64_t count = 0;
  ForBlocks(*this, [&](int64_t block, int64_t, int64_t) { count = block + 1; });
  return count;
}

Summed Compress(const CompressProblem& p) {
  Summed out(static_cast<size_t>(p.blocks() * p.heads * p.dim));
  ForBlocks(p, [&](int64_t block, int64_t row, int64_t w) {
    for (int64_t n = 0; n < p.heads; ++n) {
      for (int64_t d = 0; d < p.dim; ++d) {
        out.Add(At(block, n, p.heads, p.dim, d), p.weight[static_cast<size_t>(w * p.heads + n)] *
                                                     p.input[At(row, n, p.heads, p.dim, d)]);
      }
    }
  });
  return out;
}

CompressGradients CompressGradient(const CompressProblem& p) {
  CompressGradients g{Summed(p.input.size()), Summed(p.weight.size())};
  ForBlocks(p, [&](int64_t block, int64_t row, int64_t w) {
    for (int64_t n = 0; n < p.heads; ++n) {
      const auto weight = static_cast<size_t>(w * p.heads + n);
      for (int64_t d = 0; d < p.dim; ++d) {
        const double dy = p.dy[At(block, n, p.heads, p.dim, d)];
        const size_t at = At(row, n, p.heads, p.dim, d);
        g.input.Add(at, p.weight[weight] * dy);
        g.weight.Add(weight, p.input[at] * dy);
      }
    }
  });
  return g;
}

int64_t CompressAttentionProblem::most_keys() const {
  return *std::max_element(keys.begin(), keys.end());
}
int64_t CompressAttentionProblem::most_blocks() const {
  return (most_keys() + stride - 1) / stride;
}

CompressAttentionResult CompressAttention(const CompressAttentionProblem& p) {
  CompressAttentionResult r;
  const int64_t group = p.heads / p.key_heads;
  int64_t all_rows = 0;
  for (int64_t count : p.rows) all_rows += count;
  r.out = Summed(static_cast<size_t>(all_rows * p.heads * p.value_dim));
  r.importance.assign(static_cast<size_t>(all_rows * p.key_heads * p.most_blocks()), 0);
  int64_t first_row = 0, first_key = 0;
  for (size_t b = 0; b < p.rows.size(); ++b) {
    for (int64_t n = 0; n < p.heads; ++n) {
      for (int64_t i = 0; i < p.rows[b]; ++i) {
        const int64_t row = first_row + i, head = n / group;
        std::vector<double> s(static_cast<size_t>(p.keys[b]), -kInfinity);
        for (int64_t j = 0; j < p.keys[b]; ++j) {
          const auto at = static_cast<size_t>(i * p.most_keys() + j);
          if (!p.mask.empty() && p.mask[at] != 0) continue;
          double product = 0;
          for (int64_t d = 0; d < p.dim; ++d) {
            product += p.query[At(row, n, p.heads, p.dim, d)] *
                       p.key[At(first_key + j, head, p.key_heads, p.dim, d)];
          }
          s[static_cast<size_t>(j)] = product * p.scale;
        }
        const double max = *std::max_element(s.begin(), s.end());
        double sum = 0;
        for (double score : s) sum += max == -kInfinity ? 0 : std::exp(score - max);
        r.max.push_back(max);
        r.sum.push_back(sum);
        if (sum == 0) continue;
        for (int64_t j = 0; j < p.keys[b]; ++j) {
          const double probability = std::exp(s[static_cast<size_t>(j)] - max) / sum;
          for (int64_t d = 0; d < p.value_dim; ++d) {
            r.out.Add(At(row, n, p.heads, p.value_dim, d),
                      probability * p.value[At(first_key + j, head, p.key_heads, p.value_dim, d)]);
          }
          // P_slc[block + 1] has P_cmp[stride * (block + 1) - m - n] of every m and n.
          const int64_t end = std::min(p.BlocksOf(b), (j + p.stride + p.window) / p.stride);
          for (int64_t block = std::max<int64_t>(0, j / p.stride - 1); block < end; ++block) {
            for (int64_t m = 0; m < p.stride; ++m) {
              const int64_t step = p.stride * (block + 1) - m - j;
              if (step < 0 || step >= p.window) continue;
              r.importance[At(row, head, p.key_heads, p.most_blocks(), block)] += probability;
            }
          }
        }
      }
    }
    for (int64_t i = 0; i < p.rows[b] && !p.chosen.empty(); ++i) {
      for (int64_t head = 0; head < p.key_heads; ++head) {
        for (int64_t block = 0; block < p.BlocksOf(b); ++block) {
          if (p.chosen[static_cast<size_t>(i * p.most_blocks() + block)] == 0) continue;
          r.importance[At(first_row + i, head, p.key_heads, p.most_blocks(), block)] = kInfinity;
        }
      }
    }
    first_row += p.rows[b];
    first_key += p.keys[b];
  }
  return r;
}

SelectedResult SelectedAttention(const SelectedProblem& p) {
  SelectedResult r;
  const auto numbers = static_cast<size_t>(p.value_dim);
  r.out = Summed(p.query.size() / static_cast<size_t>(p.dim) * numbers);
  ForRows(p, [&](int64_t row, int64_t head, const std::vector<int64_t>& keys) {
    const int64_t key_head = head / (p.heads / p.key_heads);
    std::vector<double> scores;
    scores.reserve(keys.size());
    for (int64_t key : keys) {
      scores.push_back(p.scale * Dot(p.query, At(row, head, p.heads, p.dim), p.key,
                                     At(key, key_head, p.key_heads, p.dim), p.dim));
    }
    double max = -kInfinity, sum = 0;
    for (double score : scores) max = std::max(max, score);
    for (double score : scores) sum += std::exp(score - max);
    r.max.push_back(max);
    r.sum.push_back(sum);
    for (size_t j = 0; j < keys.size(); ++j) {
      for (int64_t d = 0; d < p.value_dim; ++d) {
        r.out.Add(At(row, head, p.heads, p.value_dim, d),
                  std::exp(scores[j] - max) / sum *
                      p.value[At(keys[j], key_head, p.key_heads, p.value_dim, d)]);
      }
    }
  });
  return r;
}

SelectedGradients SelectedAttentionGradient(const SelectedProblem& p) {
  SelectedGradients g{Summed(p.query.size()), Summed(p.key.size()), Summed(p.value.size())};
  ForRows(p, [&](int64_t row, int64_t head, const std::vector<int64_t>& keys) {
    const int64_t key_head = head / (p.heads / p.key_heads);
    const size_t q = At(row, head, p.heads, p.dim), o = At(row, head, p.heads, p.value_dim);
    double delta_size = 0;
    const double delta = Dot(p.dy, o, p.out, o, p.value_dim, &delta_size);
    const auto number = static_cast<size_t>(row * p.heads + head);
    for (int64_t key : keys) {
      const size_t k = At(key, key_head, p.key_heads, p.dim);
      const size_t v = At(key, key_head, p.key_heads, p.value_dim);
      const double score = p.scale * Dot(p.query, q, p.key, k, p.dim);
      const double probability = std::exp(score - p.max[number]) / p.sum[number];
      double parts = delta_size;
      const double dp = Dot(p.dy, o, p.value, v, p.value_dim, &parts);
      const double ds = probability * (dp - delta) * p.scale;
      const double size = probability * parts * p.scale;
      for (size_t d = 0; d < static_cast<size_t>(p.dim); ++d) {
        g.query.Add(q + d, ds * p.key[k + d], size * p.key[k + d]);
        g.key.Add(k + d, ds * p.query[q + d], size * p.query[q + d]);
      }
      for (size_t d = 0; d < static_cast<size_t>(p.value_dim); ++d) {
        g.value.Add(v + d, probability * p.dy[o + d]);
      }
    }
  });
  return g;
}

}  // namespace anyacl::test
