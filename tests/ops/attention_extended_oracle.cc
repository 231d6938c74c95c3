// SPDX-License-Identifier: Apache-2.0
// What double arithmetic makes of such a call.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/attention_extended_layout.h"
#include "reference/product.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

// Whether column j counts for row i of a batch entry, and whether a mask hides it.
struct Sight {
  bool counts;
  bool hidden;
};

Sight SightOf(const ExtendedProblem& p, int64_t b, int64_t i, int64_t j) {
  const ExtendedOptions& o = p.options;
  const int64_t rows = o.query_lengths[static_cast<size_t>(b)];
  const int64_t columns = o.kv_lengths[static_cast<size_t>(b)], shift = columns - rows;
  switch (o.sparse_mode) {
    case 2:
      return {j <= i, false};
    case 3:
      return {j <= i + shift, false};
    case 4:
      return {j >= i + shift - o.pre_tokens && j <= i + shift + o.next_tokens, false};
    case 9: {
      if (j < shift) return {true, false};
      int64_t start = b * p.query_size * p.query_size, step = p.query_size;
      if (o.Ragged()) {
        start = 0;
        step = rows;
        for (int64_t e = 0; e < b; ++e) {
          start +=
              o.query_lengths[static_cast<size_t>(e)] * o.query_lengths[static_cast<size_t>(e)];
        }
      }
      return {true, p.mask[static_cast<size_t>(start + i * step + j - shift)] != 0};
    }
    default: {
      if (!o.mask) return {true, false};
      const int64_t width = p.call.tensors[kMask]->dims[2];
      const bool hidden = p.mask[static_cast<size_t>((b * p.query_size + i) * width + j)] != 0;
      const bool inside = o.sparse_mode == 1 || (j >= i - o.pre_tokens && j <= i + o.next_tokens);
      return {inside, hidden};
    }
  }
}

struct Row {
  Values out, magnitude;
  double lse = INFINITY;
  bool empty = true;
};

double ScaleOfCache(const ExtendedProblem& p, const Values& scales, int64_t b, int64_t g, int64_t j,
                    int64_t d) {
  const ExtendedOptions& o = p.options;
  if (scales.empty()) return 1;
  if (Latent8(o)) return scales[0];
  const int64_t tokens = static_cast<int64_t>(p.table.size()) / Batch(o) * o.block_size;
  return scales[static_cast<size_t>(o.per_token ? b * tokens + j : g * o.dim + d)];
}

// Keys and values of a head as numbers, for all rows that see them.
struct Cache {
  Values keys, values;
};

Cache CacheOf(const ExtendedProblem& p, int64_t b, int64_t g) {
  const ExtendedOptions& o = p.options;
  const int64_t columns = o.kv_lengths[static_cast<size_t>(b)], width = o.dim + TailOf(o);
  const auto part = [&](const Values& all, int64_t size) {
    const auto begin = all.begin() + g * columns * size;
    return Values(begin, begin + columns * size);
  };
  Cache cache = {part(p.k[static_cast<size_t>(b)], width),
                 part(p.v[static_cast<size_t>(b)], o.value_dim)};
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t d = 0; d < o.dim; ++d) {
      cache.keys[static_cast<size_t>(j * width + d)] *= ScaleOfCache(p, p.key_scale, b, g, j, d);
    }
    for (int64_t d = 0; d < o.value_dim; ++d) {
      cache.values[static_cast<size_t>(j * o.value_dim + d)] *=
          ScaleOfCache(p, p.value_scale, b, g, j, d);
    }
  }
  return cache;
}

Row RowOf(const ExtendedProblem& p, const Cache& cache, int64_t b, int64_t n, int64_t i) {
  const ExtendedOptions& o = p.options;
  const int64_t rows = o.query_lengths[static_cast<size_t>(b)];
  const int64_t columns = o.kv_lengths[static_cast<size_t>(b)];
  const int64_t width = o.dim + TailOf(o);
  const double* q = p.q[static_cast<size_t>(b)].data() + (n * rows + i) * width;
  double query_scale = 1;
  if (!p.query_scale.empty()) {
    Place place = QueryPlace(p, InLayout(o), 1);
    query_scale = p.query_scale[static_cast<size_t>(place.At(b, n, i))];
  }
  Values scores;
  Row row{Values(static_cast<size_t>(o.value_dim)), Values(static_cast<size_t>(o.value_dim))};
  double top = o.sink ? p.sink[static_cast<size_t>(n)] : -INFINITY;
  bool all_hidden = true;
  for (int64_t j = 0; j < columns; ++j) {
    const Sight sight = SightOf(p, b, i, j);
    const double* k = cache.keys.data() + j * width;
    const double own = DotOf(q, k, o.dim).sum;
    const double rope = DotOf(q + o.dim, k + o.dim, width - o.dim).sum;
    double s = (own * query_scale + rope) * static_cast<float>(o.scale);
    if (sight.hidden) s = -std::numeric_limits<float>::max();
    all_hidden = all_hidden && (sight.hidden || !sight.counts);
    scores.push_back(sight.counts ? s : -INFINITY);
    row.empty = row.empty && !sight.counts;
    if (sight.counts) top = std::max(top, s);
  }
  if ((o.inner_precise & 2) != 0 && all_hidden && !o.sink) row.empty = true;
  if (row.empty) return row;
  double sum = o.sink ? std::exp(p.sink[static_cast<size_t>(n)] - top) : 0;
  for (int64_t j = 0; j < columns; ++j) {
    const double weight = std::exp(scores[static_cast<size_t>(j)] - top);
    sum += weight;
    AddTerms(weight, weight, cache.values.data() + j * o.value_dim, o.value_dim, row.out.data(),
             row.magnitude.data());
  }
  for (size_t d = 0; d < row.out.size(); ++d) {
    row.out[d] /= sum;
    row.magnitude[d] /= sum;
  }
  row.lse = top + std::log(sum);
  return row;
}

Values ReadOut(const ExtendedProblem& p, const Tensor& tensor) {
  Values values;
  for (uint16_t x : tensor.Read<uint16_t>()) {
    values.push_back(OutType(p.options) == ACL_BF16 ? DecodeBf16(x) : DecodeFp16(x));
  }
  return values;
}

}  // namespace

void ExpectExtended(const ExtendedProblem& p, const AttentionObjects& objects) {
  const ExtendedOptions& o = p.options;
  const Values out = ReadOut(p, *objects.tensors[kOut]);
  const Place place = QueryPlace(p, OutLayout(o), o.value_dim);
  std::vector<float> lse;
  if (o.lse) lse = objects.tensors[kLse]->Read<float>();
  const bool bf16 = OutType(o) == ACL_BF16;
  // Of bf16 probabilities each is rounded; integers of 16 bits may stand for numbers that meet
  // INT8.
  const double rounding = bf16 ? 0x1p-8 : 0x1p-11, error = bf16 ? 0x1p-8 : 1e-4;
  std::vector<bool> written(out.size());
  for (int64_t b = 0; b < Batch(o); ++b) {
    const int64_t group = o.heads / o.kv_heads;
    Cache cache;
    for (int64_t n = 0; n < o.heads; ++n) {
      if (n % group == 0) cache = CacheOf(p, b, n / group);
      for (int64_t i = 0; i < o.query_lengths[static_cast<size_t>(b)]; ++i) {
        const Row row = RowOf(p, cache, b, n, i);
        const int64_t at = place.At(b, n, i);
        for (int64_t d = 0; d < o.value_dim; ++d) {
          const auto index = static_cast<size_t>(at + d), e = static_cast<size_t>(d);
          written[index] = true;
          const double wanted = row.empty ? 0 : row.out[e];
          const double bound =
              row.empty ? 0 : rounding * std::abs(wanted) + error * row.magnitude[e];
          ASSERT_LE(std::abs(out[index] - wanted), bound)
              << "b " << b << " n " << n << " i " << i << " d " << d << ": " << out[index]
              << ", expected " << wanted;
        }
        if (!o.lse) continue;
        const int64_t line =
            o.Ragged() ? QueryPlace(p, "TND", 1).At(b, n, i) : QueryPlace(p, "BNSD", 1).At(b, n, i);
        const float actual = lse[static_cast<size_t>(line)];
        if (row.empty) {
          ASSERT_EQ(actual, INFINITY);
        } else {
          ASSERT_LE(std::abs(actual - row.lse), 1e-4 + 1e-5 * std::abs(row.lse)) << "lse " << line;
        }
      }
    }
  }
  // Rows that no length covers are zeros.
  for (size_t i = 0; i < out.size(); ++i) {
    if (!written[i]) {
      ASSERT_EQ(out[i], 0) << "element " << i;
    }
  }
}

}  // namespace anyacl::test
