// SPDX-License-Identifier: Apache-2.0
// The operations of simd.h for AVX2 with FMA, F16C and BMI2: a vector is two registers.
#pragma once

#include <immintrin.h>

namespace anyacl::ANYACL_ISA {

struct VecF32 {
  __m256 lo, hi;
};
struct VecI32 {
  __m256i lo, hi;
};
struct VecI16 {
  __m256i lo, hi;
};
struct VecI8 {
  __m256i lo, hi;
};
// All ones or all zeros in each lane.
struct Mask {
  __m256i lo, hi;
};

inline __m256i Load256(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
inline void Store256(void* p, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
inline __m128i Load128(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
inline void Store128(void* p, __m128i v) { _mm_storeu_si128(static_cast<__m128i*>(p), v); }

// Lanes below n of the 8 from `base` on.
inline __m256i Below(size_t n, int base) {
  const __m256i lane =
      _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(base));
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), lane);
}
inline Mask FirstN(size_t n) { return {Below(n, 0), Below(n, 8)}; }

// A vector's bytes in memory, for partial loads and stores of elements that vmaskmov cannot do.
struct Bytes {
  alignas(32) unsigned char at[64];
};
inline Bytes LoadBytes(const void* p, size_t bytes) {
  Bytes result = {};
  __builtin_memcpy(result.at, p, bytes);
  return result;
}

inline VecF32 SetF32(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
inline VecI32 SetI32(int32_t x) { return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)}; }
inline VecI16 SetI16(int16_t x) { return {_mm256_set1_epi16(x), _mm256_set1_epi16(x)}; }
inline VecI8 SetI8(int8_t x) { return {_mm256_set1_epi8(x), _mm256_set1_epi8(x)}; }

inline VecF32 Load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline VecI32 Load(const int32_t* p) { return {Load256(p), Load256(p + 8)}; }
inline VecI16 Load(const int16_t* p) { return {Load256(p), Load256(p + 16)}; }
inline VecI8 Load(const int8_t* p) { return {Load256(p), Load256(p + 32)}; }
inline VecF32 Load(const float* p, size_t n) {
  return {_mm256_maskload_ps(p, Below(n, 0)), _mm256_maskload_ps(p + 8, Below(n, 8))};
}
inline VecI32 Load(const int32_t* p, size_t n) {
  return {_mm256_maskload_epi32(p, Below(n, 0)), _mm256_maskload_epi32(p + 8, Below(n, 8))};
}
inline VecI16 Load(const int16_t* p, size_t n) {
  const Bytes bytes = LoadBytes(p, n * 2);
  return {Load256(bytes.at), Load256(bytes.at + 32)};
}
inline VecI8 Load(const int8_t* p, size_t n) {
  const Bytes bytes = LoadBytes(p, n);
  return {Load256(bytes.at), Load256(bytes.at + 32)};
}

inline VecF32 InRegister(VecF32 a) {
  asm("" : "+x"(a.lo));
  asm("" : "+x"(a.hi));
  return a;
}

inline void Store(float* p, VecF32 v) {
  _mm256_storeu_ps(p, v.lo);
  _mm256_storeu_ps(p + 8, v.hi);
}
inline void Store(int32_t* p, VecI32 v) {
  Store256(p, v.lo);
  Store256(p + 8, v.hi);
}
inline void Store(int16_t* p, VecI16 v) {
  Store256(p, v.lo);
  Store256(p + 16, v.hi);
}
inline void Store(int8_t* p, VecI8 v) {
  Store256(p, v.lo);
  Store256(p + 32, v.hi);
}
inline void Store(float* p, VecF32 v, size_t n) {
  _mm256_maskstore_ps(p, Below(n, 0), v.lo);
  _mm256_maskstore_ps(p + 8, Below(n, 8), v.hi);
}
inline void Store(int32_t* p, VecI32 v, size_t n) {
  _mm256_maskstore_epi32(p, Below(n, 0), v.lo);
  _mm256_maskstore_epi32(p + 8, Below(n, 8), v.hi);
}
inline void Store(int16_t* p, VecI16 v, size_t n) {
  Bytes bytes;
  Store256(bytes.at, v.lo);
  Store256(bytes.at + 32, v.hi);
  __builtin_memcpy(p, bytes.at, n * 2);
}
inline void Store(int8_t* p, VecI8 v, size_t n) {
  Bytes bytes;
  Store256(bytes.at, v.lo);
  Store256(bytes.at + 32, v.hi);
  __builtin_memcpy(p, bytes.at, n);
}

inline void StorePastCaches(float* p, VecF32 v) {
  _mm256_stream_ps(p, v.lo);
  _mm256_stream_ps(p + 8, v.hi);
}
inline void StorePastCaches(int8_t* p, VecI8 v) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v.lo);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p + 32), v.hi);
}
inline void FencePastCaches() { _mm_sfence(); }
[[gnu::always_inline]] inline void PrefetchL1(const void* p) {
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
}
[[gnu::always_inline]] inline void PrefetchL2(const void* p) {
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T1);
}

inline VecI32 LoadU16(const uint16_t* p) {
  return {_mm256_cvtepu16_epi32(Load128(p)), _mm256_cvtepu16_epi32(Load128(p + 8))};
}
inline VecI32 LoadU16(const uint16_t* p, size_t n) {
  const Bytes bytes = LoadBytes(p, n * 2);
  return {_mm256_cvtepu16_epi32(Load128(bytes.at)), _mm256_cvtepu16_epi32(Load128(bytes.at + 16))};
}
inline VecF32 LoadFp16(const uint16_t* p) {
  return {_mm256_cvtph_ps(Load128(p)), _mm256_cvtph_ps(Load128(p + 8))};
}
inline VecF32 LoadFp16(const uint16_t* p, size_t n) {
  const Bytes bytes = LoadBytes(p, n * 2);
  return {_mm256_cvtph_ps(Load128(bytes.at)), _mm256_cvtph_ps(Load128(bytes.at + 16))};
}
inline VecI32 WidenI8(__m128i bytes) {
  return {_mm256_cvtepi8_epi32(bytes), _mm256_cvtepi8_epi32(_mm_unpackhi_epi64(bytes, bytes))};
}
inline VecI32 LoadI8(const int8_t* p) { return WidenI8(Load128(p)); }
inline VecI32 LoadI8(const int8_t* p, size_t n) { return WidenI8(Load128(LoadBytes(p, n).at)); }

// The low 16 bits of each lane.
inline __m256i Low16(VecI32 v) {
  const __m256i mask = _mm256_set1_epi32(0xffff);
  const __m256i packed =
      _mm256_packus_epi32(_mm256_and_si256(v.lo, mask), _mm256_and_si256(v.hi, mask));
  return _mm256_permute4x64_epi64(packed, 0xd8);  // undoes packing within 128-bit lanes
}
inline void StoreLow16(uint16_t* p, VecI32 v) { Store256(p, Low16(v)); }
inline void StoreLow16(uint16_t* p, VecI32 v, size_t n) {
  Bytes bytes;
  Store256(bytes.at, Low16(v));
  __builtin_memcpy(p, bytes.at, n * 2);
}
inline void StoreFp16(uint16_t* p, VecF32 v) {
  Store128(p, _mm256_cvtps_ph(v.lo, _MM_FROUND_TO_NEAREST_INT));
  Store128(p + 8, _mm256_cvtps_ph(v.hi, _MM_FROUND_TO_NEAREST_INT));
}
inline void StoreFp16(uint16_t* p, VecF32 v, size_t n) {
  uint16_t lanes[kLanes];
  StoreFp16(lanes, v);
  __builtin_memcpy(p, lanes, n * 2);
}
// 16 bytes, saturated.
inline __m128i Saturate16(VecI32 v) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(v.lo, v.hi), 0xd8);
  return _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}
inline void StoreI8(int8_t* p, VecI32 v) { Store128(p, Saturate16(v)); }
inline void StoreI8(int8_t* p, VecI32 v, size_t n) {
  Bytes bytes;
  Store128(bytes.at, Saturate16(v));
  __builtin_memcpy(p, bytes.at, n);
}

inline VecF32 Add(VecF32 a, VecF32 b) {
  return {_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)};
}
inline VecF32 Sub(VecF32 a, VecF32 b) {
  return {_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)};
}
inline VecF32 Mul(VecF32 a, VecF32 b) {
  return {_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)};
}
inline VecF32 Div(VecF32 a, VecF32 b) {
  return {_mm256_div_ps(a.lo, b.lo), _mm256_div_ps(a.hi, b.hi)};
}
inline VecF32 Sqrt(VecF32 a) { return {_mm256_sqrt_ps(a.lo), _mm256_sqrt_ps(a.hi)}; }
inline VecF32 Fma(VecF32 a, VecF32 b, VecF32 c) {
  return {_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)};
}
// Zen 2 to 4 add and convert on one pair of pipes, and multiply on another. The compiler must not
// see that the factor is 1.
inline VecF32 AddBeside(VecF32 a, VecF32 b) {
  const __m256 one = _mm256_set1_ps(1.0f);
  asm("vfmadd213ps %2, %1, %0" : "+x"(a.lo) : "x"(one), "x"(b.lo));
  asm("vfmadd213ps %2, %1, %0" : "+x"(a.hi) : "x"(one), "x"(b.hi));
  return a;
}
inline VecF32 MulAddEither(VecF32 a, VecF32 b, VecF32 c) { return Fma(a, b, c); }
inline VecF32 Min(VecF32 a, VecF32 b) {
  return {_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)};
}
inline VecF32 Max(VecF32 a, VecF32 b) {
  return {_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)};
}
inline VecF32 Abs(VecF32 a) {
  const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  return {_mm256_and_ps(a.lo, magnitude), _mm256_and_ps(a.hi, magnitude)};
}

inline VecI32 Add(VecI32 a, VecI32 b) {
  return {_mm256_add_epi32(a.lo, b.lo), _mm256_add_epi32(a.hi, b.hi)};
}
inline VecI32 Sub(VecI32 a, VecI32 b) {
  return {_mm256_sub_epi32(a.lo, b.lo), _mm256_sub_epi32(a.hi, b.hi)};
}
inline VecI32 Mul(VecI32 a, VecI32 b) {
  return {_mm256_mullo_epi32(a.lo, b.lo), _mm256_mullo_epi32(a.hi, b.hi)};
}
// Products of unsigned lanes, both halves.
struct WideProduct {
  VecI32 low;
  VecI32 high;
};
inline WideProduct MulWide(VecI32 a, VecI32 b) {
  WideProduct product;
  const auto multiply = [](__m256i x, __m256i y, __m256i* low, __m256i* high) {
    const __m256i even = _mm256_mul_epu32(x, y);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32));
    *low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
    *high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
  };
  multiply(a.lo, b.lo, &product.low.lo, &product.high.lo);
  multiply(a.hi, b.hi, &product.low.hi, &product.high.hi);
  return product;
}
inline VecI32 Min(VecI32 a, VecI32 b) {
  return {_mm256_min_epi32(a.lo, b.lo), _mm256_min_epi32(a.hi, b.hi)};
}
inline VecI32 Max(VecI32 a, VecI32 b) {
  return {_mm256_max_epi32(a.lo, b.lo), _mm256_max_epi32(a.hi, b.hi)};
}
inline VecI32 And(VecI32 a, VecI32 b) {
  return {_mm256_and_si256(a.lo, b.lo), _mm256_and_si256(a.hi, b.hi)};
}
inline VecI32 Or(VecI32 a, VecI32 b) {
  return {_mm256_or_si256(a.lo, b.lo), _mm256_or_si256(a.hi, b.hi)};
}
inline VecI32 Xor(VecI32 a, VecI32 b) {
  return {_mm256_xor_si256(a.lo, b.lo), _mm256_xor_si256(a.hi, b.hi)};
}
template <int kBits>
inline VecI32 ShiftLeft(VecI32 a) {
  return {_mm256_slli_epi32(a.lo, kBits), _mm256_slli_epi32(a.hi, kBits)};
}
template <int kBits>
inline VecI32 ShiftRight(VecI32 a) {
  return {_mm256_srli_epi32(a.lo, kBits), _mm256_srli_epi32(a.hi, kBits)};
}

inline VecI16 And(VecI16 a, VecI16 b) {
  return {_mm256_and_si256(a.lo, b.lo), _mm256_and_si256(a.hi, b.hi)};
}
inline VecI16 Max(VecI16 a, VecI16 b) {
  return {_mm256_max_epi16(a.lo, b.lo), _mm256_max_epi16(a.hi, b.hi)};
}
inline VecI8 Xor(VecI8 a, VecI8 b) {
  return {_mm256_xor_si256(a.lo, b.lo), _mm256_xor_si256(a.hi, b.hi)};
}

template <int kPredicate>
inline Mask Compare(VecF32 a, VecF32 b) {
  return {_mm256_castps_si256(_mm256_cmp_ps(a.lo, b.lo, kPredicate)),
          _mm256_castps_si256(_mm256_cmp_ps(a.hi, b.hi, kPredicate))};
}
inline Mask Less(VecF32 a, VecF32 b) { return Compare<_CMP_LT_OQ>(a, b); }
inline Mask LessEqual(VecF32 a, VecF32 b) { return Compare<_CMP_LE_OQ>(a, b); }
inline Mask Equal(VecF32 a, VecF32 b) { return Compare<_CMP_EQ_OQ>(a, b); }
inline Mask Less(VecI32 a, VecI32 b) {
  return {_mm256_cmpgt_epi32(b.lo, a.lo), _mm256_cmpgt_epi32(b.hi, a.hi)};
}
inline Mask Equal(VecI32 a, VecI32 b) {
  return {_mm256_cmpeq_epi32(a.lo, b.lo), _mm256_cmpeq_epi32(a.hi, b.hi)};
}
inline Mask And(Mask a, Mask b) {
  return {_mm256_and_si256(a.lo, b.lo), _mm256_and_si256(a.hi, b.hi)};
}
inline Mask Or(Mask a, Mask b) {
  return {_mm256_or_si256(a.lo, b.lo), _mm256_or_si256(a.hi, b.hi)};
}
inline Mask Not(Mask a) {
  const __m256i ones = _mm256_set1_epi32(-1);
  return {_mm256_xor_si256(a.lo, ones), _mm256_xor_si256(a.hi, ones)};
}
inline uint32_t BitsOf(Mask a) {
  const int lo = _mm256_movemask_ps(_mm256_castsi256_ps(a.lo));
  const int hi = _mm256_movemask_ps(_mm256_castsi256_ps(a.hi));
  return static_cast<uint32_t>(lo | hi << 8);
}
inline bool Any(Mask a) {
  const __m256i either = _mm256_or_si256(a.lo, a.hi);
  return _mm256_testz_si256(either, either) == 0;
}
inline VecF32 Select(Mask mask, VecF32 yes, VecF32 no) {
  return {_mm256_blendv_ps(no.lo, yes.lo, _mm256_castsi256_ps(mask.lo)),
          _mm256_blendv_ps(no.hi, yes.hi, _mm256_castsi256_ps(mask.hi))};
}
inline VecI32 Select(Mask mask, VecI32 yes, VecI32 no) {
  return {_mm256_blendv_epi8(no.lo, yes.lo, mask.lo), _mm256_blendv_epi8(no.hi, yes.hi, mask.hi)};
}

inline VecI32 BitsOf(VecF32 a) { return {_mm256_castps_si256(a.lo), _mm256_castps_si256(a.hi)}; }
inline VecF32 SwapNeighbours(VecF32 v) {
  return {_mm256_permute_ps(v.lo, 0xb1), _mm256_permute_ps(v.hi, 0xb1)};
}
inline VecF32 FloatFromBits(VecI32 a) {
  return {_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)};
}
inline VecF32 ToF32(VecI32 a) { return {_mm256_cvtepi32_ps(a.lo), _mm256_cvtepi32_ps(a.hi)}; }
inline VecI32 RoundToI32(VecF32 a) { return {_mm256_cvtps_epi32(a.lo), _mm256_cvtps_epi32(a.hi)}; }
inline VecF32 RoundEven(VecF32 a) {
  constexpr int kMode = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  return {_mm256_round_ps(a.lo, kMode), _mm256_round_ps(a.hi, kMode)};
}
inline VecF32 Fraction(VecF32 a) { return Sub(a, RoundEven(a)); }
// In two factors, each a normal number: the first product is exact, so only the second rounds.
inline VecF32 ScaleByFactors(VecF32 a, VecI32 whole) {
  const __m256i lo = _mm256_srai_epi32(whole.lo, 1), hi = _mm256_srai_epi32(whole.hi, 1);
  const VecI32 half = {lo, hi};
  const VecI32 bias = SetI32(127);
  const VecF32 first = FloatFromBits(ShiftLeft<23>(Add(half, bias)));
  const VecF32 second = FloatFromBits(ShiftLeft<23>(Add(Sub(whole, half), bias)));
  return Mul(Mul(a, first), second);
}
// Where nothing of a is left it becomes zero before: a product that is too small takes the machine
// 150 cycles.
inline VecF32 ScaleByPowerOf2(VecF32 a, VecF32 n) {
  const Mask gone = LessEqual(n, SetF32(-171.0f));
  const VecF32 zero = FloatFromBits(And(BitsOf(a), SetI32(INT32_MIN)));
  return ScaleByFactors(Select(gone, zero, a), RoundToI32(Select(gone, SetF32(0.0f), n)));
}
inline VecF32 ScalePositiveByPowerOf2(VecF32 a, VecF32 n) {
  const Mask gone = LessEqual(n, SetF32(-171.0f));
  const VecF32 zero = SetF32(0.0f);
  return ScaleByFactors(Select(gone, zero, a), RoundToI32(Select(gone, zero, n)));
}

inline VecI8 PackI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  // Packing works within 128-bit lanes, dword by dword: lane 0 holds the even ones.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i lo =
      _mm256_packs_epi16(_mm256_packs_epi32(a.lo, a.hi), _mm256_packs_epi32(b.lo, b.hi));
  const __m256i hi =
      _mm256_packs_epi16(_mm256_packs_epi32(c.lo, c.hi), _mm256_packs_epi32(d.lo, d.hi));
  return {_mm256_permutevar8x32_epi32(lo, order), _mm256_permutevar8x32_epi32(hi, order)};
}

// Half a vector of bytes: 64 packed 4-bit numbers.
struct VecI4 {
  __m256i raw;
};

// One nibble per byte, saturated, joined in 16-bit units whose upper byte is zero.
inline __m256i JoinNibbles(__m256i v) {
  const __m256i clamped =
      _mm256_max_epi8(_mm256_min_epi8(v, _mm256_set1_epi8(7)), _mm256_set1_epi8(-8));
  const __m256i nibbles = _mm256_and_si256(clamped, _mm256_set1_epi8(0x0f));
  // byte 0 * 1 + byte 1 * 16
  return _mm256_maddubs_epi16(nibbles, _mm256_set1_epi16(0x1001));
}
inline VecI4 PackI4(VecI8 v) {
  const __m256i packed = _mm256_packus_epi16(JoinNibbles(v.lo), JoinNibbles(v.hi));
  return {_mm256_permute4x64_epi64(packed, 0xd8)};
}
inline __m256i SplitNibbles(__m128i v) {
  const __m256i wide = _mm256_cvtepu8_epi16(v);
  const __m256i nibbles =
      _mm256_and_si256(_mm256_or_si256(wide, _mm256_slli_epi16(wide, 4)), _mm256_set1_epi8(0x0f));
  const __m256i eight = _mm256_set1_epi8(8);  // extends the sign: (x ^ 8) - 8
  return _mm256_sub_epi8(_mm256_xor_si256(nibbles, eight), eight);
}
inline VecI8 UnpackI4(VecI4 v) {
  return {SplitNibbles(_mm256_castsi256_si128(v.raw)),
          SplitNibbles(_mm256_extracti128_si256(v.raw, 1))};
}
inline VecI4 LoadI4(const uint8_t* p) { return {Load256(p)}; }
inline VecI4 LoadI4(const uint8_t* p, size_t bytes) { return {Load256(LoadBytes(p, bytes).at)}; }
inline void Store(uint8_t* p, VecI4 v) { Store256(p, v.raw); }
inline void Store(uint8_t* p, VecI4 v, size_t bytes) {
  Bytes buffer;
  Store256(buffer.at, v.raw);
  __builtin_memcpy(p, buffer.at, bytes);
}
inline void StorePastCaches(uint8_t* p, VecI4 v) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v.raw);
}

template <int kQuarter>
inline VecI32 Widen(VecI8 v) {
  return WidenI8(_mm256_extracti128_si256(kQuarter < 2 ? v.lo : v.hi, kQuarter % 2));
}

inline float ReduceSum(VecF32 v) {
  const __m256 v8 = _mm256_add_ps(v.lo, v.hi);
  const __m128 v4 = _mm_add_ps(_mm256_castps256_ps128(v8), _mm256_extractf128_ps(v8, 1));
  const __m128 v2 = _mm_add_ps(v4, _mm_movehl_ps(v4, v4));
  return _mm_cvtss_f32(_mm_add_ss(v2, _mm_movehdup_ps(v2)));
}
inline double ReduceProduct(VecF32 v) {
  const __m256d low = _mm256_mul_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(v.lo)),
                                    _mm256_cvtps_pd(_mm256_castps256_ps128(v.hi)));
  const __m256d high = _mm256_mul_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(v.lo, 1)),
                                     _mm256_cvtps_pd(_mm256_extractf128_ps(v.hi, 1)));
  const __m256d v4 = _mm256_mul_pd(low, high);
  const __m128d v2 = _mm_mul_pd(_mm256_castpd256_pd128(v4), _mm256_extractf128_pd(v4, 1));
  return _mm_cvtsd_f64(_mm_mul_sd(v2, _mm_unpackhi_pd(v2, v2)));
}
inline float ReduceMax(VecF32 v) {
  const __m256 v8 = _mm256_max_ps(v.lo, v.hi);
  const __m128 v4 = _mm_max_ps(_mm256_castps256_ps128(v8), _mm256_extractf128_ps(v8, 1));
  const __m128 v2 = _mm_max_ps(v4, _mm_movehl_ps(v4, v4));
  return _mm_cvtss_f32(_mm_max_ss(v2, _mm_movehdup_ps(v2)));
}
inline float ReduceMin(VecF32 v) {
  const __m256 v8 = _mm256_min_ps(v.lo, v.hi);
  const __m128 v4 = _mm_min_ps(_mm256_castps256_ps128(v8), _mm256_extractf128_ps(v8, 1));
  const __m128 v2 = _mm_min_ps(v4, _mm_movehl_ps(v4, v4));
  return _mm_cvtss_f32(_mm_min_ss(v2, _mm_movehdup_ps(v2)));
}
inline int32_t ReduceSum(VecI32 v) {
  const __m256i v8 = _mm256_add_epi32(v.lo, v.hi);
  const __m128i v4 = _mm_add_epi32(_mm256_castsi256_si128(v8), _mm256_extracti128_si256(v8, 1));
  const __m128i v2 = _mm_add_epi32(v4, _mm_unpackhi_epi64(v4, v4));
  return _mm_cvtsi128_si32(_mm_add_epi32(v2, _mm_shuffle_epi32(v2, 1)));
}
inline int32_t ReduceMax(VecI32 v) {
  const __m256i v8 = _mm256_max_epi32(v.lo, v.hi);
  const __m128i v4 = _mm_max_epi32(_mm256_castsi256_si128(v8), _mm256_extracti128_si256(v8, 1));
  const __m128i v2 = _mm_max_epi32(v4, _mm_unpackhi_epi64(v4, v4));
  return _mm_cvtsi128_si32(_mm_max_epi32(v2, _mm_shuffle_epi32(v2, 1)));
}
inline int16_t ReduceMax(VecI16 v) {
  const __m256i v16 = _mm256_max_epi16(v.lo, v.hi);
  const __m128i v8 = _mm_max_epi16(_mm256_castsi256_si128(v16), _mm256_extracti128_si256(v16, 1));
  // The largest signed value is the smallest of the unsigned 0x7fff - v.
  const __m128i flipped = _mm_sub_epi16(_mm_set1_epi16(0x7fff), v8);
  return static_cast<int16_t>(0x7fff - _mm_extract_epi16(_mm_minpos_epu16(flipped), 0));
}

}  // namespace anyacl::ANYACL_ISA
