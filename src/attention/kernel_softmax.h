// SPDX-License-Identifier: Apache-2.0
// Scores and probabilities of the form prefill, 16 rows of a column at a time.
#pragma once

#include "attention/kernel.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

inline constexpr int kScoreStep = attention::kPrefillRows;

// What a step's scores and probabilities may need beside a factor and the row's shift.
enum class Terms { kNone, kLimits, kAll };

inline Terms TermsOf(const attention::PrefillStep& t) {
  const bool none = t.column_shift == nullptr && t.add == nullptr && t.masked == nullptr &&
                    t.value_scale == nullptr && t.value_shift == nullptr && t.quant == 0.0f &&
                    t.keep == nullptr;
  return !none ? Terms::kAll : t.begin != nullptr ? Terms::kLimits : Terms::kNone;
}

// -inf outside of the row's columns.
[[gnu::always_inline]] inline VecF32 LimitedAt(const attention::PrefillStep& t, int j, int lane,
                                               VecF32 s) {
  const VecI32 column = SetI32(j);
  const Mask before = Less(column, Load(t.begin + lane));
  const Mask inside = And(Not(before), Less(column, Load(t.end + lane)));
  return Select(inside, s, SetF32(-__builtin_inff()));
}

// The score of a product in t.scores.
template <Terms kTerms>
[[gnu::always_inline]] inline VecF32 ScoreAt(const attention::PrefillStep& t, int j, int lane,
                                             VecF32 shift, VecF32 row_sum) {
  const VecF32 product = Load(t.scores + j * kScoreStep + lane);
  if constexpr (kTerms != Terms::kAll) {
    const VecF32 s = Fma(product, SetF32(t.column_scale[j]), shift);
    return kTerms == Terms::kLimits ? LimitedAt(t, j, lane, s) : s;
  }
  if (t.column_shift != nullptr) shift = Fma(row_sum, SetF32(t.column_shift[j]), shift);
  VecF32 s = Fma(product, SetF32(t.column_scale[j]), shift);
  if (t.add != nullptr) s = Add(s, Load(t.add + j * kScoreStep + lane));
  if (t.masked != nullptr) {
    const Mask shown = Equal(LoadI8(t.masked + j * kScoreStep + lane), SetI32(0));
    s = Select(shown, s, SetF32(t.masked_score));
  }
  return t.begin == nullptr ? s : LimitedAt(t, j, lane, s);
}

// What a probability becomes before it is multiplied with values.
[[gnu::always_inline]] inline VecF32 WeightAt(const attention::PrefillStep& t, int j, int lane,
                                              VecF32 p, VecF32& extra) {
  if (t.quant != 0.0f) {
    p = ToF32(RoundToI32(Clamp(Mul(p, SetF32(t.quant)), -128.0f, 127.0f)));
  }
  if (t.keep != nullptr) {
    const Mask dropped = Equal(LoadI8(t.keep + j * kScoreStep + lane), SetI32(0));
    p = Select(dropped, SetF32(0.0f), Mul(p, SetF32(t.keep_scale)));
  }
  if (t.value_scale != nullptr) p = Mul(p, SetF32(t.value_scale[j]));
  if (t.value_shift != nullptr) extra = Fma(p, SetF32(t.value_shift[j]), extra);
  return p;
}

}  // namespace anyacl::ANYACL_ISA
