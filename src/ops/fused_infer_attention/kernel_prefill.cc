// SPDX-License-Identifier: Apache-2.0
// The form prefill: rows in lanes, 8 keys (or 8 d) times up to 3 vectors of rows in registers. The
// 24 accumulators of 512 bits leave room for the operands, and 3 loads and 8 broadcasts feed 24
// multiplications.
#include "ops/fused_infer_attention/kernel.h"
#include "simd/dot_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using fused_infer_attention::PrefillStep;
using fused_infer_attention::Step;

namespace {

constexpr int kBlock = 8;
constexpr int kUnit = static_cast<int>(kLanes);
constexpr int kScoreStep = fused_infer_attention::kPrefillRows;

// Arithmetic in fp32: one d at a time.
struct Fp32 {
  static constexpr int kDepth = 1;  // of d in the products of the scores, of columns in the sums
  using Element = float;
  using Vector = VecF32;
  static Vector LoadLanes(const void* p, int at) { return Load(static_cast<const float*>(p) + at); }
  static Vector Broadcast(const Element* p) { return SetF32(*p); }
  static VecF32 MultiplyAdd(Vector a, Vector b, VecF32 sum) { return Fma(a, b, sum); }
};

// In bf16: two at a time.
struct Bf16 {
  static constexpr int kDepth = 2;
  using Element = int32_t;  // a pair
  using Vector = VecI16;
  static Vector LoadLanes(const void* p, int at) {
    return __builtin_bit_cast(VecI16, Load(static_cast<const int32_t*>(p) + at));
  }
  static Vector Broadcast(const Element* p) { return __builtin_bit_cast(VecI16, SetI32(*p)); }
  static VecF32 MultiplyAdd(Vector a, Vector b, VecF32 sum) { return DotBf16(sum, a, b); }
};

// scores[j][lane] = q . k for 8 keys.
template <class Type, int kVectors>
void MultiplyKeys(const PrefillStep& t, int first) {
  using Element = typename Type::Element;
  VecF32 sum[kBlock][kVectors];
#pragma GCC unroll 8
  for (int j = 0; j < kBlock; ++j) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) sum[j][v] = SetF32(0.0f);
  }
  const int key_step = t.tile_step / Type::kDepth;
  const Element* keys = static_cast<const Element*>(t.k) + first * key_step;
  const int depth = (t.dim + Type::kDepth - 1) / Type::kDepth;
  for (int d = 0; d < depth; ++d) {
    typename Type::Vector q[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) q[v] = Type::LoadLanes(t.q, d * t.lane_step + v * kUnit);
#pragma GCC unroll 8
    for (int j = 0; j < kBlock; ++j) {
      const typename Type::Vector k = Type::Broadcast(keys + j * key_step + d);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) sum[j][v] = Type::MultiplyAdd(q[v], k, sum[j][v]);
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < kBlock; ++j) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      Store(t.scores + (first + j) * kScoreStep + v * kUnit, sum[j][v]);
    }
  }
}

// o[d][lane] = o * alpha + p . v for 8 d.
template <class Type, int kVectors>
void AddValues(const PrefillStep& t, int first, const VecF32 (&alpha)[kVectors]) {
  using Element = typename Type::Element;
  VecF32 sum[kBlock][kVectors];
  float* out = t.o + first * t.lane_step;
#pragma GCC unroll 8
  for (int d = 0; d < kBlock; ++d) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      sum[d][v] = Mul(Load(out + d * t.lane_step + v * kUnit), alpha[v]);
    }
  }
  const Element* values = static_cast<const Element*>(t.v) + first;
  const int depth = (t.columns + Type::kDepth - 1) / Type::kDepth;
  for (int j = 0; j < depth; ++j) {
    typename Type::Vector p[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      p[v] = Type::LoadLanes(t.scores, j * kScoreStep + v * kUnit);
    }
#pragma GCC unroll 8
    for (int d = 0; d < kBlock; ++d) {
      const typename Type::Vector x = Type::Broadcast(values + j * t.tile_step + d);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) sum[d][v] = Type::MultiplyAdd(p[v], x, sum[d][v]);
    }
  }
#pragma GCC unroll 8
  for (int d = 0; d < kBlock; ++d) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) Store(out + d * t.lane_step + v * kUnit, sum[d][v]);
  }
}

// kPlain: nothing is added, masked or scaled by column.
template <bool kPlain>
[[gnu::always_inline]] inline VecF32 ScoreAt(const PrefillStep& t, int j, int lane, VecF32 shift,
                                             VecF32 row_sum) {
  const VecF32 product = Load(t.scores + j * kScoreStep + lane);
  if constexpr (kPlain) return Fma(product, SetF32(t.column_scale[j]), shift);
  if (t.column_shift != nullptr) shift = Fma(row_sum, SetF32(t.column_shift[j]), shift);
  VecF32 s = Fma(product, SetF32(t.column_scale[j]), shift);
  if (t.add != nullptr) s = Add(s, Load(t.add + j * kScoreStep + lane));
  if (t.masked != nullptr) {
    const Mask shown = Equal(LoadI8(t.masked + j * kScoreStep + lane), SetI32(0));
    s = Select(shown, s, SetF32(t.masked_score));
  }
  if (t.begin != nullptr) {
    const VecI32 column = SetI32(j);
    const Mask before = Less(column, Load(t.begin + lane));
    const Mask inside = And(Not(before), Less(column, Load(t.end + lane)));
    s = Select(inside, s, SetF32(-__builtin_inff()));
  }
  return s;
}

VecF32 Quantised(VecF32 p, float quant) {
  return ToF32(RoundToI32(Clamp(Mul(p, SetF32(quant)), -128.0f, 127.0f)));
}

// Scores to probabilities for 16 rows; returns exp(m - m').
template <bool kPlain>
VecF32 Softmax(const PrefillStep& t, int lane) {
  const VecF32 shift = Load(t.row_shift + lane);
  const VecF32 row_sum = Load(t.row_sum + lane);
  const VecF32 old_max = Load(t.m + lane);
  VecF32 max = old_max;
  for (int j = 0; j < t.columns; ++j) {
    const VecF32 s = ScoreAt<kPlain>(t, j, lane, shift, row_sum);
    Store(t.scores + j * kScoreStep + lane, s);
    max = Max(s, max);
  }
  Store(t.m + lane, max);
  if (t.max_only) return max;
  // A row without columns so far has no maximum to subtract.
  const Mask none = Equal(max, SetF32(-__builtin_inff()));
  const VecF32 base = Select(none, SetF32(0.0f), max);
  const VecF32 alpha = Exp(Sub(old_max, base));
  VecF32 sum = Mul(Load(t.l + lane), alpha);
  VecF32 extra = Mul(Load(t.extra + lane), alpha);
  for (int j = 0; j < t.columns; ++j) {
    float* at = t.scores + j * kScoreStep + lane;
    VecF32 p = Exp(Sub(Load(at), base));
    sum = Add(sum, p);
    if constexpr (kPlain) {
      Store(at, p);
      continue;
    }
    if (t.quant != 0.0f) p = Quantised(p, t.quant);
    if (t.value_scale != nullptr) p = Mul(p, SetF32(t.value_scale[j]));
    if (t.value_shift != nullptr) extra = Fma(p, SetF32(t.value_shift[j]), extra);
    Store(at, p);
  }
  Store(t.l + lane, sum);
  Store(t.extra + lane, extra);
  return alpha;
}

// Rounds to bf16 in the upper half. A NaN may come out as a number: the sum of the row is NaN, too.
VecI32 RoundProbability(VecF32 p) {
  const VecI32 bits = BitsOf(p);
  const VecI32 odd = And(ShiftRight<16>(bits), SetI32(1));
  return Add(bits, Add(odd, SetI32(0x7fff)));
}

// Probabilities of columns 2j and 2j + 1 become the pairs of line j.
void PairProbabilities(const PrefillStep& t, int lane) {
  const VecI32 upper = SetI32(static_cast<int32_t>(0xffff0000));
  for (int j = 0; j < (t.columns + 1) / 2; ++j) {
    const float* even = t.scores + 2 * j * kScoreStep + lane;
    VecI32 pair = ShiftRight<16>(RoundProbability(Load(even)));
    if (2 * j + 1 < t.columns) {
      pair = Or(pair, And(RoundProbability(Load(even + kScoreStep)), upper));
    }
    Store(reinterpret_cast<int32_t*>(t.scores) + j * kScoreStep + lane, pair);
  }
}

template <class Type, int kVectors>
void RunStep(const PrefillStep& t) {
  for (int j = 0; j < t.columns; j += kBlock) MultiplyKeys<Type, kVectors>(t, j);
  const bool plain = t.column_shift == nullptr && t.add == nullptr && t.masked == nullptr &&
                     t.begin == nullptr && t.value_scale == nullptr && t.value_shift == nullptr &&
                     t.quant == 0.0f;
  VecF32 alpha[kVectors];
#pragma GCC unroll 3
  for (int v = 0; v < kVectors; ++v) {
    alpha[v] = plain ? Softmax<true>(t, v * kUnit) : Softmax<false>(t, v * kUnit);
  }
  if (t.max_only) return;
  if constexpr (Type::kDepth == 2) {
    for (int v = 0; v < kVectors; ++v) PairProbabilities(t, v * kUnit);
  }
  for (int d = 0; d < t.dim; d += kBlock) AddValues<Type, kVectors>(t, d, alpha);
}

template <class Type>
void Run(const PrefillStep& t) {
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

void AttentionPrefillFp32(const PrefillStep& step) { Run<Fp32>(step); }
void AttentionPrefillBf16(const PrefillStep& step) { Run<Bf16>(step); }

}  // namespace anyacl::ANYACL_ISA
