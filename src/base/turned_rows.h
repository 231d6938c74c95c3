// SPDX-License-Identifier: Apache-2.0
// Rows made of columns, 16 bytes at a time. Inlined wherever it is called: kernels of every
// instruction set are among the callers.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/ask_for_run.h"
#include "base/element_width.h"

namespace anyacl {

// One round of a transposition: vector i and vector i + n/2 are interleaved. After log2(n) rounds
// lane j of vector i is lane i of vector j (a perfect shuffle of rows and columns each).
template <class T>
using LaneVector [[gnu::vector_size(16)]] = T;

template <class T, int kLanes>
[[gnu::always_inline]] inline void InterleaveRound(LaneVector<T>* v) {
  LaneVector<T> w[kLanes];
  for (int i = 0; i < kLanes / 2; ++i) {
    const LaneVector<T> a = v[i];
    const LaneVector<T> b = v[i + kLanes / 2];
    if constexpr (kLanes == 2) {
      w[2 * i] = __builtin_shufflevector(a, b, 0, 2);
      w[2 * i + 1] = __builtin_shufflevector(a, b, 1, 3);
    } else if constexpr (kLanes == 4) {
      w[2 * i] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      w[2 * i + 1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    } else if constexpr (kLanes == 8) {
      w[2 * i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      w[2 * i + 1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    } else {
      w[2 * i] =
          __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      w[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14,
                                             30, 15, 31);
    }
  }
  for (int i = 0; i < kLanes; ++i) v[i] = w[i];
}

// The type of an element of kSize bytes, for LaneVector.
template <int kSize>
using ElementOfSize =
    std::conditional_t<kSize <= 2, std::conditional_t<kSize == 1, uint8_t, uint16_t>,
                       std::conditional_t<kSize == 4, uint32_t, uint64_t>>;

// Element (r, c) of kSize bytes, at from + c * from_step + r * kSize, is written to to + r *
// to_step + c * kSize, for 16 bytes of columns, the last of which may be the same.
template <int kSize>
[[gnu::always_inline]] inline void TurnColumns(char* to, int64_t to_step, const char* from,
                                               int64_t from_step, int64_t rows, int64_t columns) {
  using T = ElementOfSize<kSize>;
  constexpr int kLanes = 16 / kSize;
  int64_t offset[kLanes];
  for (int i = 0; i < kLanes; ++i) offset[i] = (i < columns ? i : columns - 1) * from_step;
  const auto turn = [&](int64_t row) __attribute__((always_inline)) {
    LaneVector<T> v[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      v[i] = LoadElement<LaneVector<T>>(from + offset[i] + row * kSize);
    }
    for (int n = 1; n < kLanes; n *= 2) InterleaveRound<T, kLanes>(v);
    for (int i = 0; i < kLanes; ++i) StoreElement(to + (row + i) * to_step, v[i]);
  };
  int64_t r = 0;
  for (; r + kLanes <= rows; r += kLanes) turn(r);
  if (r < rows) turn(rows - kLanes);  // some of them once more
}

// The same of any number of columns and at least 16 bytes of rows; columns are written up to the
// next multiple of 16 bytes. kFar: what is read may lie beyond the caches, and is asked for two
// vectors of columns ahead (sums of 128 MiB with a transposed matrix: 17 instead of 30 ms).
template <int kSize, bool kFar = false>
[[gnu::always_inline]] inline void TurnRows(char* to, int64_t to_step, const char* from,
                                            int64_t from_step, int64_t rows, int64_t columns) {
  constexpr int64_t kLanes = 16 / kSize;
  constexpr int64_t kAhead = 2 * kLanes;
  int64_t c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    if (kFar && c + kAhead + kLanes <= columns) {
      for (int64_t i = 0; i < kLanes; ++i) {
        AskForRun(from + (c + kAhead + i) * from_step, rows * kSize);
      }
    }
    TurnColumns<kSize>(to + c * kSize, to_step, from + c * from_step, from_step, rows, kLanes);
  }
  if (c < columns) {
    TurnColumns<kSize>(to + c * kSize, to_step, from + c * from_step, from_step, rows, columns - c);
  }
}

// The same of any number of rows and columns, without writing others.
template <int kSize, bool kFar = false>
[[gnu::always_inline]] inline void TurnTile(char* to, int64_t to_step, const char* from,
                                            int64_t from_step, int64_t rows, int64_t columns) {
  constexpr int64_t kTogether = 16 / kSize;
  if (rows >= kTogether && columns >= kTogether) {
    const int64_t whole = columns / kTogether * kTogether;
    TurnRows<kSize, kFar>(to, to_step, from, from_step, rows, whole);
    if (whole == columns) return;
    const int64_t last = columns - kTogether;  // some of them once more
    TurnRows<kSize, kFar>(to + last * kSize, to_step, from + last * from_step, from_step, rows,
                          kTogether);
    return;
  }
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t r = 0; r < rows; ++r) {
      std::memcpy(to + r * to_step + c * kSize, from + c * from_step + r * kSize, kSize);
    }
  }
}

}  // namespace anyacl
