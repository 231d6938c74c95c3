// SPDX-License-Identifier: Apache-2.0
// Tensors of tokens, [B, S, ..] or [T, ..], which have a number each, a row, or rows of streams.
#pragma once

#include <algorithm>

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"

namespace anyacl::mhc {

inline constexpr int64_t kGrain = 16384;  // numbers of streams: 5 us

inline constexpr int64_t kTile = 1024;  // columns at a time: rows of 8 streams stay in L1 and L2

class Tokens {
 public:
  // `each`: how many of the dimensions are a token's.
  Tokens(const TensorView& view, const Bindings& bindings, int each)
      : view_(view),
        data_(view.given() ? view.Address(bindings) : nullptr),
        leading_(view.rank - each) {}

  // `count` numbers of a token's row `row` from `column` on.
  void Load(int64_t token, int64_t row, int64_t column, int64_t count, float* to) const {
    blocks::LoadRow(view_.dtype, At(token, row, column), step(), count, to);
  }
  void Store(const float* from, int64_t token, int64_t row, int64_t column, int64_t count) const {
    blocks::StoreRow(from, count, view_.dtype, At(token, row, column), step());
  }
  float One(int64_t token) const { return blocks::LoadOne<float>(view_.dtype, At(token, 0, 0)); }
  void StoreOne(float number, int64_t token) const {
    blocks::StoreOne(number, view_.dtype, At(token, 0, 0));
  }

 private:
  int each() const { return view_.rank - leading_; }
  int64_t step() const { return each() > 0 ? view_.strides[view_.rank - 1] : 1; }
  char* At(int64_t token, int64_t row, int64_t column) const {
    int64_t at = view_.OffsetOf(token, leading_) + column * step();
    if (each() > 1) at += row * view_.strides[view_.rank - 2];
    return data_ + at * BytesOf(view_);
  }

  const TensorView& view_;
  char* const data_;
  const int leading_;
};

// Calls visit(column, count) for tiles.
template <class Visit>
void ForTiles(int64_t columns, const Visit& visit) {
  for (int64_t column = 0; column < columns; column += kTile) {
    visit(column, std::min(kTile, columns - column));
  }
}

// A tile of columns of all streams of a token.
class Streams {
 public:
  Streams(float* numbers, int64_t streams) : numbers_(numbers), streams_(streams) {}

  float* Of(int64_t i) const { return numbers_ + i * kTile; }
  void Load(const Tokens& from, int64_t token, int64_t column, int64_t count) const {
    for (int64_t i = 0; i < streams_; ++i) from.Load(token, i, column, count, Of(i));
  }
  // to = sum over i of weights[i * step] * stream i
  void Combine(const float* weights, int64_t step, int64_t count, float* to) const {
    const blocks::Rows rows(count);
    rows(elementwise::Op::kMulScalar, to, Of(0), nullptr, nullptr, weights[0]);
    for (int64_t i = 1; i < streams_; ++i) {
      rows(elementwise::Op::kAddScaled, to, to, Of(i), nullptr, weights[i * step]);
    }
  }

 private:
  float* const numbers_;
  const int64_t streams_;
};

}  // namespace anyacl::mhc
