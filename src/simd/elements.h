// SPDX-License-Identifier: Apache-2.0
// Loops over contiguous elements of fp32, fp16 or bf16, 32 at a time. Numbers are computed from
// elements at a place, which is a half of the next 32 as pair.h has them, so that bf16 needs no
// shuffles, or some elements in order:
// clang-format off
//   Elements<F>(p)(at)          those at a place
//   ElementsAhead<F>(p)(at)     the same; a first half asks for the 32 elements kAheadBytes ahead
//   FirstAt<kInOrder>(i), SecondAt<kInOrder>(i)
//                               the halves of elements i to i + 31; kInOrder: 16 and 16
//   MapElements<F, kInOrder>(n, to, past_caches, value)
//                               to = value(at) of n elements, rounded to format F; kInOrder where
//                               value reads several formats. Past the caches if `past_caches`, then
//                               with FencePastCaches() after the last one
// clang-format on
#pragma once

#include "simd/alignment.h"
#include "simd/ordered.h"
#include "simd/prefetch.h"

namespace anyacl::ANYACL_ISA {

// k elements from i on: all 16 or the last ones.
struct Some {
  int64_t i;
  size_t k;
};
struct FirstHalf {
  int64_t i;
};
struct SecondHalf {
  int64_t i;
};

template <bool kInOrder>
[[gnu::always_inline]] inline auto FirstAt(int64_t i) {
  if constexpr (kInOrder) {
    return Some{i, kLanes};
  } else {
    return FirstHalf{i};
  }
}
template <bool kInOrder>
[[gnu::always_inline]] inline auto SecondAt(int64_t i) {
  if constexpr (kInOrder) {
    return Some{i + static_cast<int64_t>(kLanes), kLanes};
  } else {
    return SecondHalf{i};
  }
}

template <class F>
struct Elements {
  const typename F::Bits* x;
  [[gnu::always_inline]] explicit Elements(const void* data)
      : x(static_cast<const typename F::Bits*>(data)) {}
  [[gnu::always_inline]] VecF32 operator()(Some at) const { return Read<F>(x + at.i, at.k); }
  [[gnu::always_inline]] VecF32 operator()(FirstHalf at) const { return LoadFirst(F(), x + at.i); }
  [[gnu::always_inline]] VecF32 operator()(SecondHalf at) const {
    return LoadSecond(F(), x + at.i);
  }
};

template <class F>
struct ElementsAhead : Elements<F> {
  using Elements<F>::Elements;
  using Elements<F>::operator();
  [[gnu::always_inline]] VecF32 operator()(FirstHalf at) const {
    PrefetchLines<sizeof(typename F::Bits) / 2>(this->x + at.i, kAheadBytes);
    return Elements<F>::operator()(at);
  }
};

template <class F, bool kInOrder, class Value>
[[gnu::always_inline]] inline void MapElements(int64_t n, void* target, bool past_caches,
                                               const Value& value) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  auto* const to = static_cast<typename F::Bits*>(target);
  past_caches = past_caches && reinterpret_cast<uintptr_t>(to) % sizeof *to == 0;
  const int64_t head = past_caches ? ToAlignment(to, n) : 0;
  int64_t i = head;
  for (; i + 2 * kStep <= n; i += 2 * kStep) {
    const VecF32 a = value(FirstAt<kInOrder>(i)), b = value(SecondAt<kInOrder>(i));
    if constexpr (kInOrder) {
      past_caches ? StoreBothPastCaches(F(), to + i, a, b) : StoreBoth(F(), to + i, a, b);
    } else {
      past_caches ? StorePairPastCaches(F(), to + i, {a, b}) : StorePair(F(), to + i, {a, b});
    }
  }
  // What is left over behind the whole pairs and before them.
  const int64_t begins[] = {i, 0}, ends[] = {n, head};
  for (int part = 0; part < 2; ++part) {
    for (int64_t j = begins[part]; j < ends[part]; j += kStep) {
      const size_t k = ends[part] - j < kStep ? static_cast<size_t>(ends[part] - j) : kLanes;
      Write<F>(to + j, value(Some{j, k}), k);
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
