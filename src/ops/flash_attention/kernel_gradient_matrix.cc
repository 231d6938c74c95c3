// SPDX-License-Identifier: Apache-2.0
// The gradient in bf16 with matrix registers.
#include "attention/kernel_products_matrix.h"
#include "ops/flash_attention/kernel.h"
#include "ops/flash_attention/kernel_gradient.h"
#include "simd/exp_almost.h"

namespace anyacl::ANYACL_ISA {

using flash_attention::GradientStep;
using flash_attention::kRoundedRows;
using flash_attention::kRows;
using flash_attention::kTile;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// p and ds in bf16, as rows of numbers and, for dq, as pairs of columns; zeros behind the last
// column and the last row, up to whole blocks.
template <bool kPlain, int kVectors>
void Softmax(const GradientStep& step) {
  const GradientStep t = step;  // or every store reloads its members
  const VecF32 zero = SetF32(0.0f);
  RowStatistics row[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    row[v] = {Load(t.m + v * kUnit), Load(t.inverse_l + v * kUnit), Load(t.delta + v * kUnit)};
  }
  const auto terms_at = [&](int j, int v) {
    if (j >= t.columns) return GradientTerms{zero, zero};
    const GradientTerms terms =
        TermsAt<kPlain>(t, j, v * kUnit, row[v], [](VecF32 x) { return ExpAlmost(x); });
    Store(t.ds_out + j * kRows + v * kUnit, terms.ds);
    return terms;
  };
  const auto store = [](uint16_t* rows, VecI32 pair) {
    StoreLow16(rows, pair);
    StoreLow16(rows + kRoundedRows, ShiftRight<16>(pair));
  };
  for (int j = 0; j < WholeBlocks(t.columns); j += 2) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      const GradientTerms even = terms_at(j, v), odd = terms_at(j + 1, v);
      const VecI32 ds = PairOfBf16(even.ds, odd.ds);
      Store(t.ds_pairs + j / 2 * kRows + v * kUnit, ds);
      store(t.ds_rounded + j * kRoundedRows + v * kUnit, ds);
      store(t.p_rounded + j * kRoundedRows + v * kUnit, PairOfBf16(even.p, odd.p));
    }
    if constexpr (kVectors % 2 != 0) {
      store(t.ds_rounded + j * kRoundedRows + kVectors * kUnit, SetI32(0));
      store(t.p_rounded + j * kRoundedRows + kVectors * kUnit, SetI32(0));
    }
  }
}

// out[j][d] += sum over rows of weights[j][r] * rows[r][d].
template <int kVectors>
void AddRows(const GradientStep& t, const uint16_t* weights, const void* rows, int d, float* out) {
  Multiply<kVectors, true>(
      {weights, kRoundedRows, static_cast<const int32_t*>(rows) + d, t.step, out + d, t.step},
      t.columns, t.vectors * kUnit);
}

// dk or dv of all columns.
void AddToColumns(const GradientStep& t, const uint16_t* weights, const void* rows, int dim,
                  float* out) {
  for (int d = 0; d < dim; d += 3 * kUnit) {
    if (dim - d > 2 * kUnit) {
      AddRows<3>(t, weights, rows, d, out);
    } else if (dim - d > kUnit) {
      AddRows<2>(t, weights, rows, d, out);
    } else {
      AddRows<1>(t, weights, rows, d, out);
    }
  }
}

template <int kVectors>
void RunStep(const GradientStep& t) {
  const FullMatrixTiles tiles;
  const auto scores = [&](const void* columns, const void* rows, int dim, float* out) {
    Multiply<kVectors>({static_cast<const uint16_t*>(columns), t.step,
                        static_cast<const int32_t*>(rows), kRows, out, kRows},
                       t.columns, dim);
  };
  scores(t.k, t.q, t.dim, t.p_out);
  scores(t.v, t.dy, t.value_dim, t.ds_out);
  IsPlain(t) ? Softmax<true, kVectors>(t) : Softmax<false, kVectors>(t);
  Multiply<kVectors, true>(
      {static_cast<const uint16_t*>(t.k_columns), kTile, t.ds_pairs, kRows, t.dq, kRows}, t.dim,
      t.columns);
  AddToColumns(t, t.ds_rounded, t.q_rows, t.dim, t.dk);
  AddToColumns(t, t.p_rounded, t.dy_rows, t.value_dim, t.dv);
}

}  // namespace

void FlashAttentionGradientBf16(const GradientStep& step) {
  switch (step.vectors) {
    case 1:
      return RunStep<1>(step);
    case 2:
      return RunStep<2>(step);
    default:
      return RunStep<3>(step);
  }
}

}  // namespace anyacl::ANYACL_ISA
