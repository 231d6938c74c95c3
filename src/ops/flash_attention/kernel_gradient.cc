// SPDX-License-Identifier: Apache-2.0
// The gradient: rows in lanes, 8 columns (or 8 d) times up to 3 vectors of rows in registers.
#include "ops/flash_attention/kernel_gradient.h"

#include "attention/kernel_products.h"
#include "base/division.h"
#include "ops/flash_attention/kernel.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using flash_attention::GradientStep;
using flash_attention::kRows;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// out[j][lane] = lanes . rows[j] for 8 rows from `first` on.
template <class Type, int kVectors>
void Scores(const void* rows, int step, const void* lanes, int dim, int first, float* out) {
  const int row_step = step / Type::kDepth;
  const auto* a = static_cast<const typename Type::Element*>(rows) + first * row_step;
  Multiply<Type, kVectors>({a, row_step, 1, lanes, kRows, CeilDivide(dim, Type::kDepth)},
                           out + first * kRows, kRows, [](int, int) { return SetRegister(0.0f); });
}

// What is added to.
auto SumsAt(const float* out, int step) {
  return [out, step](int i, int lane) { return LoadRegister(out + i * step + lane); };
}

// dq[d][lane] += ds . k for 8 d.
template <class Type, int kVectors>
void AddToQuery(const GradientStep& t, const void* ds, int first) {
  float* out = t.dq + first * kRows;
  const auto* k = static_cast<const typename Type::Element*>(t.k_columns) + first;
  Multiply<Type, kVectors>({k, 1, t.step, ds, kRows, CeilDivide(t.columns, Type::kDepth)}, out,
                           kRows, SumsAt(out, kRows));
}

// out[j][d] += sum over rows of weights[j][r] * rows[r][d] for 8 columns and kVectors of d.
template <class Type, int kVectors>
void AddRows(const GradientStep& t, const void* weights, const void* rows, int first, int d,
             float* out) {
  float* to = out + first * t.step + d;
  constexpr int kStep = kRows / Type::kDepth;
  const auto* a = static_cast<const typename Type::Element*>(weights) + first * kStep;
  const auto* b = static_cast<const typename Type::Element*>(rows) + d;
  Multiply<Type, kVectors>({a, kStep, 1, b, t.step, t.vectors * kUnit / Type::kDepth}, to, t.step,
                           SumsAt(to, t.step));
}

// dk or dv of all columns: a sum over the rows of the block.
template <class Type>
void AddToColumns(const GradientStep& t, const void* weights, const void* rows, int dim,
                  float* out) {
  for (int d = 0; d < dim; d += 3 * kUnit) {
    for (int j = 0; j < t.columns; j += kProductRows) {
      if (dim - d > 2 * kUnit) {
        AddRows<Type, 3>(t, weights, rows, j, d, out);
      } else if (dim - d > kUnit) {
        AddRows<Type, 2>(t, weights, rows, j, d, out);
      } else {
        AddRows<Type, 1>(t, weights, rows, j, d, out);
      }
    }
  }
}

// kPlain: see TermsAt.
template <bool kPlain>
void Softmax(const GradientStep& t, int lane) {
  const VecF32 zero = SetF32(0.0f);
  const RowStatistics row = {Load(t.m + lane), Load(t.inverse_l + lane), Load(t.delta + lane)};
  for (int j = 0; j < t.columns; ++j) {
    const GradientTerms terms = TermsAt<kPlain>(t, j, lane, row, [](VecF32 x) { return Exp(x); });
    Store(t.p_out + j * kRows + lane, terms.p);
    Store(t.ds_out + j * kRows + lane, terms.ds);
  }
  // Behind the last column the products take what is there.
  for (int j = t.columns; j % kProductRows != 0; ++j) {
    Store(t.p_out + j * kRows + lane, zero);
    Store(t.ds_out + j * kRows + lane, zero);
  }
}

// p and ds to bf16, as rows of numbers and, for dq, as pairs of columns.
void Round(const GradientStep& t) {
  const int columns = CeilDivide(t.columns, kProductRows) * kProductRows;
  for (int j = 0; j < columns; j += 2) {
    for (int lane = 0; lane < t.vectors * kUnit; lane += kUnit) {
      const int at = j * kRows + lane;
      const VecI32 even = Bf16FromFloat(Load(t.ds_out + at));
      const VecI32 odd = Bf16FromFloat(Load(t.ds_out + at + kRows));
      StoreLow16(t.ds_rounded + at, even);
      StoreLow16(t.ds_rounded + at + kRows, odd);
      Store(t.ds_pairs + j / 2 * kRows + lane, Or(even, ShiftLeft<16>(odd)));
      StoreBf16(t.p_rounded + at, Load(t.p_out + at));
      StoreBf16(t.p_rounded + at + kRows, Load(t.p_out + at + kRows));
    }
  }
}

template <class Type, int kVectors>
void RunStep(const GradientStep& t) {
  for (int j = 0; j < t.columns; j += kProductRows) {
    Scores<Type, kVectors>(t.k, t.step, t.q, t.dim, j, t.p_out);
    Scores<Type, kVectors>(t.v, t.step, t.dy, t.value_dim, j, t.ds_out);
  }
  const bool plain = IsPlain(t);
  for (int lane = 0; lane < kVectors * kUnit; lane += kUnit) {
    plain ? Softmax<true>(t, lane) : Softmax<false>(t, lane);
  }
  const void* p = t.p_out;
  const void* ds = t.ds_out;
  const void* ds_columns = t.ds_out;
  if constexpr (Type::kDepth == 2) {
    Round(t);
    p = t.p_rounded;
    ds = t.ds_rounded;
    ds_columns = t.ds_pairs;
  }
  for (int d = 0; d < t.dim; d += kProductRows) AddToQuery<Type, kVectors>(t, ds_columns, d);
  AddToColumns<Type>(t, ds, t.q_rows, t.dim, t.dk);
  AddToColumns<Type>(t, p, t.dy_rows, t.value_dim, t.dv);
}

template <class Type>
void Run(const GradientStep& t) {
  switch (t.vectors) {
    case 1:
      return RunStep<Type, 1>(t);
    case 2:
      return RunStep<Type, 2>(t);
    default:
      return RunStep<Type, 3>(t);
  }
}

}  // namespace

void FlashAttentionGradientFp32(const GradientStep& step) { Run<Fp32>(step); }
void FlashAttentionGradientBf16(const GradientStep& step) { Run<Bf16>(step); }

float FlashAttentionDot(const float* a, const float* b, int dim) {
  VecF32 sum = SetF32(0.0f);
  for (int d = 0; d < dim; d += kUnit) sum = Fma(Load(a + d), Load(b + d), sum);
  return ReduceSum(sum);
}

void FlashAttentionAdd(const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kUnit) Store(to + i, Add(Load(to + i), Load(from + i)));
}

}  // namespace anyacl::ANYACL_ISA
