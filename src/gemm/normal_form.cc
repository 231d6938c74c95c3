// SPDX-License-Identifier: Apache-2.0
#include "gemm/normal_form.h"

#include <utility>

namespace anyacl::gemm {
namespace {

void Transpose(Matrix& m) { std::swap(m.row_step, m.column_step); }

void RemoveBatch(Problem& p, int i) {
  --p.batch_rank;
  for (; i < p.batch_rank; ++i) {
    p.batch[i] = p.batch[i + 1];
    for (Matrix* m : {&p.a, &p.b, &p.c, &p.d}) m->batch_step[i] = m->batch_step[i + 1];
  }
}

}  // namespace

void Swap(Problem& p) {
  std::swap(p.rows, p.columns);
  std::swap(p.a, p.b);
  for (Matrix* m : {&p.a, &p.b, &p.c, &p.d}) Transpose(*m);
  std::swap(p.has_row_scale, p.has_column_scale);
  std::swap(p.row_scale_step, p.column_scale_step);
}

Problem Normalised(Problem p) {
  for (int i = p.batch_rank - 1; i >= 0; --i) {
    if (p.batch[i] == 1) RemoveBatch(p, i);
  }
  while (p.batch_rank > 0) {
    const int last = p.batch_rank - 1;
    const auto follows = [&](const Matrix& m) { return m.batch_step[last] == p.rows * m.row_step; };
    if (p.b.batch_step[last] != 0 || !follows(p.a) || !follows(p.c)) return p;
    if ((p.has_d && !follows(p.d)) || p.has_row_scale) return p;
    p.rows *= p.batch[last];
    RemoveBatch(p, last);
  }
  return p;
}

}  // namespace anyacl::gemm
