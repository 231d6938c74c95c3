// SPDX-License-Identifier: Apache-2.0
#include "gemm/unfold.h"

#include <algorithm>
#include <cstring>

#include "base/division.h"

namespace anyacl::gemm {
namespace {

constexpr int64_t kLine = 64;
constexpr int64_t kVector = 16;  // columns
// What few rows read twice, once to unfold it.
constexpr int64_t kFewBytes = int64_t{256} << 10;

bool CutsColumns(const Matrix& b) { return b.column_step == 1; }

// Of unfolded lines, which are not a power of two apart: 16 of them are packed at a time.
int64_t StepOf(int64_t elements) { return RoundUp(elements, kLine) + kLine; }

}  // namespace

int64_t FewColumns(const Matrix& b, int64_t depth) {
  if (CutsColumns(b) && b.panel % kVector == 0) return b.panel;
  const int64_t columns = kFewBytes / BytesOf(b.type, StepOf(depth));
  return std::max(kVector, columns / kVector * kVector);
}

int64_t UnfoldedBytes(const Matrix& b, int64_t columns, int64_t depth) {
  const bool cuts_columns = CutsColumns(b);
  const int64_t lines = cuts_columns ? depth : columns;
  return RoundUp(BytesOf(b.type, lines * StepOf(cuts_columns ? columns : depth)), kLine);
}

void Unfold(const Matrix& b, const char* from, int64_t k, int64_t column, char* to,
            PackArgs* args) {
  const bool cuts_columns = CutsColumns(b);
  // Along the panels' dimension, and across it.
  const int64_t first = cuts_columns ? column : k;
  const int64_t count = cuts_columns ? args->lines : args->depth;
  const int64_t other = cuts_columns ? k : column;
  const int64_t others = cuts_columns ? args->depth : args->lines;
  const int64_t across = cuts_columns ? b.row_step : b.column_step;
  int64_t& along_step = cuts_columns ? args->line_step : args->k_step;
  int64_t& across_step = cuts_columns ? args->k_step : args->line_step;
  along_step = 1;
  from += BytesOf(b.type, other * across);
  const auto panel_at = [&](int64_t index) {
    return from + BytesOf(b.type, index / b.panel * b.panel_step + index % b.panel);
  };
  if (first % b.panel + count <= b.panel) {
    args->from = panel_at(first);
    across_step = across;
    return;
  }
  args->from = to;
  across_step = StepOf(count);
  for (int64_t at = 0; at < count;) {
    const int64_t piece = std::min(b.panel - (first + at) % b.panel, count - at);
    const char* source = panel_at(first + at);
    char* target = to + BytesOf(b.type, at);
    const auto bytes = static_cast<size_t>(BytesOf(b.type, piece));
    const int64_t source_step = BytesOf(b.type, across);
    const int64_t target_step = BytesOf(b.type, across_step);
    for (int64_t i = 0; i < others; ++i, source += source_step, target += target_step) {
      std::memcpy(target, source, bytes);
    }
    at += piece;
  }
}

}  // namespace anyacl::gemm
