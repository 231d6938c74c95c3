// SPDX-License-Identifier: Apache-2.0
// The arithmetics of the form decode: what queries, keys, values and probabilities are multiplied
// as. Each says so for scores (Scores) and for results (Values):
//   fp32        anything
//   bf16 pairs  scores of bf16 keys, which are exact products of bf16 queries
//   int16 pairs INT8 and INT4: queries and the probabilities of a tile as 16-bit integers, relative
//               to the largest of the row; sums are exact, so every tier has the same bits
#pragma once

#include "attention/kernel_sources.h"
#include "simd/dot_tile.h"
#include "simd/int16_tile.h"
#include "simd/pair.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// Of each row of a step: exp(m - m'), and what the sums over a tile's columns count in.
struct RowFactors {
  float alpha[kLanes];
  float step[kLanes];
};

template <int kCount>
struct Count {
  static constexpr int kValue = kCount;
};

template <Element kType>
struct FloatScores {
  using Sum = VecF32;
  using Operand = VecF32;
  static constexpr Element kSource = kType;
  static constexpr int kVectors = kType == Element::kInt4 ? 4 : 1;
  static constexpr int kStep = kVectors * static_cast<int>(kLanes);
  static constexpr bool kHasTail = true;

  static void LoadRow(const char* row, size_t d, VecF32 (&k)[kVectors]) {
    LoadVectors<kType>(row, d, k);
  }
  static VecF32 LoadTail(const char* row, size_t d, int n) {
    return Load16<kType>(row, d, static_cast<size_t>(n) < kLanes ? static_cast<size_t>(n) : kLanes);
  }
  static VecF32 Query(const float* q, int d, int v) {
    return Load(q + d + v * static_cast<int>(kLanes));
  }
  static VecF32 Zero() { return SetF32(0.0f); }
  static VecF32 Add(VecF32 sum, VecF32 q, VecF32 k) { return Fma(q, k, sum); }
  static VecF32 AsFloats(VecF32 sums) { return sums; }
};

template <Element kType>
struct FloatValues {
  using Sum = VecF32;
  using Operand = VecF32;
  using Narrow = FloatValues;
  static constexpr Element kSource = kType;
  static constexpr int kColumns = 1;
  static constexpr bool kHasTail = true;
  // Vectors of a column are as good one by one as four at a time.
  static constexpr bool kColumnsInPlace = kType != Element::kInt4;

  template <int kVectors>
  static void LoadColumns(const char* const* rows, int, size_t d, VecF32 (&x)[kVectors]) {
    LoadVectors<kType>(rows[0], d, x);
  }
  static VecF32 Weight(const float* p, int j) { return SetF32(p[j]); }
  static VecF32 Zero() { return SetF32(0.0f); }
  static VecF32 Add(VecF32 sum, VecF32 p, VecF32 v) { return Fma(p, v, sum); }
  template <int kVectors>
  static void Restore(VecF32 (&)[kVectors]) {}
  static VecF32 Scaled(VecF32 sum, float) { return sum; }
  static float RoundProbabilities(float*, int) { return 1; }
};

template <Element kType>
struct FloatArithmetic {
  using Scores = FloatScores<kType>;
  using Values = FloatValues<kType>;
};

struct Bf16Scores {
  using Sum = VecF32;
  using Operand = VecI16;
  static constexpr Element kSource = Element::kBf16;
  static constexpr int kVectors = 1;
  static constexpr int kStep = 2 * static_cast<int>(kLanes);
  static constexpr bool kHasTail = false;

  static void LoadRow(const char* row, size_t d, VecI16 (&k)[1]) {
    k[0] = Load(reinterpret_cast<const int16_t*>(row) + d);
  }
  static VecI16 Query(const float* q, int d, int) {
    return Load(reinterpret_cast<const int16_t*>(q) + d);
  }
  static VecF32 Zero() { return SetF32(0.0f); }
  static VecF32 Add(VecF32 sum, VecI16 q, VecI16 k) { return DotBf16(sum, q, k); }
  static VecF32 AsFloats(VecF32 sums) { return sums; }
};

struct Bf16Values : FloatValues<Element::kBf16> {
  static constexpr bool kHasTail = false;
  static constexpr bool kColumnsInPlace = false;

  // Even and odd places of 32: a shift and a mask widen them, without a shuffle.
  static void LoadColumns(const char* const* rows, int, size_t d, VecF32 (&x)[4]) {
    const auto* p = reinterpret_cast<const uint16_t*>(rows[0]) + d;
    x[0] = LoadFirst(Bf16(), p);
    x[1] = LoadSecond(Bf16(), p);
    x[2] = LoadFirst(Bf16(), p + 2 * kLanes);
    x[3] = LoadSecond(Bf16(), p + 2 * kLanes);
  }
  static void Restore(VecF32 (&sum)[4]) {
    Interleave(sum[0], sum[1]);
    Interleave(sum[2], sum[3]);
  }
};

struct Bf16Arithmetic {
  using Scores = Bf16Scores;
  using Values = Bf16Values;
  static constexpr bool kExists = kHasDotBf16;
  static constexpr int kUnit = 4 * static_cast<int>(kLanes);

  static float PlaceQuery(float* q, int dim) {
    for (int d = 0; d < dim; d += static_cast<int>(kLanes)) {
      StoreBf16(reinterpret_cast<uint16_t*>(q) + d, Load(q + d));
    }
    return 1;
  }
};

// Numbers as integers of 16 bits times the returned step, in place: n is a multiple of 16. A NaN or
// an infinity makes the step a NaN.
inline float RoundToI16(float* numbers, int n) {
  constexpr int kUnit = static_cast<int>(kLanes);
  VecF32 largest = SetF32(0x1p-100f), special = SetF32(0.0f);
#pragma GCC unroll 4
  for (int i = 0; i < n; i += kUnit) {
    const VecF32 x = Load(numbers + i);
    largest = Max(Abs(x), largest);
    special = Fma(x, SetF32(0.0f), special);
  }
  const float max = ReduceMax(largest);
  const VecF32 scale = SetF32(32767 / max);
  auto* rounded = reinterpret_cast<uint16_t*>(numbers);
#pragma GCC unroll 4
  for (int i = 0; i < n; i += kUnit) {
    StoreLow16(rounded + i, RoundToI32(Mul(Load(numbers + i), scale)));
  }
  return max * (1.0f / 32767) + ReduceSum(special);
}

template <Element kType>
struct Int16Scores {
  using Sum = VecI32;
  using Operand = VecI16;
  static constexpr Element kSource = kType;
  static constexpr int kVectors = 2;
  static constexpr int kStep = 4 * static_cast<int>(kLanes);
  static constexpr bool kHasTail = false;

  static void LoadRow(const char* row, size_t d, VecI16 (&k)[2]) {
    if constexpr (kType == Element::kInt4) {
      LoadI4AsI16(reinterpret_cast<const uint8_t*>(row) + d / 2, k);
    } else {
      LoadI8AsI16(reinterpret_cast<const int8_t*>(row) + d, k);
    }
  }
  static VecI16 Query(const float* q, int d, int v) {
    return Load(reinterpret_cast<const int16_t*>(q) + d + v * 2 * static_cast<int>(kLanes));
  }
  static VecI32 Zero() { return SetI32(0); }
  static VecI32 Add(VecI32 sum, VecI16 q, VecI16 k) { return DotI16(sum, q, k); }
  static VecF32 AsFloats(VecI32 sums) { return ToF32(sums); }
};

template <Element kType>
struct Int16Values {
  using Sum = VecI32;
  using Operand = VecI16;
  static constexpr Element kSource = kType;
  static constexpr int kColumns = 2;
  static constexpr bool kHasTail = false;
  static constexpr bool kColumnsInPlace = false;

  static void LoadColumns(const char* const* rows, int count, size_t d, VecI16 (&x)[4]) {
    // Behind the last column: any numbers, times 0.
    const char* even = rows[0];
    const char* odd = rows[count > 1 ? 1 : 0];
    if constexpr (kType == Element::kInt4) {
      LoadI4Pairs(reinterpret_cast<const uint8_t*>(even) + d / 2,
                  reinterpret_cast<const uint8_t*>(odd) + d / 2, x);
    } else {
      LoadI8Pairs(reinterpret_cast<const int8_t*>(even) + d,
                  reinterpret_cast<const int8_t*>(odd) + d, x);
    }
  }
  static VecI16 Weight(const float* p, int j) {
    int32_t pair;
    __builtin_memcpy(&pair, reinterpret_cast<const int16_t*>(p) + j, sizeof(pair));
    return __builtin_bit_cast(VecI16, SetI32(pair));
  }
  static VecI32 Zero() { return SetI32(0); }
  static VecI32 Add(VecI32 sum, VecI16 p, VecI16 v) { return DotI16(sum, p, v); }
  static void Restore(VecI32 (&sum)[4]) {
    kType == Element::kInt4 ? RestoreI4Pairs(sum) : RestoreI8Pairs(sum);
  }
  static VecF32 Scaled(VecI32 sum, float step) { return Mul(ToF32(sum), SetF32(step)); }
  static float RoundProbabilities(float* p, int columns) {
    constexpr int kUnit = static_cast<int>(kLanes);
    return RoundToI16(p, (columns + kUnit - 1) / kUnit * kUnit);
  }
};

template <Element kType>
struct Int16Arithmetic {
  using Scores = Int16Scores<kType>;
  using Values = Int16Values<kType>;
  static constexpr bool kExists = true;
  static constexpr int kUnit = 4 * static_cast<int>(kLanes);

  static float PlaceQuery(float* q, int dim) {
    const float step = RoundToI16(q, dim);
    auto* words = reinterpret_cast<int16_t*>(q);
    for (int d = 0; kType == Element::kInt4 && d < dim; d += kUnit) {
      VecI16 v[2] = {Load(words + d), Load(words + d + 2 * kLanes)};
      ArrangeI4(v);
      Store(words + d, v[0]);
      Store(words + d + 2 * kLanes, v[1]);
    }
    return step;
  }
};

struct NoArithmetic {
  static constexpr bool kExists = false;
};

template <Element kType>
struct NarrowOf {
  using Type = NoArithmetic;
};
template <>
struct NarrowOf<Element::kBf16> {
  using Type = Bf16Arithmetic;
};
template <>
struct NarrowOf<Element::kInt8> {
  using Type = Int16Arithmetic<Element::kInt8>;
};
template <>
struct NarrowOf<Element::kInt4> {
  using Type = Int16Arithmetic<Element::kInt4>;
};

// What a type is multiplied as where DecodeStep allows it and D is a multiple of kUnit.
template <Element kType>
using NarrowArithmetic = typename NarrowOf<kType>::Type;

// Scores in fp32.
template <Element kType>
struct HalfNarrow {
  using Scores = FloatScores<kType>;
  using Values = typename NarrowArithmetic<kType>::Values;
};

template <Element kType>
bool IsNarrow(bool narrow, int dim) {
  if constexpr (NarrowArithmetic<kType>::kExists) {
    return narrow && dim % NarrowArithmetic<kType>::kUnit == 0;
  }
  return false;
}

}  // namespace anyacl::ANYACL_ISA
