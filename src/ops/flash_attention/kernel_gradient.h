// SPDX-License-Identifier: Apache-2.0
// Probabilities and their derivatives, 16 rows of a column at a time.
#pragma once

#include "ops/flash_attention/kernel.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// Of 16 rows.
struct RowStatistics {
  VecF32 m, inverse_l, delta;
};

struct GradientTerms {
  VecF32 p;  // times w
  VecF32 ds;
};

inline bool IsPlain(const flash_attention::GradientStep& t) {
  return t.add == nullptr && t.masked == nullptr && t.begin == nullptr && t.keep == nullptr;
}

// From the products in p_out and ds_out. kPlain: nothing is added, masked or dropped.
template <bool kPlain, class Exponential>
[[gnu::always_inline]] inline GradientTerms TermsAt(const flash_attention::GradientStep& t, int j,
                                                    int lane, const RowStatistics& row,
                                                    Exponential exponential) {
  const VecF32 zero = SetF32(0.0f), scale = SetF32(t.scale);
  const int at = j * flash_attention::kRows + lane;
  VecF32 s = Mul(Load(t.p_out + at), scale);
  VecF32 dp = Load(t.ds_out + at);
  if constexpr (!kPlain) {
    if (t.add != nullptr) s = Add(s, Load(t.add + at));
  }
  VecF32 p = Mul(exponential(Sub(s, row.m)), row.inverse_l);
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
  return {kept, Mul(Mul(p, Sub(dp, row.delta)), scale)};
}

}  // namespace anyacl::ANYACL_ISA
