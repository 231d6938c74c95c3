// SPDX-License-Identifier: Apache-2.0
// The form decode: up to 4 rows at a time against keys and values where they lie.
#include "attention/kernel_decode.h"

#include "attention/kernel.h"
#include "simd/reduce_tile.h"
#include "simd/register_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using attention::DecodeStep;
using attention::kTile;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// Fetches rows of the next step, line by line: 64 rows ahead and no nearer than the second cache,
// because two steps of keys and values do not fit the first. A few lines at a time: a burst holds
// up the loads behind it.
class Ahead {
 public:
  Ahead(const char* const* rows, int count, size_t bytes)
      : rows_(rows), end_(rows == nullptr ? rows : rows + count), bytes_(bytes) {}

  // kBytes of rows of kSource.
  template <Element kSource, size_t kBytes>
  [[gnu::always_inline]] void Fetch() {
    // Rows are whole multiples of that at the usual D of 64, 128, ...; else some lines behind a row
    // are fetched, too.
    constexpr size_t kUsual = BytesOf(kSource, size_t{64});
    constexpr size_t kChunk = kUsual < kBytes ? kUsual : kBytes;
#pragma GCC unroll 8
    for (size_t i = 0; i < kBytes; i += kChunk) {
      if (rows_ == end_) return;
      const char* line = *rows_ + at_;
#pragma GCC unroll 4
      for (size_t k = 0; k < kChunk; k += 64) PrefetchL2(line + k);
      at_ += kChunk < 64 ? 64 : kChunk;
      if (at_ >= bytes_) {
        at_ = 0;
        ++rows_;
      }
    }
  }

 private:
  const char* const* rows_;
  const char* const* end_;
  size_t bytes_;
  size_t at_ = 0;
};

// sum[r][j] = q . k for kKeys keys from `first` on and kRows rows, all of which registers hold.
template <class Arithmetic, int kKeys, int kRows, int kStep>
[[gnu::always_inline]] inline void SumKeys(const DecodeStep& t, const float* q, int first,
                                           Ahead& next,
                                           typename Arithmetic::Sum (&sums)[kRows][kStep], int at) {
  typename Arithmetic::Sum sum[kRows][kKeys];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int j = 0; j < kKeys; ++j) sum[r][j] = Arithmetic::Zero();
  }
  const char* const* keys = t.keys + first;
  Ahead ahead = next;
  int d = 0;
  for (; d + Arithmetic::kStep <= t.dim; d += Arithmetic::kStep) {
    ahead.Fetch<Arithmetic::kSource, kKeys * BytesOf(Arithmetic::kSource, Arithmetic::kStep)>();
#pragma GCC unroll 16
    for (int j = 0; j < kKeys; ++j) {
      typename Arithmetic::Operand k[Arithmetic::kVectors];
      Arithmetic::LoadRow(keys[j], static_cast<size_t>(d), k);
#pragma GCC unroll 4
      for (int v = 0; v < Arithmetic::kVectors; ++v) {
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) {
          sum[r][j] = Arithmetic::Add(sum[r][j], Arithmetic::Query(q + r * t.row_step, d, v), k[v]);
        }
      }
    }
  }
  next = ahead;
  if constexpr (Arithmetic::kHasTail) {
    for (int n; (n = t.dim - d) > 0; d += kUnit) {
#pragma GCC unroll 16
      for (int j = 0; j < kKeys; ++j) {
        const VecF32 k = Arithmetic::LoadTail(keys[j], static_cast<size_t>(d), n);
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) {
          sum[r][j] = Fma(Load(q + r * t.row_step + d), k, sum[r][j]);
        }
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int j = 0; j < kKeys; ++j) sums[r][at + j] = sum[r][j];
  }
}

// scores[row][j] = q . k for kKeys keys and kRows rows; kKeys * kRows <= 16.
template <class Arithmetic, int kKeys, int kRows>
void MultiplyKeys(const DecodeStep& t, int row, int first, Ahead& next) {
  constexpr int kTogether = VectorsTogether(kRows, kKeys);
  typename Arithmetic::Sum sum[kRows][kKeys];
  const float* q = t.q + row * t.row_step;
#pragma GCC unroll 1
  for (int j = 0; j < kKeys; j += kTogether) {
    SumKeys<Arithmetic, kTogether, kRows>(t, q, first + j, next, sum, j);
  }
  float sums[kLanes];
  Store(sums, Arithmetic::AsFloats(ReduceSums<kRows * kKeys>(&sum[0][0])));
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    __builtin_memcpy(t.scores + (row + r) * kTile + first, sums + r * kKeys, sizeof(float) * kKeys);
  }
}

template <class Arithmetic, int kRows>
void Scores(const DecodeStep& t, int row, Ahead& next) {
  // 16 sums are reduced together.
  constexpr int kKeys = kRows == 1 ? 16 : kRows == 2 ? 8 : 4;
  int j = 0;
  for (; j + kKeys <= t.columns; j += kKeys) {
    MultiplyKeys<Arithmetic, kKeys, kRows>(t, row, j, next);
  }
  for (; j < t.columns; ++j) MultiplyKeys<Arithmetic, 1, kRows>(t, row, j, next);
}

// o[row][d] = o * alpha + p . v for kVectors vectors of d.
template <class Arithmetic, int kRows, int kVectors>
void AddValues(const DecodeStep& t, int row, int d, const RowFactors& factors, Ahead& next) {
  typename Arithmetic::Sum sum[kRows][kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[r][v] = Arithmetic::Zero();
  }
  const float* p = t.scores + row * kTile;
  Ahead ahead = next;
  for (int j = 0; j < t.columns; j += Arithmetic::kColumns) {
    ahead.Fetch<Arithmetic::kSource,
                Arithmetic::kColumns * BytesOf(Arithmetic::kSource, kVectors * kLanes)>();
    typename Arithmetic::Operand x[kVectors];
    Arithmetic::LoadColumns(t.values + j, t.columns - j, static_cast<size_t>(d), x);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const auto weight = Arithmetic::Weight(p + r * kTile, j);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[r][v] = Arithmetic::Add(sum[r][v], weight, x[v]);
    }
  }
  next = ahead;
  float* out = t.o + row * t.row_step + d;
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    const VecF32 alpha = SetF32(factors.alpha[row + r]);
    Arithmetic::Restore(sum[r]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      float* at = out + r * t.row_step + v * kUnit;
      const VecF32 added = Arithmetic::Scaled(sum[r][v], factors.step[row + r]);
      Store(at, Fma(Load(at), alpha, added));
    }
  }
}

// The d behind the last whole vector.
template <Element kSource>
void AddLastValues(const DecodeStep& t, int row, int d, float alpha) {
  float* out = t.o + row * t.row_step + d;
  VecF32 sum = SetF32(0.0f);
  for (int j = 0; j < t.columns; ++j) {
    const VecF32 x =
        Load16<kSource>(t.values[j], static_cast<size_t>(d), static_cast<size_t>(t.dim - d));
    sum = Fma(SetF32(t.scores[row * kTile + j]), x, sum);
  }
  Store(out, Fma(Load(out), SetF32(alpha), sum));
}

template <class Arithmetic, int kRows>
void Values(const DecodeStep& t, int row, const RowFactors& factors, Ahead& next) {
  int d = 0;
  constexpr int kTogether = Arithmetic::kColumnsInPlace ? VectorsTogether(kRows, 4) : 4;
  for (; d + 4 * kUnit <= t.dim; d += 4 * kUnit) {
#pragma GCC unroll 1
    for (int v = 0; v < 4; v += kTogether) {
      AddValues<Arithmetic, kRows, kTogether>(t, row, d + v * kUnit, factors, next);
    }
  }
  if constexpr (Arithmetic::kHasTail) {
    for (; d + kUnit <= t.dim; d += kUnit) {
      AddValues<typename Arithmetic::Narrow, kRows, 1>(t, row, d, factors, next);
    }
    if (d == t.dim) return;
    for (int r = 0; r < kRows; ++r) {
      AddLastValues<Arithmetic::kSource>(t, row + r, d, factors.alpha[row + r]);
    }
  }
}

alignas(64) constexpr int32_t kColumns[kTile] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

// 16 scores; kWhole: all of them count and nothing is added to them.
template <bool kWhole>
[[gnu::always_inline]] inline VecF32 ScoresAt(const DecodeStep& t, int row, int j) {
  const float* at = t.scores + row * kTile + j;
  VecF32 shift = SetF32(t.row_shift[row]);
  if (t.column_shift != nullptr) {
    shift = Fma(SetF32(t.row_sum[row]), Load(t.column_shift + j), shift);
  }
  VecF32 s = Fma(Mul(Load(at), SetF32(t.query_step[row])), Load(t.column_scale + j), shift);
  if constexpr (kWhole) return s;
  if (t.add != nullptr) s = Add(s, Load(t.add + row * kTile + j));
  if (t.masked != nullptr) {
    const Mask shown = Equal(LoadI8(t.masked + row * kTile + j), SetI32(0));
    s = Select(shown, s, SetF32(t.masked_score));
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

// Scores to probabilities. Each pass takes all rows, so that the reductions of one hide behind the
// next: 200 instead of 600 cycles for 4 rows.
template <bool kWhole>
void Softmax(const DecodeStep& t, float* alphas) {
  const int columns = kWhole ? kTile : t.columns;
  float base[kLanes] = {}, sums[kLanes] = {}, extras[kLanes] = {};
  for (int row = 0; row < t.rows; ++row) {
    VecF32 max = SetF32(t.m[row]);
#pragma GCC unroll 4
    for (int j = 0; j < columns; j += kUnit) {
      const VecF32 s = ScoresAt<kWhole>(t, row, j);
      Store(t.scores + row * kTile + j, s);
      max = Max(s, max);
    }
    base[row] = ReduceMax(max);
  }
  const VecF32 old_max = Load(t.m), new_max = Load(base);
  Store(t.m, new_max);
  const VecF32 nothing = SetF32(-__builtin_inff());
  Store(base, Select(Equal(new_max, nothing), SetF32(0.0f), new_max));
  const VecF32 alpha = Exp(Sub(old_max, Load(base)));
  Store(alphas, alpha);
  for (int row = 0; row < t.rows; ++row) {
    float* scores = t.scores + row * kTile;
    VecF32 sum = SetF32(0.0f), extra = SetF32(0.0f);
#pragma GCC unroll 4
    for (int j = 0; j < columns; j += kUnit) {
      VecF32 p = Exp(Sub(Load(scores + j), SetF32(base[row])));
      sum = Add(sum, p);
      if (t.value_scale != nullptr) p = Mul(p, Load(t.value_scale + j));
      if (t.value_shift != nullptr) extra = Fma(p, Load(t.value_shift + j), extra);
      // What is behind the last column may have a factor of NaN.
      if (!kWhole) p = Select(Less(Load(kColumns + j), SetI32(t.columns)), p, SetF32(0.0f));
      Store(scores + j, p);
    }
    sums[row] = ReduceSum(sum);
    if (t.value_shift != nullptr) extras[row] = ReduceSum(extra);
  }
  Store(t.l, Fma(Load(t.l), alpha, Load(sums)));
  Store(t.extra, Fma(Load(t.extra), alpha, Load(extras)));
}

template <class Function>
[[gnu::always_inline]] inline void WithRows(int rows, const Function& f) {
  for (int row = 0; row < rows; row += 4) {
    switch (rows - row) {
      case 1:
        f(Count<1>(), row);
        break;
      case 2:
        f(Count<2>(), row);
        break;
      case 3:
        f(Count<3>(), row);
        break;
      default:
        f(Count<4>(), row);
    }
  }
}

template <class Arithmetic>
void RunWith(const DecodeStep& t) {
  using Products = typename Arithmetic::Scores;
  using Sums = typename Arithmetic::Values;
  const size_t bytes = BytesOf(Products::kSource, static_cast<size_t>(t.dim));
  Ahead next_keys(t.next_keys, t.next_columns, bytes);
  WithRows(t.rows, [&](auto count, int row) { Scores<Products, count.kValue>(t, row, next_keys); });
  RowFactors factors;
  const bool whole =
      t.columns == kTile && t.add == nullptr && t.masked == nullptr && t.begin == nullptr;
  whole ? Softmax<true>(t, factors.alpha) : Softmax<false>(t, factors.alpha);
  for (int row = 0; row < t.rows; ++row) {
    factors.step[row] = Sums::RoundProbabilities(t.scores + row * kTile, t.columns);
  }
  Ahead next_values(t.next_values, t.next_columns, bytes);
  WithRows(t.rows,
           [&](auto count, int row) { Values<Sums, count.kValue>(t, row, factors, next_values); });
}

template <Element kSource>
void RunStep(const DecodeStep& t) {
  if constexpr (NarrowArithmetic<kSource>::kExists) {
    if (IsNarrow<kSource>(t.narrow_scores, t.dim)) return RunWith<NarrowArithmetic<kSource>>(t);
    if (IsNarrow<kSource>(t.narrow_values, t.dim)) return RunWith<HalfNarrow<kSource>>(t);
  }
  RunWith<FloatArithmetic<kSource>>(t);
}

}  // namespace

float AttentionPlaceQuery(Element source, bool narrow, int dim, float* q) {
  float step = 1;
  WithSource(source, [&](auto tag) {
    constexpr Element kSource = decltype(tag)::kValue;
    if constexpr (NarrowArithmetic<kSource>::kExists) {
      if (IsNarrow<kSource>(narrow, dim)) step = NarrowArithmetic<kSource>::PlaceQuery(q, dim);
    }
  });
  return step;
}

attention::DecodeFunction AttentionDecode(Element source) {
  switch (source) {
    case Element::kFp16:
      return RunStep<Element::kFp16>;
    case Element::kBf16:
      return RunStep<Element::kBf16>;
    case Element::kInt8:
      return RunStep<Element::kInt8>;
    case Element::kFp32:
      return RunStep<Element::kFp32>;
    default:
      return RunStep<Element::kInt4>;
  }
}

}  // namespace anyacl::ANYACL_ISA
