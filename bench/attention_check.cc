// SPDX-License-Identifier: Apache-2.0
#include "attention_check.h"

#include <cmath>
#include <set>
#include <sstream>

#include "reference/attention.h"
#include "support/element.h"

namespace anyacl::bench {
namespace {

// The first element of a row of keys and values.
int64_t RowStart(const AttentionShape& s, const HostTensor& table, int64_t b, int64_t g,
                 int64_t j) {
  switch (s.cache) {
    case AttentionCache::kBnsd:
      return ((b * s.kv_heads + g) * s.keys + j) * s.dim;
    case AttentionCache::kBsnd:
      return ((b * s.keys + j) * s.kv_heads + g) * s.dim;
    default:
      break;
  }
  const auto page = static_cast<int64_t>(
      test::LoadElement(ACL_INT32, table.bytes.data(), b * (s.keys / s.block) + j / s.block));
  const int64_t row = j % s.block;
  return s.cache == AttentionCache::kPagedRows ? ((page * s.block + row) * s.kv_heads + g) * s.dim
                                               : ((page * s.kv_heads + g) * s.block + row) * s.dim;
}

int64_t QueryStart(const AttentionShape& s, int64_t b, int64_t n, int64_t i) {
  return (s.cache == AttentionCache::kBsnd ? (b * s.query + i) * s.heads + n
                                           : (b * s.heads + n) * s.query + i) *
         s.dim;
}

// Of the columns [first, last) of one head.
test::ReferenceScales ScalesOf(const AttentionShape& s, const HostTensor& scale, int64_t b,
                               int64_t g, int64_t first, int64_t last) {
  test::ReferenceScales scales;
  if (scale.bytes.empty()) return scales;
  if (s.type == AttentionType::kInt8Token) {
    scales.mode = 1;
    scales.tokens = last - first;
    for (int64_t j = first; j < last; ++j) scales.values.push_back(scale.At(b * s.keys + j));
  } else {
    for (int64_t d = 0; d < s.dim; ++d) scales.values.push_back(scale.At(g * s.dim + d));
  }
  return scales;
}

// One row of a head as a problem of its own: over the columns that count for it, it is a decoding
// step whatever the mode.
test::ReferenceAttention RowOf(const AttentionShape& s, const AttentionProblem& p, int64_t b,
                               int64_t n, int64_t i) {
  const int64_t g = n / (s.heads / s.kv_heads);
  const auto [first, last] = ColumnsOf(s, i);
  test::ReferenceAttention row;
  row.dim = s.dim;
  row.kv_size = last - first;
  row.query_lengths = {1};
  row.kv_lengths = {row.kv_size};
  for (int64_t d = 0; d < s.dim; ++d) row.q.push_back(p.query.At(QueryStart(s, b, n, i) + d));
  for (int64_t j = first; j < last; ++j) {
    const int64_t start = RowStart(s, p.table, b, g, j);
    for (int64_t d = 0; d < s.dim; ++d) {
      row.k.push_back(p.key.At(start + d));
      row.v.push_back(p.value.At(start + d));
    }
  }
  row.key_scale = ScalesOf(s, p.key_scale, b, g, first, last);
  row.value_scale = ScalesOf(s, p.value_scale, b, g, first, last);
  row.scale = p.scale;
  row.quantised = s.type == AttentionType::kInt8All;
  row.deq1 = p.deq1;
  row.quant1 = p.quant1;
  row.deq2 = p.deq2;
  return row;
}

std::string DifferenceInRow(const AttentionShape& s, const AttentionProblem& p, int64_t b,
                            int64_t n, int64_t i) {
  const test::ReferenceAttention row = RowOf(s, p, b, n, i);
  const test::ReferenceResult expected = test::Attend(row);
  const std::vector<double> bounds = test::ErrorBounds(
      row, expected, p.out.type == ACL_BF16 ? test::OutputKind::kBf16 : test::OutputKind::kFp16,
      p.key.type != p.query.type);
  for (int64_t d = 0; d < s.dim; ++d) {
    const auto at = static_cast<size_t>(d);
    const double actual = p.out.At(QueryStart(s, b, n, i) + d);
    if (std::fabs(actual - expected.out[at]) <= bounds[at]) continue;
    std::ostringstream text;
    text << "out[b=" << b << "][n=" << n << "][i=" << i << "][d=" << d << "] = " << actual
         << ", expected " << expected.out[at] << " within " << bounds[at];
    return text.str();
  }
  return "";
}

}  // namespace

double HostTensor::At(int64_t i) const {
  if (type != ACL_INT4) return test::LoadElement(type, bytes.data(), i);
  const int half = bytes[static_cast<size_t>(i / 2)] >> (i % 2 * 4) & 15;
  return half < 8 ? half : half - 16;
}

std::string Difference(const AttentionShape& s, const AttentionProblem& problem) {
  for (int64_t b : std::set<int64_t>{0, s.batch - 1}) {
    for (int64_t n : std::set<int64_t>{0, s.heads - 1}) {
      for (int64_t i : std::set<int64_t>{0, s.query - 1}) {
        const std::string difference = DifferenceInRow(s, problem, b, n, i);
        if (!difference.empty()) return difference;
      }
    }
  }
  return "";
}

}  // namespace anyacl::bench
