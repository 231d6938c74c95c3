// SPDX-License-Identifier: Apache-2.0
// Attention over chosen keys in double precision, from the operators' documents: the scores that
// choose keys, and what a row of a query makes of those that it sees.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace anyacl::test {

// Of a key for a token: the heads' products, where they are positive, times the heads' weights.
// `query` is [heads][dim], `key` [dim].
double IndexerScore(const double* query, const double* weights, const double* key, int64_t heads,
                    int64_t dim);

// The softmax of a row's scores, and what it was made of.
struct Attention {
  std::vector<double> probabilities;
  double most;   // -INFINITY without scores
  double total;  // of exp(score - most)
};
// `sink`: the score of a column without a key.
Attention AttentionOf(const std::vector<double>& scores, std::optional<double> sink = {});

}  // namespace anyacl::test
