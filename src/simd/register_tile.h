// SPDX-License-Identifier: Apache-2.0
// Tiles of fp32 sums by registers, where a vector of 64 bytes would be too coarse: GCC 12 keeps
// sums that do not fit in memory, and products take twice as long. A register's lanes follow each
// other:
//   LoadRegister(p), SetRegister(x), StoreRegister(p, r), MulRegister(a, b)
//   FmaRegister(a, b, sum)     a * b + sum rounded once
//   LoadPairs(p), SetPairs(p)  pairs of bf16, lane by lane, or the one at p in every lane
//   DotRegister(a, b, sum)     DotBf16
// A tile has kTileRows rows of RegistersTogether(n) registers of n that are wanted. Sums of whole
// vectors: VectorsTogether(rows, n) of n, all of them or a part, stay in registers for so many
// rows.
#pragma once

#include "simd/dot_tile.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX2__) && !defined(__AVX512BW__)

// 12 of 16 registers; 3 loads and 4 broadcasts feed 12 multiplications.
inline constexpr int kTileRows = 4;
constexpr int RegistersTogether(int wanted) { return wanted % 3 == 0 ? 3 : 2; }

struct RegisterF32 {
  __m256 raw;
};
struct RegisterPairs {
  __m256i raw;
};
inline constexpr int kRegisterLanes = 8;

inline RegisterF32 LoadRegister(const float* p) { return {_mm256_loadu_ps(p)}; }
inline RegisterF32 SetRegister(float x) { return {_mm256_set1_ps(x)}; }
inline void StoreRegister(float* p, RegisterF32 r) { _mm256_storeu_ps(p, r.raw); }
inline RegisterF32 MulRegister(RegisterF32 a, RegisterF32 b) {
  return {_mm256_mul_ps(a.raw, b.raw)};
}
inline RegisterF32 FmaRegister(RegisterF32 a, RegisterF32 b, RegisterF32 sum) {
  return {_mm256_fmadd_ps(a.raw, b.raw, sum.raw)};
}
inline RegisterPairs LoadPairs(const int32_t* p) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
}
inline RegisterPairs SetPairs(const int32_t* p) { return {_mm256_set1_epi32(*p)}; }
inline RegisterF32 DotRegister(RegisterPairs a, RegisterPairs b, RegisterF32 sum) {
  const auto even = [](__m256i v) { return _mm256_castsi256_ps(_mm256_slli_epi32(v, 16)); };
  const auto odd = [](__m256i v) {
    return _mm256_castsi256_ps(_mm256_and_si256(v, _mm256_set1_epi32(-65536)));
  };
  return {
      _mm256_fmadd_ps(odd(a.raw), odd(b.raw), _mm256_fmadd_ps(even(a.raw), even(b.raw), sum.raw))};
}

#elif defined(__ARM_FEATURE_DOTPROD)

inline constexpr int kTileRows = 4;  // 16 of 32 registers
constexpr int RegistersTogether(int) { return 4; }

struct RegisterF32 {
  float32x4_t raw;
};
struct RegisterPairs {
  int32x4_t raw;
};
inline constexpr int kRegisterLanes = 4;

inline RegisterF32 LoadRegister(const float* p) { return {vld1q_f32(p)}; }
inline RegisterF32 SetRegister(float x) { return {vdupq_n_f32(x)}; }
inline void StoreRegister(float* p, RegisterF32 r) { vst1q_f32(p, r.raw); }
inline RegisterF32 MulRegister(RegisterF32 a, RegisterF32 b) { return {vmulq_f32(a.raw, b.raw)}; }
inline RegisterF32 FmaRegister(RegisterF32 a, RegisterF32 b, RegisterF32 sum) {
  return {vfmaq_f32(sum.raw, a.raw, b.raw)};
}
inline RegisterPairs LoadPairs(const int32_t* p) { return {vld1q_s32(p)}; }
inline RegisterPairs SetPairs(const int32_t* p) { return {vdupq_n_s32(*p)}; }
inline RegisterF32 DotRegister(RegisterPairs a, RegisterPairs b, RegisterF32 sum) {
  const auto even = [](int32x4_t v) { return vreinterpretq_f32_s32(vshlq_n_s32(v, 16)); };
  const auto odd = [](int32x4_t v) {
    return vreinterpretq_f32_s32(vandq_s32(v, vdupq_n_s32(-65536)));
  };
  return {vfmaq_f32(vfmaq_f32(sum.raw, even(a.raw), even(b.raw)), odd(a.raw), odd(b.raw))};
}

#else

// Vectors are registers, or take four of the base tier's.
#if defined(__AVX512BW__)
inline constexpr int kTileRows = 8;  // 24 of 32 registers; 3 loads, 8 broadcasts
constexpr int RegistersTogether(int wanted) { return wanted; }
#else
inline constexpr int kTileRows = 2;  // 8 of 16 registers
constexpr int RegistersTogether(int) { return 1; }
#endif

using RegisterF32 = VecF32;
using RegisterPairs = VecI16;
inline constexpr int kRegisterLanes = static_cast<int>(kLanes);

inline RegisterF32 LoadRegister(const float* p) { return Load(p); }
inline RegisterF32 SetRegister(float x) { return SetF32(x); }
inline void StoreRegister(float* p, RegisterF32 r) { Store(p, r); }
inline RegisterF32 MulRegister(RegisterF32 a, RegisterF32 b) { return Mul(a, b); }
inline RegisterF32 FmaRegister(RegisterF32 a, RegisterF32 b, RegisterF32 sum) {
  return Fma(a, b, sum);
}
inline RegisterPairs LoadPairs(const int32_t* p) { return __builtin_bit_cast(VecI16, Load(p)); }
inline RegisterPairs SetPairs(const int32_t* p) { return __builtin_bit_cast(VecI16, SetI32(*p)); }
inline RegisterF32 DotRegister(RegisterPairs a, RegisterPairs b, RegisterF32 sum) {
  return DotBf16(sum, a, b);
}

#endif

#if defined(__AVX512BW__)
inline constexpr int kVectorSums = 24;  // of 32 registers
#elif defined(__AVX2__) || defined(__aarch64__)
inline constexpr int kVectorSums = 6;  // 12 of 16 registers, or 24 of 32
#else
inline constexpr int kVectorSums = 3;  // 12 of 16
#endif

constexpr int VectorsTogether(int rows, int wanted) {
  int together = wanted;
  while (together > 1 && rows * together > kVectorSums) together /= 2;
  return together;
}

}  // namespace anyacl::ANYACL_ISA
