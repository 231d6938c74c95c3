// SPDX-License-Identifier: Apache-2.0
// The operations of simd.h for AVX-512 (F, BW, DQ, VL, VNNI, VBMI): a vector is one register.
#pragma once

#include <immintrin.h>

namespace anyacl::ANYACL_ISA {

struct VecF32 {
  __m512 raw;
};
struct VecI32 {
  __m512i raw;
};
struct VecI16 {
  __m512i raw;
};
struct VecI8 {
  __m512i raw;
};
struct Mask {
  __mmask16 raw;
};

// The lowest n bits, n <= 64.
inline uint64_t LowBits(size_t n) { return _bzhi_u64(~uint64_t{0}, static_cast<uint32_t>(n)); }
inline __mmask16 First16(size_t n) { return static_cast<__mmask16>(LowBits(n)); }

inline VecF32 SetF32(float x) { return {_mm512_set1_ps(x)}; }
inline VecI32 SetI32(int32_t x) { return {_mm512_set1_epi32(x)}; }
inline VecI16 SetI16(int16_t x) { return {_mm512_set1_epi16(x)}; }
inline VecI8 SetI8(int8_t x) { return {_mm512_set1_epi8(x)}; }

inline VecF32 Load(const float* p) { return {_mm512_loadu_ps(p)}; }
inline VecI32 Load(const int32_t* p) { return {_mm512_loadu_si512(p)}; }
inline VecI16 Load(const int16_t* p) { return {_mm512_loadu_si512(p)}; }
inline VecI8 Load(const int8_t* p) { return {_mm512_loadu_si512(p)}; }
inline VecF32 Load(const float* p, size_t n) { return {_mm512_maskz_loadu_ps(First16(n), p)}; }
inline VecI32 Load(const int32_t* p, size_t n) { return {_mm512_maskz_loadu_epi32(First16(n), p)}; }
inline VecI16 Load(const int16_t* p, size_t n) {
  return {_mm512_maskz_loadu_epi16(static_cast<__mmask32>(LowBits(n)), p)};
}
inline VecI8 Load(const int8_t* p, size_t n) { return {_mm512_maskz_loadu_epi8(LowBits(n), p)}; }

inline VecF32 InRegister(VecF32 a) {
  asm("" : "+v"(a.raw));
  return a;
}

inline void Store(float* p, VecF32 v) { _mm512_storeu_ps(p, v.raw); }
inline void Store(int32_t* p, VecI32 v) { _mm512_storeu_si512(p, v.raw); }
inline void Store(int16_t* p, VecI16 v) { _mm512_storeu_si512(p, v.raw); }
inline void Store(int8_t* p, VecI8 v) { _mm512_storeu_si512(p, v.raw); }
inline void Store(float* p, VecF32 v, size_t n) { _mm512_mask_storeu_ps(p, First16(n), v.raw); }
inline void Store(int32_t* p, VecI32 v, size_t n) {
  _mm512_mask_storeu_epi32(p, First16(n), v.raw);
}
inline void Store(int16_t* p, VecI16 v, size_t n) {
  _mm512_mask_storeu_epi16(p, static_cast<__mmask32>(LowBits(n)), v.raw);
}
inline void Store(int8_t* p, VecI8 v, size_t n) { _mm512_mask_storeu_epi8(p, LowBits(n), v.raw); }

inline void StorePastCaches(float* p, VecF32 v) { _mm512_stream_ps(p, v.raw); }
inline void StorePastCaches(int8_t* p, VecI8 v) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(p), v.raw);
}
inline void FencePastCaches() { _mm_sfence(); }
[[gnu::always_inline]] inline void PrefetchL1(const void* p) {
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
}
[[gnu::always_inline]] inline void PrefetchL2(const void* p) {
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T1);
}

// 16 elements, widened.
inline VecI32 LoadU16(const uint16_t* p) {
  return {_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
}
inline VecI32 LoadU16(const uint16_t* p, size_t n) {
  return {_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(First16(n), p))};
}
inline VecF32 LoadFp16(const uint16_t* p) {
  return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
}
inline VecF32 LoadFp16(const uint16_t* p, size_t n) {
  return {_mm512_cvtph_ps(_mm256_maskz_loadu_epi16(First16(n), p))};
}
inline VecI32 LoadI8(const int8_t* p) {
  return {_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
}
inline VecI32 LoadI8(const int8_t* p, size_t n) {
  return {_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(First16(n), p))};
}

// The low 16 bits of each lane.
inline void StoreLow16(uint16_t* p, VecI32 v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(v.raw));
}
inline void StoreLow16(uint16_t* p, VecI32 v, size_t n) {
  _mm512_mask_cvtepi32_storeu_epi16(p, First16(n), v.raw);
}
inline void StoreFp16(uint16_t* p, VecF32 v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm512_cvtps_ph(v.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
inline void StoreFp16(uint16_t* p, VecF32 v, size_t n) {
  _mm256_mask_storeu_epi16(p, First16(n),
                           _mm512_cvtps_ph(v.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
inline void StoreI8(int8_t* p, VecI32 v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtsepi32_epi8(v.raw));
}
inline void StoreI8(int8_t* p, VecI32 v, size_t n) {
  _mm512_mask_cvtsepi32_storeu_epi8(p, First16(n), v.raw);
}

inline VecF32 Add(VecF32 a, VecF32 b) { return {_mm512_add_ps(a.raw, b.raw)}; }
inline VecF32 Sub(VecF32 a, VecF32 b) { return {_mm512_sub_ps(a.raw, b.raw)}; }
inline VecF32 Mul(VecF32 a, VecF32 b) { return {_mm512_mul_ps(a.raw, b.raw)}; }
inline VecF32 Div(VecF32 a, VecF32 b) { return {_mm512_div_ps(a.raw, b.raw)}; }
inline VecF32 Sqrt(VecF32 a) { return {_mm512_sqrt_ps(a.raw)}; }
inline VecF32 Fma(VecF32 a, VecF32 b, VecF32 c) { return {_mm512_fmadd_ps(a.raw, b.raw, c.raw)}; }
// Zen 4 adds and converts on one pair of pipes, and multiplies on another. The compiler must not
// see that the factor is 1.
inline VecF32 AddBeside(VecF32 a, VecF32 b) {
  asm("vfmadd213ps %2, %1, %0" : "+v"(a.raw) : "v"(_mm512_set1_ps(1.0f)), "v"(b.raw));
  return a;
}
inline VecF32 MulAddEither(VecF32 a, VecF32 b, VecF32 c) { return Fma(a, b, c); }
inline VecF32 Min(VecF32 a, VecF32 b) { return {_mm512_min_ps(a.raw, b.raw)}; }
inline VecF32 Max(VecF32 a, VecF32 b) { return {_mm512_max_ps(a.raw, b.raw)}; }
inline VecF32 Abs(VecF32 a) { return {_mm512_abs_ps(a.raw)}; }

inline VecI32 Add(VecI32 a, VecI32 b) { return {_mm512_add_epi32(a.raw, b.raw)}; }
inline VecI32 Sub(VecI32 a, VecI32 b) { return {_mm512_sub_epi32(a.raw, b.raw)}; }
inline VecI32 Mul(VecI32 a, VecI32 b) { return {_mm512_mullo_epi32(a.raw, b.raw)}; }
// Products of unsigned lanes, both halves.
struct WideProduct {
  VecI32 low;
  VecI32 high;
};
inline WideProduct MulWide(VecI32 a, VecI32 b) {
  const __m512i even = _mm512_mul_epu32(a.raw, b.raw);
  const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a.raw, 32), _mm512_srli_epi64(b.raw, 32));
  return {{_mm512_mask_shuffle_epi32(even, 0xaaaa, odd, _MM_PERM_CCAA)},
          {_mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_DDBB)}};
}
inline VecI32 Min(VecI32 a, VecI32 b) { return {_mm512_min_epi32(a.raw, b.raw)}; }
inline VecI32 Max(VecI32 a, VecI32 b) { return {_mm512_max_epi32(a.raw, b.raw)}; }
inline VecI32 And(VecI32 a, VecI32 b) { return {_mm512_and_si512(a.raw, b.raw)}; }
inline VecI32 Or(VecI32 a, VecI32 b) { return {_mm512_or_si512(a.raw, b.raw)}; }
inline VecI32 Xor(VecI32 a, VecI32 b) { return {_mm512_xor_si512(a.raw, b.raw)}; }
template <int kBits>
inline VecI32 ShiftLeft(VecI32 a) {
  return {_mm512_slli_epi32(a.raw, kBits)};
}
// Fills with zeros.
template <int kBits>
inline VecI32 ShiftRight(VecI32 a) {
  return {_mm512_srli_epi32(a.raw, kBits)};
}

inline VecI16 And(VecI16 a, VecI16 b) { return {_mm512_and_si512(a.raw, b.raw)}; }
inline VecI16 Max(VecI16 a, VecI16 b) { return {_mm512_max_epi16(a.raw, b.raw)}; }
inline VecI8 Xor(VecI8 a, VecI8 b) { return {_mm512_xor_si512(a.raw, b.raw)}; }

inline Mask FirstN(size_t n) { return {First16(n)}; }
inline Mask Less(VecF32 a, VecF32 b) { return {_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_LT_OQ)}; }
inline Mask LessEqual(VecF32 a, VecF32 b) { return {_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_LE_OQ)}; }
inline Mask Equal(VecF32 a, VecF32 b) { return {_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_EQ_OQ)}; }
inline Mask Less(VecI32 a, VecI32 b) { return {_mm512_cmplt_epi32_mask(a.raw, b.raw)}; }
inline Mask Equal(VecI32 a, VecI32 b) { return {_mm512_cmpeq_epi32_mask(a.raw, b.raw)}; }
inline Mask And(Mask a, Mask b) { return {static_cast<__mmask16>(a.raw & b.raw)}; }
inline Mask Or(Mask a, Mask b) { return {static_cast<__mmask16>(a.raw | b.raw)}; }
inline Mask Not(Mask a) { return {static_cast<__mmask16>(~a.raw)}; }
// Bit i is lane i.
inline uint32_t BitsOf(Mask a) { return a.raw; }
inline bool Any(Mask a) { return a.raw != 0; }
inline VecF32 Select(Mask mask, VecF32 yes, VecF32 no) {
  return {_mm512_mask_blend_ps(mask.raw, no.raw, yes.raw)};
}
inline VecI32 Select(Mask mask, VecI32 yes, VecI32 no) {
  return {_mm512_mask_blend_epi32(mask.raw, no.raw, yes.raw)};
}

inline VecI32 BitsOf(VecF32 a) { return {_mm512_castps_si512(a.raw)}; }
inline VecF32 SwapNeighbours(VecF32 v) { return {_mm512_permute_ps(v.raw, 0xb1)}; }
inline VecF32 FloatFromBits(VecI32 a) { return {_mm512_castsi512_ps(a.raw)}; }
inline VecF32 ToF32(VecI32 a) { return {_mm512_cvtepi32_ps(a.raw)}; }
inline VecI32 RoundToI32(VecF32 a) { return {_mm512_cvtps_epi32(a.raw)}; }
inline VecF32 RoundEven(VecF32 a) {
  return {_mm512_roundscale_ps(a.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
inline VecF32 Fraction(VecF32 a) {
  return {_mm512_reduce_ps(a.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
// Where nothing of a is left the zero is made here: a result that is too small takes the machine
// 150 cycles, which in the rows of a causal mask are six sevenths of the time.
inline __mmask16 LeavesSomething(VecF32 n) {
  return _mm512_cmp_ps_mask(n.raw, _mm512_set1_ps(-171.0f), _CMP_NLE_UQ);
}
inline VecF32 ScaleByPowerOf2(VecF32 a, VecF32 n) {
  const __m512 zero = _mm512_and_ps(a.raw, _mm512_set1_ps(-0.0f));
  return {_mm512_mask_scalef_ps(zero, LeavesSomething(n), a.raw, n.raw)};
}
inline VecF32 ScalePositiveByPowerOf2(VecF32 a, VecF32 n) {
  return {_mm512_maskz_scalef_ps(LeavesSomething(n), a.raw, n.raw)};
}

inline VecI8 PackI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  // Packing works within 128-bit lanes: dword k of lane l comes from lane l of the k-th operand.
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i bytes =
      _mm512_packs_epi16(_mm512_packs_epi32(a.raw, b.raw), _mm512_packs_epi32(c.raw, d.raw));
  return {_mm512_permutexvar_epi32(order, bytes)};
}

// Half a vector of bytes: 64 packed 4-bit numbers.
struct VecI4 {
  __m256i raw;
};

inline VecI4 PackI4(VecI8 v) {
  const __m512i clamped =
      _mm512_max_epi8(_mm512_min_epi8(v.raw, _mm512_set1_epi8(7)), _mm512_set1_epi8(-8));
  // In 16-bit units: low nibble of byte 0, and low nibble of byte 1 shifted next to it (0xd8 picks
  // the bits of the first operand where the third has none).
  const __m512i both = _mm512_ternarylogic_epi32(_mm512_srli_epi16(clamped, 4), clamped,
                                                 _mm512_set1_epi16(0x000f), 0xd8);
  return {_mm512_cvtepi16_epi8(both)};
}
inline VecI8 UnpackI4(VecI4 v) {
  const __m512i wide = _mm512_cvtepu8_epi16(v.raw);
  const __m512i nibbles =
      _mm512_and_si512(_mm512_or_si512(wide, _mm512_slli_epi16(wide, 4)), _mm512_set1_epi8(0x0f));
  // Extends the sign: (x ^ 8) - 8.
  const __m512i eight = _mm512_set1_epi8(8);
  return {_mm512_sub_epi8(_mm512_xor_si512(nibbles, eight), eight)};
}
inline VecI4 LoadI4(const uint8_t* p) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
}
inline VecI4 LoadI4(const uint8_t* p, size_t bytes) {
  return {_mm256_maskz_loadu_epi8(static_cast<__mmask32>(LowBits(bytes)), p)};
}
inline void Store(uint8_t* p, VecI4 v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v.raw);
}
inline void Store(uint8_t* p, VecI4 v, size_t bytes) {
  _mm256_mask_storeu_epi8(p, static_cast<__mmask32>(LowBits(bytes)), v.raw);
}
// p aligned to 32.
inline void StorePastCaches(uint8_t* p, VecI4 v) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v.raw);
}

// The kQuarter-th 16 lanes, widened.
template <int kQuarter>
inline VecI32 Widen(VecI8 v) {
  return {_mm512_cvtepi8_epi32(_mm512_extracti32x4_epi32(v.raw, kQuarter))};
}

// Lane i with lane i + 8, then i + 4, i + 2, i + 1.
inline float ReduceSum(VecF32 v) {
  const __m256 v8 = _mm256_add_ps(_mm512_castps512_ps256(v.raw), _mm512_extractf32x8_ps(v.raw, 1));
  const __m128 v4 = _mm_add_ps(_mm256_castps256_ps128(v8), _mm256_extractf128_ps(v8, 1));
  const __m128 v2 = _mm_add_ps(v4, _mm_movehl_ps(v4, v4));
  return _mm_cvtss_f32(_mm_add_ss(v2, _mm_movehdup_ps(v2)));
}
inline double ReduceProduct(VecF32 v) {
  const __m512d v8 = _mm512_mul_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(v.raw)),
                                   _mm512_cvtps_pd(_mm512_extractf32x8_ps(v.raw, 1)));
  const __m256d v4 = _mm256_mul_pd(_mm512_castpd512_pd256(v8), _mm512_extractf64x4_pd(v8, 1));
  const __m128d v2 = _mm_mul_pd(_mm256_castpd256_pd128(v4), _mm256_extractf128_pd(v4, 1));
  return _mm_cvtsd_f64(_mm_mul_sd(v2, _mm_unpackhi_pd(v2, v2)));
}
inline float ReduceMax(VecF32 v) {
  const __m256 v8 = _mm256_max_ps(_mm512_castps512_ps256(v.raw), _mm512_extractf32x8_ps(v.raw, 1));
  const __m128 v4 = _mm_max_ps(_mm256_castps256_ps128(v8), _mm256_extractf128_ps(v8, 1));
  const __m128 v2 = _mm_max_ps(v4, _mm_movehl_ps(v4, v4));
  return _mm_cvtss_f32(_mm_max_ss(v2, _mm_movehdup_ps(v2)));
}
inline float ReduceMin(VecF32 v) {
  const __m256 v8 = _mm256_min_ps(_mm512_castps512_ps256(v.raw), _mm512_extractf32x8_ps(v.raw, 1));
  const __m128 v4 = _mm_min_ps(_mm256_castps256_ps128(v8), _mm256_extractf128_ps(v8, 1));
  const __m128 v2 = _mm_min_ps(v4, _mm_movehl_ps(v4, v4));
  return _mm_cvtss_f32(_mm_min_ss(v2, _mm_movehdup_ps(v2)));
}
inline int32_t ReduceSum(VecI32 v) { return _mm512_reduce_add_epi32(v.raw); }
inline int32_t ReduceMax(VecI32 v) { return _mm512_reduce_max_epi32(v.raw); }
inline int16_t ReduceMax(VecI16 v) {
  const __m256i v16 =
      _mm256_max_epi16(_mm512_castsi512_si256(v.raw), _mm512_extracti64x4_epi64(v.raw, 1));
  const __m128i v8 = _mm_max_epi16(_mm256_castsi256_si128(v16), _mm256_extracti128_si256(v16, 1));
  // The largest signed value is the smallest of the unsigned 0x7fff - v.
  const __m128i flipped = _mm_sub_epi16(_mm_set1_epi16(0x7fff), v8);
  return static_cast<int16_t>(0x7fff - _mm_extract_epi16(_mm_minpos_epu16(flipped), 0));
}

}  // namespace anyacl::ANYACL_ISA
