// SPDX-License-Identifier: Apache-2.0
// Dot products of neighbouring lanes, the inner operations of matrix tiles.
//   DotU8I8: the same bits on every tier (integers, modulo 2^32).
//   DotBf16: not the same bits. avx512_bf16 uses its instruction, which takes denormals for zeros
//            and rounds in its own order; the others fuse the even product, then the odd one.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// sum[i] + u[4i] s[4i] + ... + u[4i+3] s[4i+3], u taken as unsigned bytes.
inline VecI32 DotU8I8(VecI32 sum, VecI8 u, VecI8 s) {
#if defined(__AVX512VNNI__)
  // Assembler, because GCC 12 copies and spills the accumulators of a tile written with the
  // intrinsic, which halves its speed.
  asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(u.raw), "v"(s.raw));
  return sum;
#elif defined(__AVX2__)
  // In 16-bit halves: vpmaddubsw would saturate the sum of two products.
  const auto dot = [](__m256i total, __m256i a, __m256i b) {
    const __m256i even = _mm256_madd_epi16(_mm256_and_si256(a, _mm256_set1_epi16(0xff)),
                                           _mm256_srai_epi16(_mm256_slli_epi16(b, 8), 8));
    const __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(a, 8), _mm256_srai_epi16(b, 8));
    return _mm256_add_epi32(total, _mm256_add_epi32(even, odd));
  };
  return {dot(sum.lo, u.lo, s.lo), dot(sum.hi, u.hi, s.hi)};
#elif defined(__ARM_FEATURE_DOTPROD)
  // sdot takes signed bytes: u = (u - 128) + 128.
  return Parts<VecI32>([&](int i) {
    const int8x16_t biased = veorq_s8(u.part[i], vdupq_n_s8(INT8_MIN));
    const int32x4_t bytes = vdotq_s32(vdupq_n_s32(0), vdupq_n_s8(1), s.part[i]);
    return vaddq_s32(vdotq_s32(sum.part[i], biased, s.part[i]), vshlq_n_s32(bytes, 7));
  });
#else
  VecI32 products = {};
  for (int i = 0; i < kParts; ++i) {
    for (int j = 0; j < 16; ++j) {
      products.part[i][j / 4] += static_cast<uint8_t>(u.part[i][j]) * s.part[i][j];
    }
  }
  return Add(sum, products);
#endif
}

// The sum of `count` bytes, `step` apart.
inline int32_t SumI8(const int8_t* x, int64_t step, int64_t count) {
  int32_t sum = 0;
  int64_t k = 0;
  if (step == 1) {
    VecI32 sums = SetI32(0);
    for (; k + 64 <= count; k += 64) sums = DotU8I8(sums, SetI8(1), Load(x + k));
    sum = ReduceSum(sums);
  }
  for (; k < count; ++k) sum += x[k * step];
  return sum;
}

// Whether the machine has an instruction for DotBf16.
#if defined(__AVX512BF16__)
inline constexpr bool kHasDotBf16 = true;
#else
inline constexpr bool kHasDotBf16 = false;
#endif

// sum[i] + a[2i] b[2i] + a[2i+1] b[2i+1] of bf16 numbers.
inline VecF32 DotBf16(VecF32 sum, VecI16 a, VecI16 b) {
#if defined(__AVX512BF16__)
  asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
#else
  const VecI32 pairs_a = __builtin_bit_cast(VecI32, a);
  const VecI32 pairs_b = __builtin_bit_cast(VecI32, b);
  const VecI32 upper = SetI32(static_cast<int32_t>(0xffff0000));
  sum = Fma(FloatFromBits(ShiftLeft<16>(pairs_a)), FloatFromBits(ShiftLeft<16>(pairs_b)), sum);
  return Fma(FloatFromBits(And(pairs_a, upper)), FloatFromBits(And(pairs_b, upper)), sum);
#endif
}

}  // namespace anyacl::ANYACL_ISA
