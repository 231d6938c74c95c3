// SPDX-License-Identifier: Apache-2.0
#include "reference/sparse_attention.h"

#include <algorithm>
#include <cmath>

namespace anyacl::test {

double IndexerScore(const double* query, const double* weights, const double* key, int64_t heads,
                    int64_t dim) {
  double score = 0;
  for (int64_t n = 0; n < heads; ++n, query += dim) {
    double product = 0;
    for (int64_t d = 0; d < dim; ++d) product += query[d] * key[d];
    score += weights[n] * std::max(0.0, product);
  }
  return score;
}

Attention AttentionOf(const std::vector<double>& scores, std::optional<double> sink) {
  Attention a{scores, -INFINITY, 0};
  for (double score : scores) a.most = std::max(a.most, score);
  if (sink) a.most = std::max(a.most, *sink);
  if (sink && !scores.empty()) a.total = std::exp(*sink - a.most);
  for (double& p : a.probabilities) a.total += p = std::exp(p - a.most);
  for (double& p : a.probabilities) p /= a.total;
  return a;
}

}  // namespace anyacl::test
