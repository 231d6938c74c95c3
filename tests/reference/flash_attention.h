// SPDX-License-Identifier: Apache-2.0
// FlashAttentionScore and its gradient in double precision, written from CANN's documents
// (ops-transformer: attention/flash_attention_score/docs, flash_attention_score_grad/docs,
// docs/context: sparse modes), with all scores of a head in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anyacl::test {

// Numbers that may be shared along dimensions of size 1: [B or 1][N or 1][Sq or 1][S2].
template <class T>
struct Shared {
  std::vector<int64_t> dims = {};  // two or four; none: absent
  std::vector<T> values = {};

  bool given() const { return !dims.empty(); }
  size_t IndexOf(int64_t b, int64_t n, int64_t i, int64_t j) const;
  T At(int64_t b, int64_t n, int64_t i, int64_t j) const { return values[IndexOf(b, n, i, j)]; }
};

struct FlashProblem {
  int64_t batch = 1, heads = 1, kv_heads = 1;
  int64_t query = 1, key = 1;  // Sq and S2
  int64_t dim = 1, value_dim = 1;
  double scale = 1, keep_prob = 1;
  std::vector<double> q, k, v, dy;  // [B][N][S][D]
  Shared<double> pse;
  bool scales_pse = true;     // it is added before the scores are scaled
  std::vector<double> sink;   // [N]; empty: none
  std::vector<uint8_t> drop;  // bits; empty: no dropout
  Shared<uint8_t> mask;       // of all columns, whatever the call's tensor says
  bool has_mask = false;
  int64_t sparse_mode = 0, pre_tokens = 0, next_tokens = 0;
  std::vector<int64_t> prefix;
};

// What pseType 2 and 3 make of slopes, [N] or [B, N]: the distance of row `row_place` + i and
// column `column_place` + j, or its root, times -slope.
void MakePse(FlashProblem& problem, const Shared<double>& slopes, bool roots, int64_t row_place,
             int64_t column_place);

// A result and how far one in fp32 may be off.
struct Near {
  std::vector<double> values, bounds;
  void Resize(int64_t count);
};

struct FlashResult {
  Near out, max, sum;     // [B][N][Sq][Dv], [B][N][Sq]
  Near dq, dk, dv, dpse;  // dpse: [B][N][Sq][S2]
  Near dsink;             // [N]
};

// `unit`: the relative error of what is multiplied, 2^-24 in fp32. `held`: that of the result of
// the forward call as the gradient receives it.
FlashResult FlashAttention(const FlashProblem& problem, double unit, double held);

}  // namespace anyacl::test
