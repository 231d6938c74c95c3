// SPDX-License-Identifier: Apache-2.0
#include "gemm/unfold.h"

#include <algorithm>
#include <cstring>

#include "base/division.h"

namespace anyacl::gemm {
namespace {

constexpr int64_t kVector = 16;    // columns
constexpr size_t kPanelLine = 32;  // bytes, of most panels
// What few rows read twice, once to unfold it.
constexpr int64_t kFewBytes = int64_t{512} << 10;

bool CutsColumns(const Matrix& b) { return b.column_step == 1; }

// From line to line of what is unfolded. 16 lines of k are read at a time, which are not a power of
// two apart.
int64_t StepOf(const Matrix& b, int64_t elements) {
  return CutsColumns(b) ? RoundUp(elements, kVector) : RoundUp(elements, kLineBytes) + kLineBytes;
}

struct Lines {
  const char* from;
  int64_t from_step;
  char* to;
  int64_t to_step;
  int64_t count;
  int64_t ahead;  // to the next panel
};

void Copy(const Lines& lines, size_t bytes) {
  for (int64_t i = 0; i < lines.count; ++i) {
    std::memcpy(lines.to + i * lines.to_step, lines.from + i * lines.from_step, bytes);
  }
}
// Calls of memcpy took four of five ns that 32 bytes take.
template <size_t kBytes>
void Copy(const Lines& lines) {
  for (int64_t i = 0; i < lines.count; ++i) {
    __builtin_prefetch(lines.from + i * lines.from_step + lines.ahead);
    std::memcpy(lines.to + i * lines.to_step, lines.from + i * lines.from_step, kBytes);
  }
}

}  // namespace

int64_t FewColumns(const Matrix& b, int64_t depth) {
  if (CutsColumns(b) && b.panel % kVector == 0) return b.panel;
  const int64_t line = BytesOf(b.type, CutsColumns(b) ? depth : StepOf(b, depth));
  const int64_t columns = kFewBytes / std::max<int64_t>(1, line);
  return std::max(kVector, columns / kVector * kVector);
}

int64_t UnfoldedBytes(const Matrix& b, int64_t columns, int64_t depth) {
  const bool cuts_columns = CutsColumns(b);
  const int64_t lines = cuts_columns ? depth : columns;
  return RoundUp(BytesOf(b.type, lines * StepOf(b, cuts_columns ? columns : depth)), kLineBytes);
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
  across_step = StepOf(b, count);
  for (int64_t at = 0; at < count;) {
    const int64_t piece = std::min(b.panel - (first + at) % b.panel, count - at);
    const char* source = panel_at(first + at);
    char* target = to + BytesOf(b.type, at);
    const auto bytes = static_cast<size_t>(BytesOf(b.type, piece));
    const int64_t source_step = BytesOf(b.type, across);
    const int64_t target_step = BytesOf(b.type, across_step);
    const Lines lines{source,      source_step, target,
                      target_step, others,      BytesOf(b.type, b.panel_step)};
    bytes == kPanelLine ? Copy<kPanelLine>(lines) : Copy(lines, bytes);
    at += piece;
  }
}

}  // namespace anyacl::gemm
