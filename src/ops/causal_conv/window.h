// SPDX-License-Identifier: Apache-2.0
// What a causal convolution sees at a token: as many tokens as there are taps, of a tile of columns
// in fp32, and the taps' weights.
#pragma once

#include <algorithm>

#include "base/division.h"
#include "ops/blocks/rows.h"

namespace anyacl::causal_conv {

// Tiles of columns, which threads share: the results of one know nothing of the others.
class ColumnTiles {
 public:
  ColumnTiles(int64_t columns, int64_t threads)
      : columns_(columns), width_(std::clamp(CeilDivide(columns, threads * 4), kLeast, kMost)) {}

  int64_t width() const { return width_; }
  int64_t count() const { return CeilDivide(columns_, width_); }
  int64_t Begin(int64_t tile) const { return tile * width_; }
  int64_t Count(int64_t tile) const { return std::min(width_, columns_ - Begin(tile)); }

 private:
  // Two lines of memory of 16-bit numbers; windows of four taps that stay in L1.
  static constexpr int64_t kLeast = 64, kMost = 512;
  int64_t columns_, width_;
};

class Window {
 public:
  static size_t Floats(int64_t taps, int64_t columns) {
    return static_cast<size_t>((2 * taps + 1) * columns);
  }
  Window(float* scratch, int64_t taps, int64_t columns)
      : weights_(scratch),
        rows_(scratch + taps * columns),
        sum_(rows_ + taps * columns),
        taps_(taps),
        columns_(columns) {}

  float* weight(int64_t k) const { return weights_ + k * columns_; }
  // Tokens, the oldest first.
  const float* row(int64_t k) const { return rows_ + (next_ + k) % taps_ * columns_; }
  // Where the next token is put, in the place of the oldest.
  float* Next() {
    float* const row = rows_ + next_ * columns_;
    next_ = (next_ + 1) % taps_;
    return row;
  }
  float* Zero() const {
    std::fill_n(sum_, columns_, 0.0f);
    return sum_;
  }
  // The sum over k of weight(k) * row(k).
  float* Sum() const {
    const blocks::Rows rows(columns_);
    rows(elementwise::Op::kMul, sum_, weight(0), row(0));
    for (int64_t k = 1; k < taps_; ++k) {
      rows(elementwise::Op::kAddcmul, sum_, sum_, weight(k), row(k));
    }
    return sum_;
  }

 private:
  float* const weights_;
  float* const rows_;
  float* const sum_;
  const int64_t taps_, columns_;
  int64_t next_ = 0;
};

}  // namespace anyacl::causal_conv
