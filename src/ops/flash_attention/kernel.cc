// SPDX-License-Identifier: Apache-2.0
#include "ops/flash_attention/kernel.h"

#include "attention/kernel_products.h"
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
  VecF32 sum[kProductRows][kVectors];
  Clear(sum);
  AddProducts<Type>(a, row_step, 1, lanes, kRows, CeilDiv(dim, Type::kDepth), sum);
  StoreSums(sum, out + first * kRows, kRows);
}

// dq[d][lane] += ds . k for 8 d.
template <class Type, int kVectors>
void AddToQuery(const GradientStep& t, const void* ds, int first) {
  float* out = t.dq + first * kRows;
  VecF32 sum[kProductRows][kVectors];
  LoadSums(out, kRows, sum);
  const auto* k = static_cast<const typename Type::Element*>(t.k_columns) + first;
  AddProducts<Type>(k, 1, t.step, ds, kRows, CeilDiv(t.columns, Type::kDepth), sum);
  StoreSums(sum, out, kRows);
}

// out[j][d] += sum over rows of weights[j][r] * rows[r][d] for 8 columns and kVectors of d.
template <class Type, int kVectors>
void AddRows(const GradientStep& t, const void* weights, const void* rows, int first, int d,
             float* out) {
  float* to = out + first * t.step + d;
  VecF32 sum[kProductRows][kVectors];
  LoadSums(to, t.step, sum);
  constexpr int kStep = kRows / Type::kDepth;
  const auto* a = static_cast<const typename Type::Element*>(weights) + first * kStep;
  const auto* b = static_cast<const typename Type::Element*>(rows) + d;
  AddProducts<Type>(a, kStep, 1, b, t.step, t.vectors * kUnit / Type::kDepth, sum);
  StoreSums(sum, to, t.step);
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

// kPlain: nothing is added, masked or dropped.
template <bool kPlain>
void Softmax(const GradientStep& t, int lane) {
  const VecF32 zero = SetF32(0.0f), scale = SetF32(t.scale);
  const VecF32 m = Load(t.m + lane), inverse_l = Load(t.inverse_l + lane);
  const VecF32 delta = Load(t.delta + lane);
  for (int j = 0; j < t.columns; ++j) {
    const int at = j * kRows + lane;
    VecF32 s = Mul(Load(t.p_out + at), scale);
    VecF32 dp = Load(t.ds_out + at);
    if constexpr (!kPlain) {
      if (t.add != nullptr) s = Add(s, Load(t.add + at));
    }
    VecF32 p = Mul(Exp(Sub(s, m)), inverse_l);
    VecF32 kept = p;
    if constexpr (!kPlain) {
      if (t.masked != nullptr) p = Select(Equal(LoadI8(t.masked + at), SetI32(0)), p, zero);
      if (t.begin != nullptr) {
        const VecI32 column = SetI32(j);
        const Mask before = Less(column, Load(t.begin + lane));
        p = Select(And(Not(before), Less(column, Load(t.end + lane))), p, zero);
      }
      kept = p;
      if (t.keep != nullptr) {
        const Mask dropped = Equal(LoadI8(t.keep + at), SetI32(0));
        kept = Select(dropped, zero, Mul(p, SetF32(t.keep_scale)));
        dp = Select(dropped, zero, Mul(dp, SetF32(t.keep_scale)));
      }
    }
    Store(t.p_out + at, kept);
    Store(t.ds_out + at, Mul(Mul(p, Sub(dp, delta)), scale));
  }
  // Behind the last column the products take what is there.
  for (int j = t.columns; j % kProductRows != 0; ++j) {
    Store(t.p_out + j * kRows + lane, zero);
    Store(t.ds_out + j * kRows + lane, zero);
  }
}

// p and ds to bf16, as rows of numbers and, for dq, as pairs of columns.
void Round(const GradientStep& t) {
  const int columns = CeilDiv(t.columns, kProductRows) * kProductRows;
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
  const bool plain =
      t.add == nullptr && t.masked == nullptr && t.begin == nullptr && t.keep == nullptr;
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

float Dot(const float* a, const float* b, int dim) {
  VecF32 sum = SetF32(0.0f);
  for (int d = 0; d < dim; d += kUnit) sum = Fma(Load(a + d), Load(b + d), sum);
  return ReduceSum(sum);
}

void AddTo(const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kUnit) Store(to + i, Add(Load(to + i), Load(from + i)));
}

}  // namespace

extern constinit const flash_attention::KernelSet kFlashAttentionKernels;
constinit const flash_attention::KernelSet kFlashAttentionKernels = {
    .gradient_fp32 = Run<Fp32>,
    .gradient_bf16 = Run<Bf16>,
    .dot = Dot,
    .add = AddTo,
};

}  // namespace anyacl::ANYACL_ISA
