// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/kernel.h"

#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {
namespace {

using indexing::AddRowsArgs;

template <class F>
using BitsOf = typename F::Bits;

template <class F>
[[gnu::always_inline]] inline const BitsOf<F>* ElementsOf(const AddRowsArgs& args, int64_t row,
                                                          int64_t column) {
  return reinterpret_cast<const BitsOf<F>*>(args.rows[row]) + column;
}

template <bool kWeighted>
[[gnu::always_inline]] inline VecF32 Plus(VecF32 sum, VecF32 x, VecF32 factor) {
  return kWeighted ? Fma(factor, x, sum) : Add(sum, x);
}

// Of 64 columns.
template <class F, bool kWeighted>
void AddWide(const AddRowsArgs& args, int64_t column) {
  constexpr auto kNext = static_cast<int64_t>(kLanes);
  float* const sums = args.sums + column;
  VecF32 a = Load(sums), b = Load(sums + kNext), c = Load(sums + 2 * kNext),
         d = Load(sums + 3 * kNext), factor = a;
  for (int64_t i = 0; i < args.count; ++i) {
    const BitsOf<F>* const row = ElementsOf<F>(args, i, column);
    if (kWeighted) factor = SetF32(args.factors[i]);
    a = Plus<kWeighted>(a, F::Load(row, kLanes), factor);
    b = Plus<kWeighted>(b, F::Load(row + kNext, kLanes), factor);
    c = Plus<kWeighted>(c, F::Load(row + 2 * kNext, kLanes), factor);
    d = Plus<kWeighted>(d, F::Load(row + 3 * kNext, kLanes), factor);
  }
  Store(sums, a);
  Store(sums + kNext, b);
  Store(sums + 2 * kNext, c);
  Store(sums + 3 * kNext, d);
}

// Of 32 columns or less.
template <class F, bool kWeighted>
void AddNarrow(const AddRowsArgs& args, int64_t column, size_t columns) {
  Pair sums = LoadPair<Fp32>(args.sums + column, columns);
  VecF32 factor = sums.a;
  for (int64_t i = 0; i < args.count; ++i) {
    const Pair row = LoadPair<F>(ElementsOf<F>(args, i, column), columns);
    if (kWeighted) factor = SetF32(args.factors[i]);
    sums = {Plus<kWeighted>(sums.a, row.a, factor), Plus<kWeighted>(sums.b, row.b, factor)};
  }
  StorePair<Fp32>(args.sums + column, sums, columns);
}

template <class F, bool kWeighted>
void AddAll(const AddRowsArgs& args) {
  constexpr int64_t kWide = 2 * kPairElements, kPair = kPairElements;
  int64_t column = 0;
  for (; column + kWide <= args.columns; column += kWide) AddWide<F, kWeighted>(args, column);
  for (; column < args.columns; column += kPair) {
    const int64_t left = args.columns - column;
    AddNarrow<F, kWeighted>(args, column, static_cast<size_t>(left < kPair ? left : kPair));
  }
}

template <class F>
void AddOf(const AddRowsArgs& args) {
  args.factors != nullptr ? AddAll<F, true>(args) : AddAll<F, false>(args);
}

void AddRows(const AddRowsArgs& args) {
  switch (args.type) {
    case Element::kFp16:
      return AddOf<Fp16>(args);
    case Element::kBf16:
      return AddOf<Bf16>(args);
    default:
      return AddOf<Fp32>(args);
  }
}

}  // namespace

extern constinit const indexing::KernelSet kIndexingKernels;
constinit const indexing::KernelSet kIndexingKernels = {.add_rows = AddRows};

}  // namespace anyacl::ANYACL_ISA
