// SPDX-License-Identifier: Apache-2.0
// Pairs of rows turned by the angles of their places: products rounded, then the other ones added.
#pragma once

#include "ops/elementwise/kernel.h"
#include "simd/math.h"
#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {

// visit(x, cos, sin, out) for each row's elements.
template <class Bits, class Visit>
[[gnu::always_inline]] inline void ForTurnedRows(const elementwise::TurnArgs& args,
                                                 const Visit& visit) {
  for (int64_t i = 0; i < args.rows; ++i) {
    visit(reinterpret_cast<const Bits*>(args.x + i * args.x_step),
          reinterpret_cast<const Bits*>(args.cos + i * args.cos_step),
          reinterpret_cast<const Bits*>(args.sin + i * args.sin_step),
          reinterpret_cast<Bits*>(args.out + i * args.out_step));
  }
}

template <class F>
void TurnHalves(const elementwise::TurnArgs& args) {
  using Bits = typename F::Bits;
  const int64_t half = args.length / 2;
  ForTurnedRows<Bits>(args, [half](const Bits* x, const Bits* cos, const Bits* sin, Bits* out) {
    for (int64_t j = 0; j < half; j += static_cast<int64_t>(kLanes)) {
      const auto left = static_cast<size_t>(half - j);
      const size_t n = left < kLanes ? left : kLanes;
      const VecF32 a = F::Load(x + j, n), b = F::Load(x + half + j, n);
      const VecF32 first = Fma(Neg(b), F::Load(sin + j, n), Mul(a, F::Load(cos + j, n)));
      const VecF32 second = Fma(a, F::Load(sin + half + j, n), Mul(b, F::Load(cos + half + j, n)));
      F::Store(out + j, first, n);
      F::Store(out + half + j, second, n);
    }
  });
}

template <class F>
void TurnNeighbours(const elementwise::TurnArgs& args) {
  using Bits = typename F::Bits;
  // b, whose sine is subtracted, comes to where a is.
  alignas(kVectorBytes) constexpr int32_t kSigns[] = {INT32_MIN, 0, INT32_MIN, 0, INT32_MIN, 0,
                                                      INT32_MIN, 0, INT32_MIN, 0, INT32_MIN, 0,
                                                      INT32_MIN, 0, INT32_MIN, 0};
  const VecI32 signs = Load(kSigns);
  const int64_t length = args.length;
  ForTurnedRows<Bits>(args, [=](const Bits* x, const Bits* cos, const Bits* sin, Bits* out) {
    for (int64_t j = 0; j < length; j += static_cast<int64_t>(kLanes)) {
      const auto left = static_cast<size_t>(length - j);
      const size_t n = left < kLanes ? left : kLanes;
      const VecF32 a = F::Load(x + j, n);
      const VecF32 other = FloatFromBits(Xor(BitsOf(SwapNeighbours(a)), signs));
      F::Store(out + j, Fma(other, F::Load(sin + j, n), Mul(a, F::Load(cos + j, n))), n);
    }
  });
}

}  // namespace anyacl::ANYACL_ISA
