// SPDX-License-Identifier: Apache-2.0
// The loops of element-wise kernels. An operation is a class with the number of its inputs and
//   template <class V> static V Of(V a, V b, const Scalars<V>& s)
// or, of three inputs, Of(V a, V b, V c, const Scalars<V>& s), written over the operations of
// simd.h; the same names exist for the numbers of other forms (kernel_numbers.h). A comparison
// returns a mask or a bool. An operation of one input may have
//   static VecF32 Narrow(VecF32 a)
// for results that are rounded to 16 bits: to 2^-16 of the right one, in fewer steps.
#pragma once

#include "ops/elementwise/kernel.h"
#include "ops/elementwise/kernel_doubles.h"
#include "simd/alignment.h"
#include "simd/pair.h"
#include "simd/prefetch.h"
#include "simd/split_load.h"

namespace anyacl::ANYACL_ISA {

template <class V>
struct Scalars {
  V p, q, r;
};
inline Scalars<VecF32> ScalarsOf(const elementwise::Block& block, VecF32) {
  return {SetF32(block.p.fp32), SetF32(block.q.fp32), SetF32(block.r.fp32)};
}
inline Scalars<double> ScalarsOf(const elementwise::Block& block, double) {
  return {block.p.fp64, block.q.fp64, block.r.fp64};
}
template <class N>
inline Scalars<N> ScalarsOf(const elementwise::Block& block, N) {
  return {static_cast<N>(block.p.integer), static_cast<N>(block.q.integer),
          static_cast<N>(block.r.integer)};
}

// Bases of operations that take a line.
template <class V>
using ScalarsRef = const Scalars<V>&;
struct Unary {
  static constexpr int kInputs = 1;
};
struct Binary {
  static constexpr int kInputs = 2;
};
struct Ternary {
  static constexpr int kInputs = 3;
};

template <class Op, class V>
inline auto Apply(V a, V b, V c, const Scalars<V>& s) {
  if constexpr (Op::kInputs > 2) {
    return Op::Of(a, b, c, s);
  } else {
    return Op::Of(a, b, s);
  }
}

// Where an input's elements are: one that stands for all becomes as many as a step of a loop takes.
template <class Bits>
[[gnu::always_inline]] inline const Bits* ElementsOf(const elementwise::Block& block, int input,
                                                     Bits (&repeated)[kPairElements]) {
  const auto* const data = static_cast<const Bits*>(block.in[input]);
  if (block.step[input] != 0) return data;
  for (Bits& element : repeated) element = *data;
  return repeated;
}

// The halves of pair.h.
inline VecF32 First(Fp32, const float* p) { return LoadSplit(p); }
inline VecF32 Second(Fp32, const float* p) { return LoadSplit(p + kLanes); }
inline VecF32 First(Fp16, const uint16_t* p) { return LoadFp16Split(p); }
inline VecF32 Second(Fp16, const uint16_t* p) { return LoadFp16Split(p + kLanes); }
inline VecF32 First(Bf16, const uint16_t* p) { return LoadFirst(Bf16(), p); }
inline VecF32 Second(Bf16, const uint16_t* p) { return LoadSecond(Bf16(), p); }

template <class Format, class Op>
inline VecF32 ResultOf(VecF32 a, VecF32 b, VecF32 c, const Scalars<VecF32>& s) {
  if constexpr (sizeof(typename Format::Bits) == 2 && requires { Op::Narrow(a); }) {
    return Op::Narrow(a);
  } else {
    return Apply<Op>(a, b, c, s);
  }
}

// The inputs of an operation that has fewer are those it has.
template <class Op>
constexpr int InputOf(int i) {
  return i < Op::kInputs ? i : 0;
}

// Fewer elements than a step of the loop takes. A function of its own, so that the loop, which may
// be as short as a row of 256 numbers, prepares nothing for it.
template <class Format, class Op, class Bits = typename Format::Bits>
[[gnu::noinline]] void MapPart(const Bits* a, const Bits* b, const Bits* c, Bits* out,
                               int64_t count, const elementwise::Block& block) {
  const auto n = static_cast<size_t>(count);
  const Scalars<VecF32> s = ScalarsOf(block, VecF32());
  const Pair x = LoadPair<Format>(a, n);
  const Pair y = Op::kInputs > 1 ? LoadPair<Format>(b, n) : x;
  const Pair z = Op::kInputs > 2 ? LoadPair<Format>(c, n) : x;
  StorePair<Format>(
      out, {ResultOf<Format, Op>(x.a, y.a, z.a, s), ResultOf<Format, Op>(x.b, y.b, z.b, s)}, n);
}

// Flattened: an operation that the compiler left as a function would take its vectors by way of
// memory (GELU of fp32 with AVX2: 36 instead of 17 cycles for 8 elements).
template <class Format, class Op, bool kPastCaches>
[[gnu::flatten]] void MapVectors(const elementwise::Block& block) {
  using Bits = typename Format::Bits;
  constexpr int64_t kStep = kPairElements;
  alignas(kVectorBytes) Bits repeated[Op::kInputs][kPairElements];
  const Bits* const a = ElementsOf(block, 0, repeated[0]);
  const Bits* const b = Op::kInputs > 1 ? ElementsOf(block, 1, repeated[InputOf<Op>(1)]) : a;
  const Bits* const c = Op::kInputs > 2 ? ElementsOf(block, 2, repeated[InputOf<Op>(2)]) : a;
  const int64_t step_a = block.step[0], step_b = block.step[1], step_c = block.step[2];
  auto* const out = static_cast<Bits*>(block.out);
  const int64_t count = block.count;
  const Scalars<VecF32> s = ScalarsOf(block, VecF32());

  const auto part = [&](int64_t j, int64_t n) {
    MapPart<Format, Op>(a + j * step_a, b + j * step_b, c + j * step_c, out + j, n, block);
  };
  // Behind short rows may lie what nobody reads.
  const int64_t ahead =
      count * static_cast<int64_t>(sizeof(Bits)) >= 4 * kAheadBytes ? kAheadBytes : 0;
  int64_t j = kPastCaches ? ToAlignment(out, count) : 0;
  if (j > 0) part(0, j);
  for (; j + kStep <= count; j += kStep) {
    constexpr int kLines = kStep * static_cast<int>(sizeof(Bits)) / 64;
    PrefetchLines<kLines>(a + j * step_a, ahead);
    if (Op::kInputs > 1) PrefetchLines<kLines>(b + j * step_b, ahead);
    if (Op::kInputs > 2) PrefetchLines<kLines>(c + j * step_c, ahead);
    const VecF32 first = First(Format(), a + j * step_a);
    const VecF32 second = Second(Format(), a + j * step_a);
    Pair result;
    if constexpr (Op::kInputs > 2) {
      result.a = ResultOf<Format, Op>(first, First(Format(), b + j * step_b),
                                      First(Format(), c + j * step_c), s);
      result.b = ResultOf<Format, Op>(second, Second(Format(), b + j * step_b),
                                      Second(Format(), c + j * step_c), s);
    } else if constexpr (Op::kInputs > 1) {
      result.a = ResultOf<Format, Op>(first, First(Format(), b + j * step_b), first, s);
      result.b = ResultOf<Format, Op>(second, Second(Format(), b + j * step_b), second, s);
    } else {
      result.a = ResultOf<Format, Op>(first, first, first, s);
      result.b = ResultOf<Format, Op>(second, second, second, s);
    }
    if constexpr (kPastCaches) {
      StorePairPastCaches(Format(), out + j, result);
    } else {
      StorePair(Format(), out + j, result);
    }
  }
  if (j < count) part(j, count - j);
}

template <class Format, class Op>
void Map(const elementwise::Block& block) {
  if (block.past_caches) {
    MapVectors<Format, Op, true>(block);
  } else {
    MapVectors<Format, Op, false>(block);
  }
}

// Of fp32, for what takes long or is rare: the operation stands here once.
template <class Op>
void MapOnce(const elementwise::Block& block) {
  alignas(kVectorBytes) float repeated[Op::kInputs][kPairElements];
  const float* const a = ElementsOf(block, 0, repeated[0]);
  const float* const b = Op::kInputs > 1 ? ElementsOf(block, 1, repeated[InputOf<Op>(1)]) : a;
  const float* const c = Op::kInputs > 2 ? ElementsOf(block, 2, repeated[InputOf<Op>(2)]) : a;
  const int64_t step_a = block.step[0], step_b = block.step[1], step_c = block.step[2];
  auto* out = static_cast<float*>(block.out);
  const int64_t count = block.count;
  const Scalars<VecF32> s = ScalarsOf(block, VecF32());
  for (int64_t j = 0; j < count; j += kLanes) {
    const bool whole = j + static_cast<int64_t>(kLanes) <= count;
    const auto n = static_cast<size_t>(count - j);
    const auto load = [&](const float* from) { return whole ? Load(from) : Load(from, n); };
    const VecF32 x = load(a + j * step_a);
    const VecF32 y = Op::kInputs > 1 ? load(b + j * step_b) : x;
    const VecF32 z = Op::kInputs > 2 ? load(c + j * step_c) : x;
    const VecF32 result = Apply<Op>(x, y, z, s);
    if (whole) {
      Store(out + j, result);
    } else {
      Store(out + j, result, n);
    }
  }
}

// Of fp32, one number at a time in double: for functions that have no vectors.
template <class Op>
void MapInDoubles(const elementwise::Block& block) {
  const auto* a = static_cast<const float*>(block.in[0]);
  auto* out = static_cast<float*>(block.out);
  const Scalars<double> s = ScalarsOf(block, double());
  const int64_t count = block.count, step = block.step[0];
  for (int64_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(a[i * step]);
    out[i] = static_cast<float>(Op::Of(x, x, s));
  }
}

// Other numbers: the compiler vectorises.
template <class N, class Result, class Op>
void MapNumbers(const elementwise::Block& block) {
  const auto* a = static_cast<const N*>(block.in[0]);
  const auto* b = static_cast<const N*>(block.in[InputOf<Op>(1)]);
  const auto* c = static_cast<const N*>(block.in[InputOf<Op>(2)]);
  auto* out = static_cast<Result*>(block.out);
  const Scalars<N> s = ScalarsOf(block, N());
  const int64_t count = block.count;  // which `out` could overwrite, as far as the compiler knows
  for (int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<Result>(Apply<Op>(a[i], b[i], c[i], s));
  }
}

template <class Format, class Op>
void Compare(const elementwise::Block& block) {
  using Bits = typename Format::Bits;
  constexpr int64_t kStep = kLanes;
  alignas(kVectorBytes) Bits repeated[Op::kInputs][kPairElements];
  const Bits* const a = ElementsOf(block, 0, repeated[0]);
  const Bits* const b = Op::kInputs > 1 ? ElementsOf(block, 1, repeated[InputOf<Op>(1)]) : a;
  const int64_t step_a = block.step[0], step_b = block.step[1];
  auto* out = static_cast<int8_t*>(block.out);
  const int64_t count = block.count;
  const Scalars<VecF32> s = ScalarsOf(block, VecF32());
  const auto result = [&](int64_t j, size_t n) {
    const VecF32 x = Format::Load(a + j * step_a, n);
    const Mask mask = Op::Of(x, Op::kInputs > 1 ? Format::Load(b + j * step_b, n) : x, s);
    return Select(mask, SetI32(1), SetI32(0));
  };
  int64_t j = 0;
  for (; j + kStep <= count; j += kStep) StoreI8(out + j, result(j, kLanes));
  const auto left = static_cast<size_t>(count - j);
  if (left > 0) StoreI8(out + j, result(j, left), left);
}

template <class Op>
constexpr elementwise::Row kEveryForm = {
    {Map<Fp32, Op>, Map<Fp16, Op>, Map<Bf16, Op>, MapNumbers<double, double, Op>,
     MapNumbers<int32_t, int32_t, Op>, MapNumbers<int64_t, int64_t, Op>, nullptr}};
template <class Op>
constexpr elementwise::Row kFloatingForms = {{Map<Fp32, Op>, Map<Fp16, Op>, Map<Bf16, Op>,
                                              MapNumbers<double, double, Op>, nullptr, nullptr,
                                              nullptr}};
template <class Op>
constexpr elementwise::Row kWideAndIntegerForms = {
    {Map<Fp32, Op>, nullptr, nullptr, MapNumbers<double, double, Op>,
     MapNumbers<int32_t, int32_t, Op>, MapNumbers<int64_t, int64_t, Op>, nullptr}};
template <class Op>
constexpr elementwise::Row kRareFunction = {
    {MapOnce<Op>, nullptr, nullptr, MapNumbers<double, double, Op>, nullptr, nullptr, nullptr}};
template <class Op>
constexpr elementwise::Row kRareEveryForm = {
    {MapOnce<Op>, nullptr, nullptr, MapNumbers<double, double, Op>,
     MapNumbers<int32_t, int32_t, Op>, MapNumbers<int64_t, int64_t, Op>, nullptr}};
template <class Op>
constexpr elementwise::Row kFp32Form = {
    {MapOnce<Op>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
template <class Op>
constexpr elementwise::Row kInDoubles = {{MapInDoubles<Op>, nullptr, nullptr,
                                          MapNumbers<double, double, Op>, nullptr, nullptr,
                                          nullptr}};
template <class Op>
constexpr elementwise::Row kIntegerForms = {{nullptr, nullptr, nullptr, nullptr,
                                             MapNumbers<int32_t, int32_t, Op>,
                                             MapNumbers<int64_t, int64_t, Op>, nullptr}};
template <class Op>
constexpr elementwise::Row kFloatingComparison = {{Compare<Fp32, Op>, nullptr, nullptr,
                                                   MapNumbers<double, uint8_t, Op>, nullptr,
                                                   nullptr, nullptr}};
template <class Op>
constexpr elementwise::Row kComparison = {
    {Compare<Fp32, Op>, Compare<Fp16, Op>, Compare<Bf16, Op>, MapNumbers<double, uint8_t, Op>,
     MapNumbers<int32_t, uint8_t, Op>, MapNumbers<int64_t, uint8_t, Op>,
     MapNumbers<uint64_t, uint8_t, Op>}};

}  // namespace anyacl::ANYACL_ISA
