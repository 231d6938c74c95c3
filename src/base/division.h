// SPDX-License-Identifier: Apache-2.0
// Sizes in whole units. Inline in every kernel whatever the optimiser thinks: the linker might keep
// a tier's copy.
#pragma once

namespace anyacl {

// a / b rounded up, of a from 0 to the largest number of the type.
template <class T>
[[gnu::always_inline]] constexpr T CeilDivide(T a, decltype(T()) b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

// The next multiple of b.
template <class T>
[[gnu::always_inline]] constexpr T RoundUp(T a, decltype(T()) b) {
  return (a + b - 1) / b * b;
}

}  // namespace anyacl
