// SPDX-License-Identifier: Apache-2.0
#include "attention_reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

#include "dynamic_quant_reference.h"

namespace anyacl::bench {
namespace {

template <class T>
T Load(const std::vector<uint8_t>& bytes, int64_t i) {
  T value;
  std::memcpy(&value, &bytes[static_cast<size_t>(i) * sizeof(T)], sizeof value);
  return value;
}

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
  const int64_t page = Load<int32_t>(table.bytes, b * (s.keys / s.block) + j / s.block);
  const int64_t row = j % s.block;
  return s.cache == AttentionCache::kPagedRows ? ((page * s.block + row) * s.kv_heads + g) * s.dim
                                               : ((page * s.kv_heads + g) * s.block + row) * s.dim;
}

// One row of the result, and how much its sums scatter.
struct Row {
  std::vector<double> out;
  std::vector<double> scatter;  // root of the sum of (weight * value)^2
  double largest_score = 0;
};

class Reference {
 public:
  Reference(const AttentionShape& shape, const AttentionProblem& problem)
      : s_(shape), p_(problem) {}

  int64_t QueryStart(int64_t b, int64_t n, int64_t i) const {
    return (s_.cache == AttentionCache::kBsnd ? (b * s_.query + i) * s_.heads + n
                                              : (b * s_.heads + n) * s_.query + i) *
           s_.dim;
  }

  Row RowOf(int64_t b, int64_t n, int64_t i) const {
    const int64_t g = n / (s_.heads / s_.kv_heads);
    const auto [first, last] = ColumnsOf(s_, i);
    std::vector<double> scores;
    for (int64_t j = first; j < last; ++j) scores.push_back(Score(QueryStart(b, n, i), b, g, j));
    const double max = *std::max_element(scores.begin(), scores.end());
    Row row{std::vector<double>(static_cast<size_t>(s_.dim)),
            std::vector<double>(static_cast<size_t>(s_.dim)), 0};
    double sum = 0;
    for (int64_t j = first; j < last; ++j) {
      const double score = scores[static_cast<size_t>(j - first)];
      row.largest_score = std::max(row.largest_score, std::fabs(score));
      double weight = std::exp(score - max);
      sum += weight;
      if (p_.weight_steps > 0) weight = std::nearbyint(weight * p_.weight_steps);
      const int64_t start = RowStart(s_, p_.table, b, g, j);
      for (int64_t d = 0; d < s_.dim; ++d) {
        const double term =
            weight * p_.out_scale * p_.value.At(start + d) * ScaleOf(p_.value_scale, b, g, j, d);
        row.out[static_cast<size_t>(d)] += term;
        row.scatter[static_cast<size_t>(d)] += term * term;
      }
    }
    for (size_t d = 0; d < row.out.size(); ++d) {
      row.out[d] /= sum;
      row.scatter[d] = std::sqrt(row.scatter[d]) / sum;
    }
    return row;
  }

 private:
  double Score(int64_t query, int64_t b, int64_t g, int64_t j) const {
    const int64_t start = RowStart(s_, p_.table, b, g, j);
    double sum = 0;
    for (int64_t d = 0; d < s_.dim; ++d) {
      sum += p_.query.At(query + d) * p_.key.At(start + d) * ScaleOf(p_.key_scale, b, g, j, d);
    }
    return sum * p_.score_scale;
  }

  double ScaleOf(const HostTensor& scale, int64_t b, int64_t g, int64_t j, int64_t d) const {
    if (scale.bytes.empty()) return 1;
    return scale.At(s_.type == AttentionType::kInt8Token ? b * s_.keys + j : g * s_.dim + d);
  }

  const AttentionShape& s_;
  const AttentionProblem& p_;
};

// Relative error of a weight, a product or the result: half a unit of bf16 and of fp16, twice;
// half a step of quantised weights.
double UnitOf(const AttentionShape& s) {
  if (s.type == AttentionType::kInt8All) return 1.0 / 127;
  const bool fp16 = s.type == AttentionType::kFp16 || s.type == AttentionType::kInt8ChannelFp16;
  return fp16 ? 0x1p-11 : 0x1p-8;
}

}  // namespace

double HostTensor::At(int64_t i) const {
  switch (type) {
    case ACL_FLOAT:
      return Load<float>(bytes, i);
    case ACL_FLOAT16:
      return Float16Value(Load<uint16_t>(bytes, i));
    case ACL_BF16:
      return BFloat16Value(Load<uint16_t>(bytes, i));
    case ACL_INT4: {
      const int half = bytes[static_cast<size_t>(i / 2)] >> (i % 2 * 4) & 15;
      return half < 8 ? half : half - 16;
    }
    default:
      return Load<int8_t>(bytes, i);
  }
}

std::string Difference(const AttentionShape& s, const AttentionProblem& problem) {
  const Reference reference(s, problem);
  for (int64_t b : std::set<int64_t>{0, s.batch - 1}) {
    for (int64_t n : std::set<int64_t>{0, s.heads - 1}) {
      for (int64_t i : std::set<int64_t>{0, s.query - 1}) {
        const Row row = reference.RowOf(b, n, i);
        for (int64_t d = 0; d < s.dim; ++d) {
          const auto at = static_cast<size_t>(d);
          const double actual = problem.out.At(reference.QueryStart(b, n, i) + d);
          // Scores carry the unit, too, as an error of their weight.
          const double bound =
              UnitOf(s) * (std::fabs(row.out[at]) + 4 * (1 + row.largest_score) * row.scatter[at]);
          if (std::fabs(actual - row.out[at]) <= bound) continue;
          std::ostringstream text;
          text << "out[b=" << b << "][n=" << n << "][i=" << i << "][d=" << d << "] = " << actual
               << ", expected " << row.out[at] << " within " << bound;
          return text.str();
        }
      }
    }
  }
  return "";
}

}  // namespace anyacl::bench
