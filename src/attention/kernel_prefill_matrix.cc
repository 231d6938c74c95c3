// SPDX-License-Identifier: Apache-2.0
// The form prefill in bf16 with matrix registers: rows in lanes, 32 keys (or 32 d) times up to 48
// rows at a time.
#include "attention/kernel.h"
#include "attention/kernel_products_matrix.h"
#include "attention/kernel_softmax.h"
#include "simd/exp_almost.h"
#include "simd/transpose_tile.h"

namespace anyacl::ANYACL_ISA {

using attention::kTile;
using attention::PrefillStep;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// Scores become probabilities in bf16, those of columns 2j and 2j + 1 the pairs of line j, and
// zeros from the last column to the next whole block; returns exp(m - m') in alpha.
template <Terms kTerms, int kVectors>
void Softmax(const PrefillStep& step, VecF32 (&alpha)[kVectors]) {
  const PrefillStep t = step;  // or every store reloads its members
  const int columns = WholeBlocks(t.columns);
  const VecF32 none = SetF32(-__builtin_inff());
  VecF32 shift[kVectors], row_sum[kVectors], before[kVectors], max[kVectors];
#pragma GCC unroll 3
  for (int v = 0; v < kVectors; ++v) {
    shift[v] = Load(t.row_shift + v * kUnit);
    row_sum[v] = Load(t.row_sum + v * kUnit);
    max[v] = before[v] = Load(t.m + v * kUnit);
  }
  for (int j = 0; j < t.columns; ++j) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      const VecF32 s = ScoreAt<kTerms>(t, j, v * kUnit, shift[v], row_sum[v]);
      Store(t.scores + j * kScoreStep + v * kUnit, s);
      max[v] = Max(s, max[v]);
    }
  }
  VecF32 base[kVectors], sum[kVectors], extra[kVectors];
#pragma GCC unroll 3
  for (int v = 0; v < kVectors; ++v) {
    Store(t.m + v * kUnit, max[v]);
    // A row without columns so far has no maximum to subtract.
    base[v] = Select(Equal(max[v], none), SetF32(0.0f), max[v]);
    alpha[v] = ExpAlmost(Sub(before[v], base[v]));
    sum[v] = Mul(Load(t.l + v * kUnit), alpha[v]);
    extra[v] = Mul(Load(t.extra + v * kUnit), alpha[v]);
  }
  if (t.max_only) return;
  for (int j = t.columns; j < columns; ++j) {
    for (int v = 0; v < kVectors; ++v) Store(t.scores + j * kScoreStep + v * kUnit, none);
  }
  for (int j = 0; j < columns; j += 2) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      const float* at = t.scores + j * kScoreStep + v * kUnit;
      VecF32 even = ExpAlmost(Sub(Load(at), base[v]));
      VecF32 odd = ExpAlmost(Sub(Load(at + kScoreStep), base[v]));
      sum[v] = Add(Add(sum[v], even), odd);
      if constexpr (kTerms == Terms::kAll) {
        even = WeightAt(t, j, v * kUnit, even, extra[v]);
        odd = WeightAt(t, j + 1, v * kUnit, odd, extra[v]);
      }
      Store(reinterpret_cast<int32_t*>(t.scores) + j / 2 * kScoreStep + v * kUnit,
            PairOfBf16(even, odd));
    }
  }
#pragma GCC unroll 3
  for (int v = 0; v < kVectors; ++v) {
    Store(t.l + v * kUnit, sum[v]);
    Store(t.extra + v * kUnit, extra[v]);
  }
}

// o[d][lane] = o * alpha + p . v.
template <int kVectors>
void AddValues(const PrefillStep& step, const VecF32 (&alpha)[kVectors]) {
  const PrefillStep t = step;
  const auto* values = static_cast<const uint16_t*>(t.v);
  const auto* pairs = reinterpret_cast<const int32_t*>(t.scores);
  // The lines of scores that pairs have left free.
  float* const products = t.scores + kTile / 2 * kScoreStep;
  for (int d = 0; d < t.value_dim; d += kMatrixBlock) {
    Multiply<kVectors>({values + d * kTile, kTile, pairs, kScoreStep, products, kScoreStep},
                       kMatrixBlock, t.columns);
    for (int i = 0; i < kMatrixBlock; ++i) {
      float* const o = t.o + (d + i) * t.lane_step;
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) {
        const VecF32 product = Load(products + i * kScoreStep + v * kUnit);
        Store(o + v * kUnit, Fma(Load(o + v * kUnit), alpha[v], product));
      }
    }
  }
}

template <int kVectors>
void RunStep(const PrefillStep& t) {
  const FullMatrixTiles tiles;
  Multiply<kVectors>({static_cast<const uint16_t*>(t.k), t.tile_step,
                      static_cast<const int32_t*>(t.q), t.lane_step, t.scores, kScoreStep},
                     t.columns, t.dim);
  VecF32 alpha[kVectors];
  switch (TermsOf(t)) {
    case Terms::kNone:
      Softmax<Terms::kNone>(t, alpha);
      break;
    case Terms::kLimits:
      Softmax<Terms::kLimits>(t, alpha);
      break;
    case Terms::kAll:
      Softmax<Terms::kAll>(t, alpha);
  }
  if (!t.max_only) AddValues(t, alpha);
}

// Pairs of 32 columns, of 16 d each, as lines of d.
template <class Load>
[[gnu::always_inline]] inline void LoadSquare(const Load& load, VecI32 (&square)[16]) {
#pragma GCC unroll 16
  for (int i = 0; i < kUnit; ++i) {
    square[i] = Or(load(2 * i), ShiftLeft<16>(load(2 * i + 1)));
  }
  Transpose(square);
}

}  // namespace

void AttentionPrefillBf16(const PrefillStep& step) {
  switch (step.vectors) {
    case 1:
      return RunStep<1>(step);
    case 2:
      return RunStep<2>(step);
    default:
      return RunStep<3>(step);
  }
}

// [d][kTile], zeros from the last of the columns that were packed to the next whole block.
void AttentionPackPrefillValues(const char* const* rows, int columns, int dim, int, uint32_t* out) {
  auto* const lines = reinterpret_cast<int32_t*>(out);
  for (int d = 0; d < dim; d += kUnit) {
    const int n = dim - d < kUnit ? dim - d : kUnit;
    for (int j = 0; j < columns; j += kMatrixBlock) {
      const auto at = [&](int i) { return reinterpret_cast<const uint16_t*>(rows[j + i]) + d; };
      VecI32 square[16];
      if (n == kUnit && j + kMatrixBlock <= columns) {
        LoadSquare([&](int i) { return LoadU16(at(i)); }, square);
      } else {
        LoadSquare(
            [&](int i) {
              return j + i < columns ? LoadU16(at(i), static_cast<size_t>(n)) : SetI32(0);
            },
            square);
      }
      for (int i = 0; i < kUnit; ++i) Store(lines + ((d + i) * kTile + j) / 2, square[i]);
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
