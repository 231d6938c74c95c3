// SPDX-License-Identifier: Apache-2.0
// The operations of simd.h for any 64-bit machine: a vector is four of the compilers' 16-byte
// vectors, which baseline x86-64 (SSE2) and armv8 have registers for. What compilers do badly on
// those is written lane by lane, or with the SSE2 intrinsic that all x86-64 machines have.
#pragma once

#include "simd/emulated_fma.h"

namespace anyacl::ANYACL_ISA {

typedef uint32_t U32x4 __attribute__((vector_size(16)));
typedef int16_t I16x8 __attribute__((vector_size(16)));
typedef uint16_t U16x8 __attribute__((vector_size(16)));
typedef int8_t I8x16 __attribute__((vector_size(16)));

struct VecF32 {
  F32x4 part[kParts];
};
struct VecI32 {
  I32x4 part[kParts];
};
struct VecI16 {
  I16x8 part[kParts];
};
struct VecI8 {
  I8x16 part[kParts];
};
// All ones or all zeros in each lane.
struct Mask {
  I32x4 part[kParts];
};

// fn(i) for each part: fn must be small, so that it is inlined four times.
template <class Vec, class Fn>
inline Vec Parts(Fn fn) {
  return {{fn(0), fn(1), fn(2), fn(3)}};
}

template <class Vec>
inline Vec LoadVector(const void* p, size_t bytes = sizeof(Vec)) {
  Vec v = {};
  __builtin_memcpy(&v, p, bytes);
  return v;
}

inline VecF32 SetF32(float x) {
  return Parts<VecF32>([=](int) { return F32x4{x, x, x, x}; });
}
inline VecI32 SetI32(int32_t x) {
  return Parts<VecI32>([=](int) { return I32x4{x, x, x, x}; });
}
inline VecI16 SetI16(int16_t x) {
  return Parts<VecI16>([=](int) { return I16x8{x, x, x, x, x, x, x, x}; });
}
inline VecI8 SetI8(int8_t x) {
  return Parts<VecI8>([=](int) { return I8x16{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; });
}

inline VecF32 Load(const float* p) { return LoadVector<VecF32>(p); }
inline VecI32 Load(const int32_t* p) { return LoadVector<VecI32>(p); }
inline VecI16 Load(const int16_t* p) { return LoadVector<VecI16>(p); }
inline VecI8 Load(const int8_t* p) { return LoadVector<VecI8>(p); }
inline VecF32 Load(const float* p, size_t n) { return LoadVector<VecF32>(p, n * 4); }
inline VecI32 Load(const int32_t* p, size_t n) { return LoadVector<VecI32>(p, n * 4); }
inline VecI16 Load(const int16_t* p, size_t n) { return LoadVector<VecI16>(p, n * 2); }
inline VecI8 Load(const int8_t* p, size_t n) { return LoadVector<VecI8>(p, n); }

inline VecF32 InRegister(VecF32 a) { return a; }

inline void Store(float* p, VecF32 v) { __builtin_memcpy(p, &v, sizeof(v)); }
inline void Store(int32_t* p, VecI32 v) { __builtin_memcpy(p, &v, sizeof(v)); }
inline void Store(int16_t* p, VecI16 v) { __builtin_memcpy(p, &v, sizeof(v)); }
inline void Store(int8_t* p, VecI8 v) { __builtin_memcpy(p, &v, sizeof(v)); }
inline void Store(float* p, VecF32 v, size_t n) { __builtin_memcpy(p, &v, n * 4); }
inline void Store(int32_t* p, VecI32 v, size_t n) { __builtin_memcpy(p, &v, n * 4); }
inline void Store(int16_t* p, VecI16 v, size_t n) { __builtin_memcpy(p, &v, n * 2); }
inline void Store(int8_t* p, VecI8 v, size_t n) { __builtin_memcpy(p, &v, n); }

// No such store without intrinsics.
inline void StorePastCaches(float* p, VecF32 v) { Store(p, v); }
inline void StorePastCaches(int8_t* p, VecI8 v) { Store(p, v); }
inline void FencePastCaches() {}
[[gnu::always_inline]] inline void PrefetchL1(const void* p) { __builtin_prefetch(p, 0, 3); }
[[gnu::always_inline]] inline void PrefetchL2(const void* p) { __builtin_prefetch(p, 0, 2); }

inline VecF32 Add(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return a.part[i] + b.part[i]; });
}
inline VecF32 Sub(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return a.part[i] - b.part[i]; });
}
inline VecF32 Mul(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return a.part[i] * b.part[i]; });
}
inline VecF32 Div(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return a.part[i] / b.part[i]; });
}

inline VecF32 Sqrt(VecF32 a) {
#if defined(__SSE2__)
  return Parts<VecF32>([&](int i) { return (F32x4)_mm_sqrt_ps(a.part[i]); });
#else
  VecF32 v;
  for (int i = 0; i < kParts; ++i) {
    for (int j = 0; j < 4; ++j) v.part[i][j] = __builtin_sqrtf(a.part[i][j]);
  }
  return v;
#endif
}

// Integers wrap around.
inline VecI32 Add(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return (I32x4)((U32x4)a.part[i] + (U32x4)b.part[i]); });
}
inline VecI32 Sub(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return (I32x4)((U32x4)a.part[i] - (U32x4)b.part[i]); });
}
inline VecI32 Mul(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return (I32x4)((U32x4)a.part[i] * (U32x4)b.part[i]); });
}
// Products of unsigned lanes, both halves.
struct WideProduct {
  VecI32 low;
  VecI32 high;
};
inline WideProduct MulWide(VecI32 a, VecI32 b) {
  WideProduct product;
  for (int i = 0; i < kParts; ++i) {
#if defined(__SSE2__)
    const __m128i x = (__m128i)a.part[i], y = (__m128i)b.part[i];
    const I32x4 even = (I32x4)_mm_mul_epu32(x, y);
    const I32x4 odd = (I32x4)_mm_mul_epu32(_mm_srli_epi64(x, 32), _mm_srli_epi64(y, 32));
    product.low.part[i] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    product.high.part[i] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
#else
    for (int j = 0; j < 4; ++j) {
      const uint64_t wide = uint64_t{static_cast<uint32_t>(a.part[i][j])} *
                            uint64_t{static_cast<uint32_t>(b.part[i][j])};
      product.low.part[i][j] = static_cast<int32_t>(static_cast<uint32_t>(wide));
      product.high.part[i][j] = static_cast<int32_t>(static_cast<uint32_t>(wide >> 32));
    }
#endif
  }
  return product;
}
inline VecI32 And(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return a.part[i] & b.part[i]; });
}
inline VecI32 Or(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return a.part[i] | b.part[i]; });
}
inline VecI32 Xor(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return a.part[i] ^ b.part[i]; });
}
template <int kBits>
inline VecI32 ShiftLeft(VecI32 a) {
  return Parts<VecI32>([&](int i) { return (I32x4)((U32x4)a.part[i] << kBits); });
}
template <int kBits>
inline VecI32 ShiftRight(VecI32 a) {
  return Parts<VecI32>([&](int i) { return (I32x4)((U32x4)a.part[i] >> kBits); });
}

inline VecI16 And(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return a.part[i] & b.part[i]; });
}
inline VecI16 Max(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return a.part[i] > b.part[i] ? a.part[i] : b.part[i]; });
}
inline VecI8 Xor(VecI8 a, VecI8 b) {
  return Parts<VecI8>([&](int i) { return a.part[i] ^ b.part[i]; });
}

inline Mask Less(VecF32 a, VecF32 b) {
  return Parts<Mask>([&](int i) { return (I32x4)(a.part[i] < b.part[i]); });
}
inline Mask LessEqual(VecF32 a, VecF32 b) {
  return Parts<Mask>([&](int i) { return (I32x4)(a.part[i] <= b.part[i]); });
}
inline Mask Equal(VecF32 a, VecF32 b) {
  return Parts<Mask>([&](int i) { return (I32x4)(a.part[i] == b.part[i]); });
}
inline Mask Less(VecI32 a, VecI32 b) {
  return Parts<Mask>([&](int i) { return (I32x4)(a.part[i] < b.part[i]); });
}
inline Mask Equal(VecI32 a, VecI32 b) {
  return Parts<Mask>([&](int i) { return (I32x4)(a.part[i] == b.part[i]); });
}
inline Mask FirstN(size_t n) {
  const int32_t end = static_cast<int32_t>(n);
  return Parts<Mask>([=](int i) {
    return (I32x4)(I32x4{4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3} < I32x4{end, end, end, end});
  });
}
inline Mask And(Mask a, Mask b) {
  return Parts<Mask>([&](int i) { return a.part[i] & b.part[i]; });
}
inline Mask Or(Mask a, Mask b) {
  return Parts<Mask>([&](int i) { return a.part[i] | b.part[i]; });
}
inline Mask Not(Mask a) {
  return Parts<Mask>([&](int i) { return ~a.part[i]; });
}
inline uint32_t BitsOf(Mask a) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < kLanes; ++i) bits |= (a.part[i / 4][i % 4] & 1u) << i;
  return bits;
}
inline bool Any(Mask a) {
  typedef int64_t I64x2 __attribute__((vector_size(16)));
  const I64x2 either = (I64x2)((a.part[0] | a.part[1]) | (a.part[2] | a.part[3]));
  return (either[0] | either[1]) != 0;
}
inline VecI32 Select(Mask mask, VecI32 yes, VecI32 no) {
  return Parts<VecI32>(
      [&](int i) { return (yes.part[i] & mask.part[i]) | (no.part[i] & ~mask.part[i]); });
}

inline VecI32 BitsOf(VecF32 a) {
  return Parts<VecI32>([&](int i) { return (I32x4)a.part[i]; });
}
inline VecF32 FloatFromBits(VecI32 a) {
  return Parts<VecF32>([&](int i) { return (F32x4)a.part[i]; });
}
inline VecF32 SwapNeighbours(VecF32 v) {
  return Parts<VecF32>(
      [&](int i) { return __builtin_shufflevector(v.part[i], v.part[i], 1, 0, 3, 2); });
}
inline VecF32 Select(Mask mask, VecF32 yes, VecF32 no) {
  return FloatFromBits(Select(mask, BitsOf(yes), BitsOf(no)));
}
#if defined(__SSE2__)
inline VecF32 Min(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return (F32x4)_mm_min_ps(a.part[i], b.part[i]); });
}
inline VecF32 Max(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return (F32x4)_mm_max_ps(a.part[i], b.part[i]); });
}
#else
inline VecF32 Min(VecF32 a, VecF32 b) { return Select(Less(a, b), a, b); }
inline VecF32 Max(VecF32 a, VecF32 b) { return Select(Less(b, a), a, b); }
#endif
inline VecI32 Min(VecI32 a, VecI32 b) { return Select(Less(a, b), a, b); }
inline VecI32 Max(VecI32 a, VecI32 b) { return Select(Less(b, a), a, b); }
inline VecF32 Abs(VecF32 a) { return FloatFromBits(And(BitsOf(a), SetI32(0x7fffffff))); }

inline VecF32 ToF32(VecI32 a) {
  return Parts<VecF32>([&](int i) { return __builtin_convertvector(a.part[i], F32x4); });
}
// Above 2^22 in magnitude, adding 1.5 * 2^23 does not round to an integer any more. Below, it
// leaves the integer, in two's complement, in the low bits of the sum.
inline constexpr float kRounder = 0x1.8p23f;
inline constexpr float kRounderLimit = 0x1p22f;

inline VecF32 RoundEven(VecF32 a) {
  const VecF32 rounded = Sub(Add(a, SetF32(kRounder)), SetF32(kRounder));
  // The sum loses the sign of what rounds to zero.
  const VecI32 sign = And(BitsOf(a), SetI32(INT32_MIN));
  const VecF32 small = FloatFromBits(Or(BitsOf(Abs(rounded)), sign));
  const Mask is_small = Less(Abs(a), SetF32(kRounderLimit));
  // From 2^22 to 2^23 there are halves left: subtract and add 2^23 with the sign of a.
  const VecF32 big = FloatFromBits(Or(SetI32(0x4b000000), sign));
  const VecF32 middle = Sub(Add(a, big), big);
  const Mask is_middle = Less(Abs(a), SetF32(0x1p23f));
  return Select(is_small, small, Select(is_middle, middle, a));
}
inline VecI32 RoundToI32(VecF32 a) {
#if defined(__SSE2__)
  return Parts<VecI32>([&](int i) { return (I32x4)_mm_cvtps_epi32(a.part[i]); });
#else
  const VecF32 integers = RoundEven(a);
  return Parts<VecI32>([&](int i) { return __builtin_convertvector(integers.part[i], I32x4); });
#endif
}
inline VecF32 Fraction(VecF32 a) { return Sub(a, RoundEven(a)); }
// In two factors, each a normal number: the first product is exact, so only the second rounds.
inline VecF32 ScaleByPowerOf2(VecF32 a, VecF32 n) {
  const VecI32 whole = RoundToI32(n);
  const VecI32 half = Parts<VecI32>([&](int i) { return whole.part[i] >> 1; });
  const VecI32 bias = SetI32(127);
  const VecF32 first = FloatFromBits(ShiftLeft<23>(Add(half, bias)));
  const VecF32 second = FloatFromBits(ShiftLeft<23>(Add(Sub(whole, half), bias)));
  return Mul(Mul(a, first), second);
}
inline VecF32 ScalePositiveByPowerOf2(VecF32 a, VecF32 n) { return ScaleByPowerOf2(a, n); }

// a * b + c rounded once. Emulated it is a function: inlined everywhere it took GCC 113 s for a
// file of products, 32 now.
#if !defined(__FP_FAST_FMAF)
[[gnu::noinline]]
#endif
inline VecF32
Fma(VecF32 a, VecF32 b, VecF32 c) {
#if defined(__FP_FAST_FMAF)
  VecF32 v;
  for (int i = 0; i < kParts; ++i) {
    for (int j = 0; j < 4; ++j) {
      v.part[i][j] = __builtin_fmaf(a.part[i][j], b.part[i][j], c.part[i][j]);
    }
  }
  return v;
#else
  return EmulatedFma(a, b, c);
#endif
}
inline VecF32 AddBeside(VecF32 a, VecF32 b) { return Add(a, b); }
inline VecF32 MulAddEither(VecF32 a, VecF32 b, VecF32 c) {
#if defined(__FP_FAST_FMAF)
  return Fma(a, b, c);
#else
  return Add(Mul(a, b), c);
#endif
}

// 16 elements, widened: halves of 8 are interleaved with zeros (all these machines are little
// endian).
struct Halves {
  U16x8 part[2];
};
inline VecI32 WidenU16(Halves v) {
  return Parts<VecI32>([&](int i) {
    const U16x8 zero = {};
    const U16x8 half = v.part[i / 2];
    return i % 2 == 0 ? (I32x4)__builtin_shufflevector(half, zero, 0, 8, 1, 9, 2, 10, 3, 11)
                      : (I32x4)__builtin_shufflevector(half, zero, 4, 12, 5, 13, 6, 14, 7, 15);
  });
}
inline VecI32 LoadU16(const uint16_t* p) { return WidenU16(LoadVector<Halves>(p)); }
inline VecI32 LoadU16(const uint16_t* p, size_t n) {
  return WidenU16(LoadVector<Halves>(p, n * 2));
}
// Moves exponent and mantissa into place and multiplies by 2^(127 - 15), which is exact and makes
// subnormals normal. Inf and NaN get the largest exponent; NaN is made quiet, as by the machines.
inline VecF32 FloatFromFp16(VecI32 bits) {
  const VecI32 magnitude = ShiftLeft<13>(And(bits, SetI32(0x7fff)));
  const VecI32 sign = ShiftLeft<16>(And(bits, SetI32(0x8000)));
  const VecI32 value = BitsOf(Mul(FloatFromBits(magnitude), SetF32(0x1p112f)));
  constexpr int32_t kInfinity = 0x7c00 << 13;
  const Mask not_finite = Less(SetI32(kInfinity - 1), magnitude);
  const Mask nan = Less(SetI32(kInfinity), magnitude);
  const VecI32 special = Parts<VecI32>(
      [&](int i) { return (not_finite.part[i] & 0x7f800000) | (nan.part[i] & 0x00400000); });
  return FloatFromBits(Or(Or(value, sign), special));
}
inline VecF32 LoadFp16(const uint16_t* p) { return FloatFromFp16(LoadU16(p)); }
inline VecF32 LoadFp16(const uint16_t* p, size_t n) { return FloatFromFp16(LoadU16(p, n)); }

inline VecI32 LoadI8(const int8_t* p, size_t n) {
  int32_t lanes[kLanes] = {};
  for (size_t i = 0; i < n; ++i) lanes[i] = p[i];
  return Load(lanes);
}
inline VecI32 LoadI8(const int8_t* p) { return LoadI8(p, kLanes); }

// The low 16 bits of each lane.
inline void StoreLow16(uint16_t* p, VecI32 v, size_t n) {
  for (size_t i = 0; i < n; ++i) p[i] = static_cast<uint16_t>(v.part[i / 4][i % 4]);
}
inline void StoreLow16(uint16_t* p, VecI32 v) {
  int32_t lanes[kLanes];
  Store(lanes, v);
  for (size_t i = 0; i < kLanes; ++i) p[i] = static_cast<uint16_t>(lanes[i]);
}
inline VecI32 Fp16FromFloat(VecF32 v) {
  const VecI32 all = BitsOf(v);
  const VecI32 sign = ShiftRight<16>(And(all, SetI32(INT32_MIN)));
  const VecI32 bits = And(all, SetI32(0x7fffffff));
  // Rounds half to even at bit 13, then rebiases; whatever exceeds the range becomes infinity.
  const VecI32 odd = And(ShiftRight<13>(bits), SetI32(1));
  const VecI32 rounded =
      ShiftRight<13>(Sub(Add(bits, Add(odd, SetI32(0x0fff))), SetI32(112 << 23)));
  const VecI32 normal = Min(rounded, SetI32(0x7c00));
  // Below 2^-14: the sum with 0.5, whose last bit is 2^-24, holds the rounded multiple of 2^-24.
  const VecI32 subnormal =
      Sub(BitsOf(Add(FloatFromBits(bits), SetF32(0.5f))), BitsOf(SetF32(0.5f)));
  const VecI32 nan = Or(SetI32(0x7e00), And(ShiftRight<13>(bits), SetI32(0x01ff)));
  const VecI32 number = Select(Less(bits, SetI32(113 << 23)), subnormal, normal);
  return Or(sign, Select(Less(SetI32(0x7f800000), bits), nan, number));
}
inline void StoreFp16(uint16_t* p, VecF32 v) { StoreLow16(p, Fp16FromFloat(v)); }
inline void StoreFp16(uint16_t* p, VecF32 v, size_t n) { StoreLow16(p, Fp16FromFloat(v), n); }

// 16 bytes, saturated.
inline I8x16 Saturate16(VecI32 v) {
#if defined(__SSE2__)
  return (I8x16)_mm_packs_epi16(_mm_packs_epi32((__m128i)v.part[0], (__m128i)v.part[1]),
                                _mm_packs_epi32((__m128i)v.part[2], (__m128i)v.part[3]));
#else
  const VecI32 low = Max(Min(v, SetI32(127)), SetI32(-128));
  const auto even = [](I32x4 x, I32x4 y) {
    return (I8x16)__builtin_shufflevector((I16x8)x, (I16x8)y, 0, 2, 4, 6, 8, 10, 12, 14);
  };
  return __builtin_shufflevector(even(low.part[0], low.part[1]), even(low.part[2], low.part[3]), 0,
                                 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
#endif
}
inline VecI8 PackI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  return {{Saturate16(a), Saturate16(b), Saturate16(c), Saturate16(d)}};
}
inline void StoreI8(int8_t* p, VecI32 v, size_t n) {
  const I8x16 bytes = Saturate16(v);
  __builtin_memcpy(p, &bytes, n);
}
inline void StoreI8(int8_t* p, VecI32 v) { StoreI8(p, v, kLanes); }

// Half a vector of bytes: 64 packed 4-bit numbers.
struct VecI4 {
  uint8_t at[32];
};

inline VecI4 PackI4(VecI8 v) {
  int8_t lanes[64];
  Store(lanes, v);
  VecI4 packed;
  for (int i = 0; i < 64; ++i) lanes[i] = lanes[i] < -8 ? -8 : lanes[i] > 7 ? 7 : lanes[i];
  for (int i = 0; i < 32; ++i) {
    packed.at[i] = static_cast<uint8_t>((lanes[2 * i] & 0xf) | lanes[2 * i + 1] << 4);
  }
  return packed;
}
inline VecI8 UnpackI4(VecI4 v) {
  int8_t lanes[64];
  for (int i = 0; i < 32; ++i) {
    lanes[2 * i] = static_cast<int8_t>(((v.at[i] & 0xf) ^ 8) - 8);
    lanes[2 * i + 1] = static_cast<int8_t>(((v.at[i] >> 4) ^ 8) - 8);
  }
  return Load(lanes);
}
inline VecI4 LoadI4(const uint8_t* p) { return LoadVector<VecI4>(p); }
inline VecI4 LoadI4(const uint8_t* p, size_t bytes) { return LoadVector<VecI4>(p, bytes); }
inline void Store(uint8_t* p, VecI4 v) { __builtin_memcpy(p, &v, sizeof(v)); }
inline void Store(uint8_t* p, VecI4 v, size_t bytes) { __builtin_memcpy(p, &v, bytes); }
inline void StorePastCaches(uint8_t* p, VecI4 v) { Store(p, v); }

template <int kQuarter>
inline VecI32 Widen(VecI8 v) {
  int8_t lanes[16];
  __builtin_memcpy(lanes, &v.part[kQuarter], sizeof(lanes));
  return LoadI8(lanes);
}

// combine(lane i, lane i + 8), then i + 4, i + 2, i + 1.
template <class Scalar, class Vec, class Fn>
inline Scalar Reduce(Vec v, Fn combine) {
  constexpr size_t kCount = sizeof(Vec) / sizeof(Scalar);
  Scalar lanes[kCount];
  __builtin_memcpy(lanes, &v, sizeof(v));
  for (size_t half = kCount / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i) lanes[i] = combine(lanes[i], lanes[i + half]);
  }
  return lanes[0];
}
inline float ReduceSum(VecF32 v) {
  return Reduce<float>(v, [](float a, float b) { return a + b; });
}
// In double, as lanes of fp32 soon make a number that is none of it.
inline double ReduceProduct(VecF32 v) {
  float lanes[kLanes];
  __builtin_memcpy(lanes, &v, sizeof(v));
  double wide[kLanes];
  for (size_t i = 0; i < kLanes; ++i) wide[i] = double{lanes[i]};
  for (size_t half = kLanes / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i) wide[i] *= wide[i + half];
  }
  return wide[0];
}
inline float ReduceMax(VecF32 v) {
  return Reduce<float>(v, [](float a, float b) { return a > b ? a : b; });
}
inline float ReduceMin(VecF32 v) {
  return Reduce<float>(v, [](float a, float b) { return a < b ? a : b; });
}
inline int32_t ReduceSum(VecI32 v) {
  return Reduce<int32_t>(v, [](int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  });
}
inline int32_t ReduceMax(VecI32 v) {
  return Reduce<int32_t>(v, [](int32_t a, int32_t b) { return a > b ? a : b; });
}
inline int16_t ReduceMax(VecI16 v) {
  return Reduce<int16_t>(v, [](int16_t a, int16_t b) { return a > b ? a : b; });
}

}  // namespace anyacl::ANYACL_ISA
