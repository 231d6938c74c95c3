// SPDX-License-Identifier: Apache-2.0
// The form prefill: rows in lanes, 8 keys (or 8 d) times up to 3 vectors of rows in registers.
#include "attention/kernel.h"
#include "attention/kernel_products.h"
#include "attention/kernel_softmax.h"
#include "base/division.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using attention::PrefillStep;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// The products are functions of their own: within the loops of RunStep, GCC 12 keeps two of the
// three vectors of lanes in memory, which takes 20 % of the time of a prompt in fp16.

// scores[j][lane] = q . k for 8 keys.
template <class Type, int kVectors>
[[gnu::noinline]] void MultiplyKeys(const PrefillStep& t, int first) {
  const int key_step = t.tile_step / Type::kDepth;
  const auto* keys = static_cast<const typename Type::Element*>(t.k) + first * key_step;
  Multiply<Type, kVectors>({keys, key_step, 1, t.q, t.lane_step, CeilDivide(t.dim, Type::kDepth)},
                           t.scores + first * kScoreStep, kScoreStep,
                           [](int, int) { return SetRegister(0.0f); });
}

// o[d][lane] = o * alpha + p . v for 8 d.
template <class Type, int kVectors>
[[gnu::noinline]] void AddValues(const PrefillStep& t, int first, const float* alpha) {
  float* out = t.o + first * t.lane_step;
  const auto* values = static_cast<const typename Type::Element*>(t.v) + first;
  Multiply<Type, kVectors>(
      {values, 1, t.tile_step, t.scores, kScoreStep, CeilDivide(t.columns, Type::kDepth)}, out,
      t.lane_step, [&](int d, int lane) {
        return MulRegister(LoadRegister(out + d * t.lane_step + lane), LoadRegister(alpha + lane));
      });
}

// e^x. Of columns far below the maximum, masked ones above all, it is 0 without a detour through
// numbers below the smallest normal one, each vector of which costs 150 cycles.
[[gnu::always_inline]] inline VecF32 ExpOfScore(VecF32 x) {
  const VecF32 zero = SetF32(0.0f);
  const Mask gone = Less(x, SetF32(-104.0f));
  return Select(gone, zero, Exp(Select(gone, zero, x)));
}

// Scores to probabilities for 16 rows; returns exp(m - m').
template <Terms kTerms>
VecF32 Softmax(const PrefillStep& t, int lane) {
  const VecF32 shift = Load(t.row_shift + lane);
  const VecF32 row_sum = Load(t.row_sum + lane);
  const VecF32 old_max = Load(t.m + lane);
  VecF32 max = old_max;
  for (int j = 0; j < t.columns; ++j) {
    const VecF32 s = ScoreAt<kTerms>(t, j, lane, shift, row_sum);
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
    const VecF32 p = ExpOfScore(Sub(Load(at), base));
    sum = Add(sum, p);
    if constexpr (kTerms != Terms::kAll) {
      Store(at, p);
      continue;
    }
    Store(at, WeightAt(t, j, lane, p, extra));
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

VecF32 Softmax(const PrefillStep& t, Terms terms, int lane) {
  switch (terms) {
    case Terms::kNone:
      return Softmax<Terms::kNone>(t, lane);
    case Terms::kLimits:
      return Softmax<Terms::kLimits>(t, lane);
    default:
      return Softmax<Terms::kAll>(t, lane);
  }
}

template <class Type, int kVectors>
void RunStep(const PrefillStep& t) {
  for (int j = 0; j < t.columns; j += kProductRows) MultiplyKeys<Type, kVectors>(t, j);
  const Terms terms = TermsOf(t);
  alignas(64) float alpha[kVectors * kUnit];
  for (int v = 0; v < kVectors; ++v) Store(alpha + v * kUnit, Softmax(t, terms, v * kUnit));
  if (t.max_only) return;
  if constexpr (Type::kDepth == 2) {
    for (int v = 0; v < kVectors; ++v) PairProbabilities(t, v * kUnit);
  }
  for (int d = 0; d < t.value_dim; d += kProductRows) AddValues<Type, kVectors>(t, d, alpha);
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
