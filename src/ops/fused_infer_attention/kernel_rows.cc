// SPDX-License-Identifier: Apache-2.0
// The form `rows`: up to 4 rows at a time against keys and values where they lie. 16 accumulators
// of scores (4 keys x 4 rows, 16 x 1, ...) are summed across their lanes together.
#include "ops/fused_infer_attention/kernel.h"
#include "ops/fused_infer_attention/kernel_sources.h"
#include "simd/dot_tile.h"
#include "simd/reduce_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using fused_infer_attention::kTile;
using fused_infer_attention::RowsStep;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// sum[row][key] += q . k over kVectors vectors of d.
template <Source kSource, int kKeys, int kRows, int kVectors>
[[gnu::always_inline]] inline void Multiply(const RowsStep& t, const float* q,
                                            const char* const* keys, int d,
                                            VecF32 (&sum)[kRows][kKeys]) {
#pragma GCC unroll 16
  for (int j = 0; j < kKeys; ++j) {
    VecF32 k[kVectors];
    LoadVectors<kSource>(keys[j], static_cast<size_t>(d), k);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        sum[r][j] = Fma(Load(q + r * t.row_step + d + v * kUnit), k[v], sum[r][j]);
      }
    }
  }
}

// scores[row][j] = q . k for kKeys keys and kRows rows; kKeys * kRows <= 16.
template <Source kSource, int kKeys, int kRows>
void MultiplyKeys(const RowsStep& t, int row, int first) {
  VecF32 sum[kRows][kKeys];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int j = 0; j < kKeys; ++j) sum[r][j] = SetF32(0.0f);
  }
  const float* q = t.q + row * t.row_step;
  const char* const* keys = t.keys + first;
  int d = 0;
  constexpr int kWide = kSource == Source::kInt4 ? 4 : 1;
  for (; d + kWide * kUnit <= t.dim; d += kWide * kUnit) {
    Multiply<kSource, kKeys, kRows, kWide>(t, q, keys, d, sum);
  }
  if (d < t.dim) {
#pragma GCC unroll 16
    for (int j = 0; j < kKeys; ++j) {
      const VecF32 k =
          Load16<kSource>(keys[j], static_cast<size_t>(d), static_cast<size_t>(t.dim - d));
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        sum[r][j] = Fma(Load(q + r * t.row_step + d), k, sum[r][j]);
      }
    }
  }
  float sums[kLanes];
  Store(sums, ReduceSums<kRows * kKeys>(&sum[0][0]));
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    __builtin_memcpy(t.scores + (row + r) * kTile + first, sums + r * kKeys, sizeof(float) * kKeys);
  }
}

// Fetches what the next step reads of rows first to first + count: 64 rows ahead and no nearer than
// the second cache, because two steps of keys and values do not fit the first.
template <Source kSource>
void Prefetch(const char* const* rows, int available, int first, int count, int dim) {
  if (rows == nullptr) return;
  const size_t bytes = BytesOf<kSource>(static_cast<size_t>(dim));
  for (int j = first; j < first + count && j < available; ++j) {
    for (size_t at = 0; at < bytes; at += 64) PrefetchL2(rows[j] + at);
  }
}

template <Source kSource, int kRows>
void Scores(const RowsStep& t, int row) {
  constexpr int kKeys = kRows == 1 ? 16 : kRows == 2 ? 8 : 4;
  int j = 0;
  for (; j + kKeys <= t.columns; j += kKeys) {
    if (row == 0) Prefetch<kSource>(t.next_keys, t.next_columns, j, kKeys, t.dim);
    MultiplyKeys<kSource, kKeys, kRows>(t, row, j);
  }
  for (; j < t.columns; ++j) MultiplyKeys<kSource, 1, kRows>(t, row, j);
}

// o[row][d] = o * alpha + p . v for kVectors vectors of d.
template <Source kSource, int kRows, int kVectors>
void AddValues(const RowsStep& t, int row, int d, const float* alpha) {
  VecF32 sum[kRows][kVectors];
  float* out = t.o + row * t.row_step + d;
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sum[r][v] = Mul(Load(out + r * t.row_step + v * kUnit), SetF32(alpha[row + r]));
    }
  }
  const float* p = t.scores + row * kTile;
  for (int j = 0; j < t.columns; ++j) {
    if (row == 0 && d == 0) Prefetch<kSource>(t.next_values, t.next_columns, j, 1, t.dim);
    VecF32 x[kVectors];
    LoadVectors<kSource>(t.values[j], static_cast<size_t>(d), x);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const VecF32 weight = SetF32(p[r * kTile + j]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[r][v] = Fma(weight, x[v], sum[r][v]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) Store(out + r * t.row_step + v * kUnit, sum[r][v]);
  }
}

#if defined(__AVX512BF16__)
constexpr bool kMultipliesPairs = true;
#else
constexpr bool kMultipliesPairs = false;
#endif

// Small integers, which bf16 holds exactly; their floats are zero in the lower half.
template <Source kSource>
constexpr bool kIsPaired = kMultipliesPairs &&
                           (kSource == Source::kInt8 || kSource == Source::kInt4);

// The same with two columns at a time, and probabilities in bf16 in the first half of their row.
template <Source kSource, int kRows, int kVectors>
void AddPairs(const RowsStep& t, int row, int d, const float* alpha) {
  VecF32 sum[kRows][kVectors];
  float* out = t.o + row * t.row_step + d;
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sum[r][v] = Mul(Load(out + r * t.row_step + v * kUnit), SetF32(alpha[row + r]));
    }
  }
  const float* p = t.scores + row * kTile;
  for (int j = 0; j < t.columns; j += 2) {
    if (row == 0 && d == 0) Prefetch<kSource>(t.next_values, t.next_columns, j, 2, t.dim);
    VecF32 even[kVectors], odd[kVectors];
    LoadVectors<kSource>(t.values[j], static_cast<size_t>(d), even);
    // Behind the last column: any numbers, times 0.
    LoadVectors<kSource>(t.values[j + 1 < t.columns ? j + 1 : j], static_cast<size_t>(d), odd);
    VecI16 x[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      x[v] = __builtin_bit_cast(VecI16, Or(ShiftRight<16>(BitsOf(even[v])), BitsOf(odd[v])));
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      int32_t weights;
      __builtin_memcpy(&weights, reinterpret_cast<const char*>(p + r * kTile) + 2 * j,
                       sizeof(weights));
      const VecI16 weight = __builtin_bit_cast(VecI16, SetI32(weights));
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[r][v] = DotBf16(sum[r][v], weight, x[v]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) Store(out + r * t.row_step + v * kUnit, sum[r][v]);
  }
}

// In place: a vector is stored where what has been read lies.
void RoundProbabilities(const RowsStep& t, int row) {
  float* p = t.scores + row * kTile;
  auto* rounded = reinterpret_cast<uint16_t*>(p);
  for (int j = 0; j < kTile; j += kUnit) {
    const VecF32 x = j < t.columns ? Load(p + j) : SetF32(0.0f);
    StoreBf16(rounded + j, x);
  }
}

// The d behind the last whole vector.
template <Source kSource>
void AddLastValues(const RowsStep& t, int row, int d, const float* alpha) {
  float* out = t.o + row * t.row_step + d;
  VecF32 sum = Mul(Load(out), SetF32(alpha[row]));
  for (int j = 0; j < t.columns; ++j) {
    const VecF32 x =
        Load16<kSource>(t.values[j], static_cast<size_t>(d), static_cast<size_t>(t.dim - d));
    sum = Fma(SetF32(t.scores[row * kTile + j]), x, sum);
  }
  Store(out, sum);
}

bool IsPaired(const RowsStep& t) { return t.pairs && t.dim % (4 * kUnit) == 0; }

template <Source kSource, int kRows>
void Values(const RowsStep& t, int row, const float* alpha) {
  int d = 0;
  if constexpr (kIsPaired<kSource>) {
    if (IsPaired(t)) {
      for (; d < t.dim; d += 4 * kUnit) AddPairs<kSource, kRows, 4>(t, row, d, alpha);
      return;
    }
  }
  for (; d + 4 * kUnit <= t.dim; d += 4 * kUnit) AddValues<kSource, kRows, 4>(t, row, d, alpha);
  for (; d + kUnit <= t.dim; d += kUnit) AddValues<kSource, kRows, 1>(t, row, d, alpha);
  if (d == t.dim) return;
  for (int r = 0; r < kRows; ++r) AddLastValues<kSource>(t, row + r, d, alpha);
}

alignas(64) constexpr int32_t kColumns[kTile] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

// 16 scores; kWhole: all of them count and nothing is added to them.
template <bool kWhole>
[[gnu::always_inline]] inline VecF32 ScoresAt(const RowsStep& t, int row, int j) {
  const float* at = t.scores + row * kTile + j;
  VecF32 shift = SetF32(t.row_shift[row]);
  if (t.column_shift != nullptr) {
    shift = Fma(SetF32(t.row_sum[row]), Load(t.column_shift + j), shift);
  }
  VecF32 s = Fma(Load(at), Load(t.column_scale + j), shift);
  if constexpr (kWhole) return s;
  if (t.add != nullptr) s = Add(s, Load(t.add + row * kTile + j));
  if (t.hidden != nullptr) {
    const Mask shown = Equal(LoadI8(t.hidden + row * kTile + j), SetI32(0));
    s = Select(shown, s, SetF32(t.hidden_score));
  }
  const VecF32 nothing = SetF32(-__builtin_inff());
  const VecI32 column = Load(kColumns + j);
  if (t.begin != nullptr) {
    const Mask before = Less(column, SetI32(t.begin[row]));
    s = Select(And(Not(before), Less(column, SetI32(t.end[row]))), s, nothing);
  }
  // Lanes behind the last column hold anything.
  return Select(Less(column, SetI32(t.columns)), s, nothing);
}

// Scores to probabilities for one row; returns exp(m - m').
template <bool kWhole>
float Softmax(const RowsStep& t, int row) {
  float* scores = t.scores + row * kTile;
  const int columns = kWhole ? kTile : t.columns;
  VecF32 max = SetF32(t.m[row]);
#pragma GCC unroll 4
  for (int j = 0; j < columns; j += kUnit) {
    const VecF32 s = ScoresAt<kWhole>(t, row, j);
    Store(scores + j, s);
    max = Max(s, max);
  }
  const float old_max = t.m[row];
  t.m[row] = ReduceMax(max);
  const float base = t.m[row] == -__builtin_inff() ? 0.0f : t.m[row];
  VecF32 sum = SetF32(0.0f), extra = SetF32(0.0f);
#pragma GCC unroll 4
  for (int j = 0; j < columns; j += kUnit) {
    VecF32 p = Exp(Sub(Load(scores + j), SetF32(base)));
    sum = Add(sum, p);
    if (t.value_scale != nullptr) p = Mul(p, Load(t.value_scale + j));
    if (t.value_shift != nullptr) extra = Fma(p, Load(t.value_shift + j), extra);
    Store(scores + j, p);
  }
  float alpha = 1.0f;
  if (t.m[row] != old_max) {
    float lanes[kLanes];
    Store(lanes, Exp(SetF32(old_max - base)));
    alpha = lanes[0];
  }
  t.l[row] = t.l[row] * alpha + ReduceSum(sum);
  t.extra[row] = t.extra[row] * alpha + ReduceSum(extra);
  return alpha;
}

template <Source kSource>
void RunStep(const RowsStep& t) {
  for (int row = 0; row < t.rows; row += 4) {
    switch (t.rows - row) {
      case 1:
        Scores<kSource, 1>(t, row);
        break;
      case 2:
        Scores<kSource, 2>(t, row);
        break;
      case 3:
        Scores<kSource, 3>(t, row);
        break;
      default:
        Scores<kSource, 4>(t, row);
    }
  }
  float alpha[fused_infer_attention::kMaxFewRows];
  const bool whole =
      t.columns == kTile && t.add == nullptr && t.hidden == nullptr && t.begin == nullptr;
  for (int row = 0; row < t.rows; ++row) {
    alpha[row] = whole ? Softmax<true>(t, row) : Softmax<false>(t, row);
  }
  if constexpr (kIsPaired<kSource>) {
    for (int row = 0; IsPaired(t) && row < t.rows; ++row) RoundProbabilities(t, row);
  }
  for (int row = 0; row < t.rows; row += 4) {
    switch (t.rows - row) {
      case 1:
        Values<kSource, 1>(t, row, alpha);
        break;
      case 2:
        Values<kSource, 2>(t, row, alpha);
        break;
      case 3:
        Values<kSource, 3>(t, row, alpha);
        break;
      default:
        Values<kSource, 4>(t, row, alpha);
    }
  }
}

}  // namespace

fused_infer_attention::RowsFunction AttentionRows(Source source) {
  switch (source) {
    case Source::kFp16:
      return RunStep<Source::kFp16>;
    case Source::kBf16:
      return RunStep<Source::kBf16>;
    case Source::kInt8:
      return RunStep<Source::kInt8>;
    default:
      return RunStep<Source::kInt4>;
  }
}

}  // namespace anyacl::ANYACL_ISA
