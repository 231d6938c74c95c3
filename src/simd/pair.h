// SPDX-License-Identifier: Apache-2.0
// Elements of fp32, fp16 or bf16 as pairs of fp32 vectors, 32 at a time.
// clang-format off
//   LoadFirst(F(), p)          one half of the elements 0 to 31 of format F; which ones is the format's
//   LoadSecond(F(), p)         affair, the same on every tier. Halves are loaded one by one, so that
//                              few registers hold them
//   Interleave(first, second)  halves of bf16, to elements 0 to 15 and 16 to 31
//   InOrder(F(), first, second)  the same of any format: sums by halves become those by order
//   StorePair(F(), p, pair)    such halves, in their places, rounded to nearest even
//   StorePairPastCaches(F(), p, pair)   past the caches, p aligned to 64; FencePastCaches() after the last one
//   LoadPair<F>(p, n)          the first n <= 32 elements, in order, and zeros
//   StorePair<F>(p, pair, n)
// clang-format on
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

inline constexpr size_t kPairElements = 2 * kLanes;

struct Pair {
  VecF32 a, b;
};

#if defined(__AVX2__) && !defined(__AVX512BW__)
// The upper 16 bits of numbers that are no NaN, rounded to nearest even.
inline __m256i RoundUpper16(__m256 v) {
  const __m256i bits = _mm256_castps_si256(v);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  return _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
}
// One look at 32 numbers instead of one at each, as Bf16FromFloat takes, and no quiet NaNs to make:
// a row of 1024 is normalised in bf16 in half the time.
[[gnu::always_inline]] inline bool AnyNaN(VecF32 a, VecF32 b) {
  const __m256 low = _mm256_cmp_ps(a.lo, b.lo, _CMP_UNORD_Q);
  const __m256 high = _mm256_cmp_ps(a.hi, b.hi, _CMP_UNORD_Q);
  return __builtin_expect(_mm256_movemask_ps(_mm256_or_ps(low, high)) != 0, 0);
}
// 16 numbers that are no NaN.
[[gnu::always_inline]] inline void StoreNumbersAsBf16(uint16_t* p, VecF32 v) {
  const __m256i packed = _mm256_packus_epi32(_mm256_srli_epi32(RoundUpper16(v.lo), 16),
                                             _mm256_srli_epi32(RoundUpper16(v.hi), 16));
  Store256(p, _mm256_permute4x64_epi64(packed, 0xd8));  // undoes packing within 128-bit lanes
}
#endif
// All 16, with the bits of StoreBf16.
[[gnu::always_inline]] inline void StoreAllBf16(uint16_t* p, VecF32 v) {
#if defined(__AVX2__) && !defined(__AVX512BW__)
  if (!AnyNaN(v, v)) return StoreNumbersAsBf16(p, v);
#endif
  StoreBf16(p, v);
}

// kConverts: loads and stores take the machine's conversion instructions. Vectors of all 16 do not
// go the way of parts.
struct Fp32 {
  using Bits = float;
  static constexpr bool kConverts = false;
  [[gnu::always_inline]] static VecF32 Load(const float* p, size_t n) {
    return n == kLanes ? ANYACL_ISA::Load(p) : ANYACL_ISA::Load(p, n);
  }
  [[gnu::always_inline]] static void Store(float* p, VecF32 v, size_t n) {
    n == kLanes ? ANYACL_ISA::Store(p, v) : ANYACL_ISA::Store(p, v, n);
  }
};
struct Fp16 {
  using Bits = uint16_t;
  static constexpr bool kConverts = true;
  [[gnu::always_inline]] static VecF32 Load(const uint16_t* p, size_t n) {
    return n == kLanes ? LoadFp16(p) : LoadFp16(p, n);
  }
  [[gnu::always_inline]] static void Store(uint16_t* p, VecF32 v, size_t n) {
    n == kLanes ? StoreFp16(p, v) : StoreFp16(p, v, n);
  }
};
struct Bf16 {
  using Bits = uint16_t;
  static constexpr bool kConverts = false;
  [[gnu::always_inline]] static VecF32 Load(const uint16_t* p, size_t n) {
    return n == kLanes ? LoadBf16(p) : LoadBf16(p, n);
  }
  [[gnu::always_inline]] static void Store(uint16_t* p, VecF32 v, size_t n) {
    n == kLanes ? StoreAllBf16(p, v) : StoreBf16(p, v, n);
  }
};

// The first n elements, in order.
template <class Format>
inline Pair LoadPair(const typename Format::Bits* p, size_t n) {
  if (n <= kLanes) return {Format::Load(p, n), SetF32(0.0f)};
  return {Format::Load(p, kLanes), Format::Load(p + kLanes, n - kLanes)};
}
template <class Format>
inline void StorePair(typename Format::Bits* p, Pair v, size_t n) {
  Format::Store(p, v.a, n < kLanes ? n : kLanes);
  if (n > kLanes) Format::Store(p + kLanes, v.b, n - kLanes);
}

inline VecF32 LoadFirst(Fp32, const float* p) { return Load(p); }
inline VecF32 LoadSecond(Fp32, const float* p) { return Load(p + kLanes); }
inline void StorePair(Fp32, float* p, Pair v) {
  Store(p, v.a);
  Store(p + kLanes, v.b);
}
inline void StorePairPastCaches(Fp32, float* p, Pair v) {
  StorePastCaches(p, v.a);
  StorePastCaches(p + kLanes, v.b);
}

inline VecF32 LoadFirst(Fp16, const uint16_t* p) { return LoadFp16(p); }
inline VecF32 LoadSecond(Fp16, const uint16_t* p) { return LoadFp16(p + kLanes); }
inline void StorePair(Fp16, uint16_t* p, Pair v) {
  StoreFp16(p, v.a);
  StoreFp16(p + kLanes, v.b);
}
inline void StorePairPastCaches(Fp16, uint16_t* p, Pair v) {
#if defined(__AVX512BW__)
  constexpr int kMode = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  const __m512i low = _mm512_castsi256_si512(_mm512_cvtps_ph(v.a.raw, kMode));
  _mm512_stream_si512(reinterpret_cast<__m512i*>(p),
                      _mm512_inserti64x4(low, _mm512_cvtps_ph(v.b.raw, kMode), 1));
#elif defined(__AVX2__)
  auto* to = reinterpret_cast<__m128i*>(p);
  _mm_stream_si128(to, _mm256_cvtps_ph(v.a.lo, _MM_FROUND_TO_NEAREST_INT));
  _mm_stream_si128(to + 1, _mm256_cvtps_ph(v.a.hi, _MM_FROUND_TO_NEAREST_INT));
  _mm_stream_si128(to + 2, _mm256_cvtps_ph(v.b.lo, _MM_FROUND_TO_NEAREST_INT));
  _mm_stream_si128(to + 3, _mm256_cvtps_ph(v.b.hi, _MM_FROUND_TO_NEAREST_INT));
#else
  StorePair(Fp16(), p, v);
#endif
}

// The even elements and the odd ones: a shift and a mask widen them, without a shuffle.
inline VecF32 LoadFirst(Bf16, const uint16_t* p) {
  return FloatFromBits(ShiftLeft<16>(Load(reinterpret_cast<const int32_t*>(p))));
}
inline VecF32 LoadSecond(Bf16, const uint16_t* p) {
  return FloatFromBits(And(Load(reinterpret_cast<const int32_t*>(p)), SetI32(-0x10000)));
}
// Puts the lanes of such halves, or what has become of them, into their places.
inline void Interleave(VecF32& even, VecF32& odd) {
#if defined(__AVX512BW__)
  const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
  const __m512 a = even.raw, b = odd.raw;
  even = {_mm512_permutex2var_ps(a, first, b)};
  odd = {_mm512_permutex2var_ps(a, second, b)};
#elif defined(__AVX2__)
  const auto interleave = [](__m256 a, __m256 b) {
    const __m256 low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
    return VecF32{_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31)};
  };
  const VecF32 first = interleave(even.lo, odd.lo);
  odd = interleave(even.hi, odd.hi);
  even = first;
#else
  const VecF32 a = even, b = odd;
  for (int i = 0; i < kParts; ++i) {
    VecF32& to = i < kParts / 2 ? even : odd;
    const int at = 2 * i % kParts;
    to.part[at] = __builtin_shufflevector(a.part[i], b.part[i], 0, 4, 1, 5);
    to.part[at + 1] = __builtin_shufflevector(a.part[i], b.part[i], 2, 6, 3, 7);
  }
#endif
}
template <class F>
[[gnu::always_inline]] inline void InOrder(F, VecF32&, VecF32&) {}
[[gnu::always_inline]] inline void InOrder(Bf16, VecF32& first, VecF32& second) {
  Interleave(first, second);
}
#if defined(__AVX512BW__)
// 32 numbers as bf16.
inline __m512i BothAsBf16(VecF32 a, VecF32 b) {
#if defined(__AVX512BF16__)
  // The instruction takes denormals for zeros: where there are zeros, see what they were.
  constexpr int kDenormal = 0x20;
  const auto halves = (__m512i)_mm512_cvtne2ps_pbh(b.raw, a.raw);
  const __mmask32 zero = _mm512_testn_epi16_mask(halves, _mm512_set1_epi16(0x7fff));
  if (__builtin_expect(zero == 0, 1) ||
      (_mm512_fpclass_ps_mask(a.raw, kDenormal) | _mm512_fpclass_ps_mask(b.raw, kDenormal)) == 0) {
    return halves;
  }
#endif
  const __m256i first = _mm512_cvtepi32_epi16(Bf16FromFloat(a).raw);
  const __m256i second = _mm512_cvtepi32_epi16(Bf16FromFloat(b).raw);
  return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
}
#endif

[[gnu::always_inline]] inline VecI32 JoinBf16(Pair v) {
#if defined(__AVX512BF16__)
  alignas(64) static constexpr struct Alternating {
    uint16_t words[32];
    constexpr Alternating() : words() {
      for (int i = 0; i < 32; ++i) words[i] = static_cast<uint16_t>(i / 2 + i % 2 * 16);
    }
  } kOrder;
  return {_mm512_permutexvar_epi16(_mm512_load_si512(kOrder.words), BothAsBf16(v.a, v.b))};
#else
#if defined(__AVX2__) && !defined(__AVX512BW__)
  if (!AnyNaN(v.a, v.b)) {
    const auto join = [](__m256 even, __m256 odd) {
      return _mm256_blend_epi16(_mm256_srli_epi32(RoundUpper16(even), 16), RoundUpper16(odd), 0xaa);
    };
    return {join(v.a.lo, v.b.lo), join(v.a.hi, v.b.hi)};
  }
#endif
  const VecI32 even = Bf16FromFloat(v.a);
  return Or(And(even, SetI32(0xffff)), ShiftLeft<16>(Bf16FromFloat(v.b)));
#endif
}
[[gnu::always_inline]] inline void StorePair(Bf16, uint16_t* p, Pair v) {
  Store(reinterpret_cast<int32_t*>(p), JoinBf16(v));
}
[[gnu::always_inline]] inline void StorePairPastCaches(Bf16, uint16_t* p, Pair v) {
  StorePastCaches(reinterpret_cast<float*>(p), FloatFromBits(JoinBf16(v)));
}

}  // namespace anyacl::ANYACL_ISA
