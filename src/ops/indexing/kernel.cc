// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/kernel.h"

#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {
namespace {

using indexing::SumRowsArgs;

template <class F>
using BitsOf = typename F::Bits;

template <class F>
[[gnu::always_inline]] inline const BitsOf<F>* ElementsOf(const SumRowsArgs& args, int64_t row,
                                                          int64_t column) {
  return reinterpret_cast<const BitsOf<F>*>(args.rows[row]) + column;
}

template <bool kWeighted>
[[gnu::always_inline]] inline VecF32 Plus(VecF32 sum, VecF32 x, VecF32 factor) {
  return kWeighted ? Fma(factor, x, sum) : Add(sum, x);
}

// Of 64 columns. They are summed by halves, which come into their order at the end.
template <class F, bool kWeighted>
void SumWide(const SumRowsArgs& args, int64_t column) {
  constexpr int64_t kNext = kPairElements;
  VecF32 a = SetF32(0.0f), b = a, c = a, d = a, factor = a;
  for (int64_t i = 0; i < args.count; ++i) {
    const BitsOf<F>* const row = ElementsOf<F>(args, i, column);
    if (kWeighted) factor = SetF32(args.factors[i]);
    a = Plus<kWeighted>(a, LoadFirst(F(), row), factor);
    b = Plus<kWeighted>(b, LoadSecond(F(), row), factor);
    c = Plus<kWeighted>(c, LoadFirst(F(), row + kNext), factor);
    d = Plus<kWeighted>(d, LoadSecond(F(), row + kNext), factor);
  }
  InOrder(F(), a, b);
  InOrder(F(), c, d);
  StorePair(Fp32(), args.sums + column, {a, b});
  StorePair(Fp32(), args.sums + column + kNext, {c, d});
}

// Of 32 columns or less.
template <class F, bool kWeighted>
void SumNarrow(const SumRowsArgs& args, int64_t column, size_t columns) {
  Pair sums = {SetF32(0.0f), SetF32(0.0f)};
  VecF32 factor = sums.a;
  for (int64_t i = 0; i < args.count; ++i) {
    const Pair row = LoadPair<F>(ElementsOf<F>(args, i, column), columns);
    if (kWeighted) factor = SetF32(args.factors[i]);
    sums = {Plus<kWeighted>(sums.a, row.a, factor), Plus<kWeighted>(sums.b, row.b, factor)};
  }
  StorePair<Fp32>(args.sums + column, sums, columns);
}

template <class F, bool kWeighted>
void SumAll(const SumRowsArgs& args) {
  constexpr int64_t kWide = 2 * kPairElements, kPair = kPairElements;
  int64_t column = 0;
  for (; column + kWide <= args.columns; column += kWide) SumWide<F, kWeighted>(args, column);
  for (; column < args.columns; column += kPair) {
    const int64_t left = args.columns - column;
    SumNarrow<F, kWeighted>(args, column, static_cast<size_t>(left < kPair ? left : kPair));
  }
}

template <class F>
void SumOf(const SumRowsArgs& args) {
  args.factors != nullptr ? SumAll<F, true>(args) : SumAll<F, false>(args);
}

void SumRows(const SumRowsArgs& args) {
  switch (args.type) {
    case Element::kFp16:
      return SumOf<Fp16>(args);
    case Element::kBf16:
      return SumOf<Bf16>(args);
    default:
      return SumOf<Fp32>(args);
  }
}

}  // namespace

extern constinit const indexing::KernelSet kIndexingKernels;
constinit const indexing::KernelSet kIndexingKernels = {.sum_rows = SumRows};

}  // namespace anyacl::ANYACL_ISA
