// SPDX-License-Identifier: Apache-2.0
// Elements of fp32, fp16 or bf16, in order, 16 or 32 at a time.
// clang-format off
//   LoadElements(F(), p)          16 elements of format F, widened
//   LoadElements(F(), p, n)       the first n <= 16, and zeros
//   StoreElements(F(), p, v)      rounded to nearest even; StoreElements(F(), p, v, n)
//   Read<F>(p, n), Write<F>(p, v, n)
//                                 the first n, all 16 in one go; of fp32 unless F says otherwise
//   ForVectors(n, body)           body(i, k) for all n, k at a time: 16 or the last ones
//   StoreBoth(F(), p, a, b)       32 elements
//   StoreBothPastCaches(F(), p, a, b)      past the caches, p aligned to 64; FencePastCaches() after the last one
// clang-format on
#pragma once

#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {

inline VecF32 LoadElements(Fp32, const float* p) { return Load(p); }
inline VecF32 LoadElements(Fp32, const float* p, size_t n) { return Load(p, n); }
inline VecF32 LoadElements(Fp16, const uint16_t* p) { return LoadFp16(p); }
inline VecF32 LoadElements(Fp16, const uint16_t* p, size_t n) { return LoadFp16(p, n); }
inline VecF32 LoadElements(Bf16, const uint16_t* p) { return LoadBf16(p); }
inline VecF32 LoadElements(Bf16, const uint16_t* p, size_t n) { return LoadBf16(p, n); }

inline void StoreElements(Fp32, float* p, VecF32 v) { Store(p, v); }
inline void StoreElements(Fp32, float* p, VecF32 v, size_t n) { Store(p, v, n); }
inline void StoreElements(Fp16, uint16_t* p, VecF32 v) { StoreFp16(p, v); }
inline void StoreElements(Fp16, uint16_t* p, VecF32 v, size_t n) { StoreFp16(p, v, n); }
inline void StoreElements(Bf16, uint16_t* p, VecF32 v) { StoreAllBf16(p, v); }
inline void StoreElements(Bf16, uint16_t* p, VecF32 v, size_t n) { StoreBf16(p, v, n); }

template <class F = Fp32>
[[gnu::always_inline]] inline VecF32 Read(const typename F::Bits* p, size_t n) {
  return n == kLanes ? LoadElements(F(), p) : LoadElements(F(), p, n);
}
template <class F = Fp32>
[[gnu::always_inline]] inline void Write(typename F::Bits* p, VecF32 v, size_t n) {
  if (n == kLanes) return StoreElements(F(), p, v);
  StoreElements(F(), p, v, n);
}

template <class Body>
[[gnu::always_inline]] inline void ForVectors(int64_t n, const Body& body) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) body(i, kLanes);
  if (i < n) body(i, static_cast<size_t>(n - i));
}

template <class F>
inline void StoreBoth(F format, typename F::Bits* p, VecF32 a, VecF32 b) {
  StoreElements(format, p, a);
  StoreElements(format, p + kLanes, b);
}
[[gnu::always_inline]] inline void StoreBoth(Bf16 format, uint16_t* p, VecF32 a, VecF32 b) {
#if defined(__AVX512BW__)
  (void)format;
  _mm512_storeu_si512(p, BothAsBf16(a, b));
#elif defined(__AVX2__)
  (void)format;
  if (AnyNaN(a, b)) {
    StoreBf16(p, a);
    return StoreBf16(p + kLanes, b);
  }
  StoreNumbersAsBf16(p, a);
  StoreNumbersAsBf16(p + kLanes, b);
#else
  StoreElements(format, p, a);
  StoreElements(format, p + kLanes, b);
#endif
}

inline void StoreBothPastCaches(Fp32, float* p, VecF32 a, VecF32 b) {
  StorePairPastCaches(Fp32(), p, {a, b});
}
inline void StoreBothPastCaches(Fp16, uint16_t* p, VecF32 a, VecF32 b) {
  StorePairPastCaches(Fp16(), p, {a, b});
}
[[gnu::always_inline]] inline void StoreBothPastCaches(Bf16, uint16_t* p, VecF32 a, VecF32 b) {
#if defined(__AVX512BW__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(p), BothAsBf16(a, b));
#else
  alignas(64) uint16_t both[2 * kLanes];
  StoreBoth(Bf16(), both, a, b);
  StorePastCaches(reinterpret_cast<float*>(p), Load(reinterpret_cast<const float*>(both)));
#endif
}

}  // namespace anyacl::ANYACL_ISA
