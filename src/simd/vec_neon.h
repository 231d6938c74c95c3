// SPDX-License-Identifier: Apache-2.0
// The operations of simd.h for armv8.2-a with fp16 and dot products: a vector is four registers.
#pragma once

#include <arm_neon.h>

namespace anyacl::ANYACL_ISA {

inline constexpr int kParts = 4;

struct VecF32 {
  float32x4_t part[kParts];
};
struct VecI32 {
  int32x4_t part[kParts];
};
struct VecI16 {
  int16x8_t part[kParts];
};
struct VecI8 {
  int8x16_t part[kParts];
};
// All ones or all zeros in each lane.
struct Mask {
  uint32x4_t part[kParts];
};

// fn(i) for each part: fn must be small, so that it is inlined four times.
template <class Vec, class Fn>
inline Vec Parts(Fn fn) {
  return {{fn(0), fn(1), fn(2), fn(3)}};
}

// A vector of bytes in memory, of which `bytes` come from p and the rest are zero.
template <class Vec>
inline Vec LoadVector(const void* p, size_t bytes) {
  Vec v = {};
  __builtin_memcpy(&v, p, bytes);
  return v;
}

inline VecF32 SetF32(float x) {
  return Parts<VecF32>([=](int) { return vdupq_n_f32(x); });
}
inline VecI32 SetI32(int32_t x) {
  return Parts<VecI32>([=](int) { return vdupq_n_s32(x); });
}
inline VecI16 SetI16(int16_t x) {
  return Parts<VecI16>([=](int) { return vdupq_n_s16(x); });
}
inline VecI8 SetI8(int8_t x) {
  return Parts<VecI8>([=](int) { return vdupq_n_s8(x); });
}

inline VecF32 Load(const float* p) {
  return Parts<VecF32>([=](int i) { return vld1q_f32(p + 4 * i); });
}
inline VecI32 Load(const int32_t* p) {
  return Parts<VecI32>([=](int i) { return vld1q_s32(p + 4 * i); });
}
inline VecI16 Load(const int16_t* p) {
  return Parts<VecI16>([=](int i) { return vld1q_s16(p + 8 * i); });
}
inline VecI8 Load(const int8_t* p) {
  return Parts<VecI8>([=](int i) { return vld1q_s8(p + 16 * i); });
}
inline VecF32 Load(const float* p, size_t n) { return LoadVector<VecF32>(p, n * 4); }
inline VecI32 Load(const int32_t* p, size_t n) { return LoadVector<VecI32>(p, n * 4); }
inline VecI16 Load(const int16_t* p, size_t n) { return LoadVector<VecI16>(p, n * 2); }
inline VecI8 Load(const int8_t* p, size_t n) { return LoadVector<VecI8>(p, n); }

inline VecF32 InRegister(VecF32 a) { return a; }

inline void Store(float* p, VecF32 v) {
  for (int i = 0; i < kParts; ++i) vst1q_f32(p + 4 * i, v.part[i]);
}
inline void Store(int32_t* p, VecI32 v) {
  for (int i = 0; i < kParts; ++i) vst1q_s32(p + 4 * i, v.part[i]);
}
inline void Store(int16_t* p, VecI16 v) {
  for (int i = 0; i < kParts; ++i) vst1q_s16(p + 8 * i, v.part[i]);
}
inline void Store(int8_t* p, VecI8 v) {
  for (int i = 0; i < kParts; ++i) vst1q_s8(p + 16 * i, v.part[i]);
}
inline void Store(float* p, VecF32 v, size_t n) { __builtin_memcpy(p, &v, n * 4); }
inline void Store(int32_t* p, VecI32 v, size_t n) { __builtin_memcpy(p, &v, n * 4); }
inline void Store(int16_t* p, VecI16 v, size_t n) { __builtin_memcpy(p, &v, n * 2); }
inline void Store(int8_t* p, VecI8 v, size_t n) { __builtin_memcpy(p, &v, n); }

// Stores past the caches (stnp) are only a hint here, which the cores that matter ignore.
inline void StorePastCaches(float* p, VecF32 v) { Store(p, v); }
inline void StorePastCaches(int8_t* p, VecI8 v) { Store(p, v); }
inline void FencePastCaches() {}
[[gnu::always_inline]] inline void PrefetchL1(const void* p) { __builtin_prefetch(p, 0, 3); }
[[gnu::always_inline]] inline void PrefetchL2(const void* p) { __builtin_prefetch(p, 0, 2); }

// 16 elements of 16 bits.
struct Halves {
  uint16x8_t part[2];
};
inline Halves LoadHalves(const uint16_t* p) { return {{vld1q_u16(p), vld1q_u16(p + 8)}}; }
inline uint16x4_t Quarter(const Halves& v, int i) {
  return i % 2 == 0 ? vget_low_u16(v.part[i / 2]) : vget_high_u16(v.part[i / 2]);
}
inline VecI32 WidenU16(const Halves& v) {
  return Parts<VecI32>([&](int i) { return vreinterpretq_s32_u32(vmovl_u16(Quarter(v, i))); });
}
inline VecF32 FloatFromFp16(const Halves& v) {
  return Parts<VecF32>([&](int i) { return vcvt_f32_f16(vreinterpret_f16_u16(Quarter(v, i))); });
}
inline VecI32 LoadU16(const uint16_t* p) { return WidenU16(LoadHalves(p)); }
inline VecI32 LoadU16(const uint16_t* p, size_t n) {
  return WidenU16(LoadVector<Halves>(p, n * 2));
}
inline VecF32 LoadFp16(const uint16_t* p) { return FloatFromFp16(LoadHalves(p)); }
inline VecF32 LoadFp16(const uint16_t* p, size_t n) {
  return FloatFromFp16(LoadVector<Halves>(p, n * 2));
}
inline VecI32 WidenI8(int8x16_t v) {
  const int16x8_t lo = vmovl_s8(vget_low_s8(v)), hi = vmovl_high_s8(v);
  return {{vmovl_s16(vget_low_s16(lo)), vmovl_high_s16(lo), vmovl_s16(vget_low_s16(hi)),
           vmovl_high_s16(hi)}};
}
inline VecI32 LoadI8(const int8_t* p) { return WidenI8(vld1q_s8(p)); }
inline VecI32 LoadI8(const int8_t* p, size_t n) {
  int8_t lanes[kLanes] = {};
  __builtin_memcpy(lanes, p, n);
  return LoadI8(lanes);
}

// The low 16 bits of each lane.
inline Halves Low16(VecI32 v) {
  const auto half = [&](int i) {
    return vreinterpretq_u16_s16(
        vcombine_s16(vmovn_s32(v.part[2 * i]), vmovn_s32(v.part[2 * i + 1])));
  };
  return {{half(0), half(1)}};
}
inline Halves Fp16FromFloat(VecF32 v) {
  const auto half = [&](int i) {
    return vreinterpretq_u16_f16(vcvt_high_f16_f32(vcvt_f16_f32(v.part[2 * i]), v.part[2 * i + 1]));
  };
  return {{half(0), half(1)}};
}
inline void StoreLow16(uint16_t* p, VecI32 v) {
  const Halves halves = Low16(v);
  __builtin_memcpy(p, &halves, sizeof(halves));
}
inline void StoreLow16(uint16_t* p, VecI32 v, size_t n) {
  const Halves halves = Low16(v);
  __builtin_memcpy(p, &halves, n * 2);
}
inline void StoreFp16(uint16_t* p, VecF32 v) {
  const Halves halves = Fp16FromFloat(v);
  __builtin_memcpy(p, &halves, sizeof(halves));
}
inline void StoreFp16(uint16_t* p, VecF32 v, size_t n) {
  const Halves halves = Fp16FromFloat(v);
  __builtin_memcpy(p, &halves, n * 2);
}
// 16 bytes, saturated.
inline int8x16_t Saturate16(VecI32 v) {
  const int16x8_t lo = vqmovn_high_s32(vqmovn_s32(v.part[0]), v.part[1]);
  const int16x8_t hi = vqmovn_high_s32(vqmovn_s32(v.part[2]), v.part[3]);
  return vqmovn_high_s16(vqmovn_s16(lo), hi);
}
inline void StoreI8(int8_t* p, VecI32 v) { vst1q_s8(p, Saturate16(v)); }
inline void StoreI8(int8_t* p, VecI32 v, size_t n) {
  const int8x16_t bytes = Saturate16(v);
  __builtin_memcpy(p, &bytes, n);
}

inline VecF32 Add(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return vaddq_f32(a.part[i], b.part[i]); });
}
inline VecF32 Sub(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return vsubq_f32(a.part[i], b.part[i]); });
}
inline VecF32 Mul(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return vmulq_f32(a.part[i], b.part[i]); });
}
inline VecF32 Div(VecF32 a, VecF32 b) {
  return Parts<VecF32>([&](int i) { return vdivq_f32(a.part[i], b.part[i]); });
}
inline VecF32 Sqrt(VecF32 a) {
  return Parts<VecF32>([&](int i) { return vsqrtq_f32(a.part[i]); });
}
inline VecF32 Fma(VecF32 a, VecF32 b, VecF32 c) {
  return Parts<VecF32>([&](int i) { return vfmaq_f32(c.part[i], a.part[i], b.part[i]); });
}
inline VecF32 AddBeside(VecF32 a, VecF32 b) { return Add(a, b); }
inline VecF32 MulAddEither(VecF32 a, VecF32 b, VecF32 c) { return Fma(a, b, c); }
// Arm's own minimum and maximum return NaN if either operand is one, and tell zeros apart.
inline VecF32 Min(VecF32 a, VecF32 b) {
  return Parts<VecF32>(
      [&](int i) { return vbslq_f32(vcltq_f32(a.part[i], b.part[i]), a.part[i], b.part[i]); });
}
inline VecF32 Max(VecF32 a, VecF32 b) {
  return Parts<VecF32>(
      [&](int i) { return vbslq_f32(vcgtq_f32(a.part[i], b.part[i]), a.part[i], b.part[i]); });
}
inline VecF32 Abs(VecF32 a) {
  return Parts<VecF32>([&](int i) { return vabsq_f32(a.part[i]); });
}

inline VecI32 Add(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vaddq_s32(a.part[i], b.part[i]); });
}
inline VecI32 Sub(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vsubq_s32(a.part[i], b.part[i]); });
}
inline VecI32 Mul(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vmulq_s32(a.part[i], b.part[i]); });
}
// Products of unsigned lanes, both halves.
struct WideProduct {
  VecI32 low;
  VecI32 high;
};
inline WideProduct MulWide(VecI32 a, VecI32 b) {
  WideProduct product;
  for (int i = 0; i < kParts; ++i) {
    const uint32x4_t x = vreinterpretq_u32_s32(a.part[i]), y = vreinterpretq_u32_s32(b.part[i]);
    const uint32x4_t first = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(x), vget_low_u32(y)));
    const uint32x4_t second = vreinterpretq_u32_u64(vmull_high_u32(x, y));
    product.low.part[i] = vreinterpretq_s32_u32(vuzp1q_u32(first, second));
    product.high.part[i] = vreinterpretq_s32_u32(vuzp2q_u32(first, second));
  }
  return product;
}
inline VecI32 Min(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vminq_s32(a.part[i], b.part[i]); });
}
inline VecI32 Max(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vmaxq_s32(a.part[i], b.part[i]); });
}
inline VecI32 And(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vandq_s32(a.part[i], b.part[i]); });
}
inline VecI32 Or(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return vorrq_s32(a.part[i], b.part[i]); });
}
inline VecI32 Xor(VecI32 a, VecI32 b) {
  return Parts<VecI32>([&](int i) { return veorq_s32(a.part[i], b.part[i]); });
}
template <int kBits>
inline VecI32 ShiftLeft(VecI32 a) {
  return Parts<VecI32>([&](int i) { return vshlq_n_s32(a.part[i], kBits); });
}
template <int kBits>
inline VecI32 ShiftRight(VecI32 a) {
  return Parts<VecI32>([&](int i) {
    return vreinterpretq_s32_u32(vshrq_n_u32(vreinterpretq_u32_s32(a.part[i]), kBits));
  });
}

inline VecI16 And(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return vandq_s16(a.part[i], b.part[i]); });
}
inline VecI16 Max(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return vmaxq_s16(a.part[i], b.part[i]); });
}
inline VecI8 Xor(VecI8 a, VecI8 b) {
  return Parts<VecI8>([&](int i) { return veorq_s8(a.part[i], b.part[i]); });
}

inline Mask FirstN(size_t n) {
  const uint32x4_t end = vdupq_n_u32(static_cast<uint32_t>(n));
  return Parts<Mask>([&](int i) {
    const auto first = static_cast<uint32_t>(4 * i);
    return vcltq_u32(uint32x4_t{first, first + 1, first + 2, first + 3}, end);
  });
}
inline Mask Less(VecF32 a, VecF32 b) {
  return Parts<Mask>([&](int i) { return vcltq_f32(a.part[i], b.part[i]); });
}
inline Mask LessEqual(VecF32 a, VecF32 b) {
  return Parts<Mask>([&](int i) { return vcleq_f32(a.part[i], b.part[i]); });
}
inline Mask Equal(VecF32 a, VecF32 b) {
  return Parts<Mask>([&](int i) { return vceqq_f32(a.part[i], b.part[i]); });
}
inline Mask Less(VecI32 a, VecI32 b) {
  return Parts<Mask>([&](int i) { return vcltq_s32(a.part[i], b.part[i]); });
}
inline Mask Equal(VecI32 a, VecI32 b) {
  return Parts<Mask>([&](int i) { return vceqq_s32(a.part[i], b.part[i]); });
}
inline Mask And(Mask a, Mask b) {
  return Parts<Mask>([&](int i) { return vandq_u32(a.part[i], b.part[i]); });
}
inline Mask Or(Mask a, Mask b) {
  return Parts<Mask>([&](int i) { return vorrq_u32(a.part[i], b.part[i]); });
}
inline Mask Not(Mask a) {
  return Parts<Mask>([&](int i) { return vmvnq_u32(a.part[i]); });
}
inline uint32_t BitsOf(Mask a) {
  const uint32x4_t weights = {1, 2, 4, 8};
  uint32_t bits = 0;
  for (int i = 0; i < kParts; ++i) bits |= vaddvq_u32(vandq_u32(a.part[i], weights)) << (4 * i);
  return bits;
}
inline bool Any(Mask a) {
  return vmaxvq_u32(vorrq_u32(vorrq_u32(a.part[0], a.part[1]), vorrq_u32(a.part[2], a.part[3]))) !=
         0;
}
inline VecF32 Select(Mask mask, VecF32 yes, VecF32 no) {
  return Parts<VecF32>([&](int i) { return vbslq_f32(mask.part[i], yes.part[i], no.part[i]); });
}
inline VecI32 Select(Mask mask, VecI32 yes, VecI32 no) {
  return Parts<VecI32>([&](int i) { return vbslq_s32(mask.part[i], yes.part[i], no.part[i]); });
}

inline VecI32 BitsOf(VecF32 a) {
  return Parts<VecI32>([&](int i) { return vreinterpretq_s32_f32(a.part[i]); });
}
inline VecF32 FloatFromBits(VecI32 a) {
  return Parts<VecF32>([&](int i) { return vreinterpretq_f32_s32(a.part[i]); });
}
inline VecF32 SwapNeighbours(VecF32 v) {
  return Parts<VecF32>([&](int i) { return vrev64q_f32(v.part[i]); });
}
inline VecF32 ToF32(VecI32 a) {
  return Parts<VecF32>([&](int i) { return vcvtq_f32_s32(a.part[i]); });
}
inline VecI32 RoundToI32(VecF32 a) {
  return Parts<VecI32>([&](int i) { return vcvtnq_s32_f32(a.part[i]); });
}
inline VecF32 RoundEven(VecF32 a) {
  return Parts<VecF32>([&](int i) { return vrndnq_f32(a.part[i]); });
}
inline VecF32 Fraction(VecF32 a) { return Sub(a, RoundEven(a)); }
// In two factors, each a normal number: the first product is exact, so only the second rounds.
inline VecF32 ScaleByPowerOf2(VecF32 a, VecF32 n) {
  const VecI32 whole = RoundToI32(n);
  const VecI32 half = Parts<VecI32>([&](int i) { return vshrq_n_s32(whole.part[i], 1); });
  const VecI32 bias = SetI32(127);
  const VecF32 first = FloatFromBits(ShiftLeft<23>(Add(half, bias)));
  const VecF32 second = FloatFromBits(ShiftLeft<23>(Add(Sub(whole, half), bias)));
  return Mul(Mul(a, first), second);
}
inline VecF32 ScalePositiveByPowerOf2(VecF32 a, VecF32 n) { return ScaleByPowerOf2(a, n); }

inline VecI8 PackI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  return {{Saturate16(a), Saturate16(b), Saturate16(c), Saturate16(d)}};
}

// Half a vector of bytes: 64 packed 4-bit numbers.
struct VecI4 {
  uint8x16_t part[2];
};

inline VecI4 PackI4(VecI8 v) {
  const auto clamped = [&](int i) {
    return vreinterpretq_u8_s8(vmaxq_s8(vminq_s8(v.part[i], vdupq_n_s8(7)), vdupq_n_s8(-8)));
  };
  // The even lanes keep their low nibble, the odd ones (vsli) go above it.
  const auto join = [](uint8x16_t x, uint8x16_t y) {
    return vsliq_n_u8(vuzp1q_u8(x, y), vuzp2q_u8(x, y), 4);
  };
  return {{join(clamped(0), clamped(1)), join(clamped(2), clamped(3))}};
}
inline VecI8 UnpackI4(VecI4 v) {
  return Parts<VecI8>([&](int i) {
    const uint8x16_t packed = v.part[i / 2];
    const int8x16_t low = vshrq_n_s8(vreinterpretq_s8_u8(vshlq_n_u8(packed, 4)), 4);
    const int8x16_t high = vshrq_n_s8(vreinterpretq_s8_u8(packed), 4);
    return i % 2 == 0 ? vzip1q_s8(low, high) : vzip2q_s8(low, high);
  });
}
inline VecI4 LoadI4(const uint8_t* p) { return {{vld1q_u8(p), vld1q_u8(p + 16)}}; }
inline VecI4 LoadI4(const uint8_t* p, size_t bytes) { return LoadVector<VecI4>(p, bytes); }
inline void Store(uint8_t* p, VecI4 v) {
  vst1q_u8(p, v.part[0]);
  vst1q_u8(p + 16, v.part[1]);
}
inline void Store(uint8_t* p, VecI4 v, size_t bytes) { __builtin_memcpy(p, &v, bytes); }
inline void StorePastCaches(uint8_t* p, VecI4 v) { Store(p, v); }

template <int kQuarter>
inline VecI32 Widen(VecI8 v) {
  return WidenI8(v.part[kQuarter]);
}

inline float ReduceSum(VecF32 v) {
  const float32x4_t v4 =
      vaddq_f32(vaddq_f32(v.part[0], v.part[2]), vaddq_f32(v.part[1], v.part[3]));
  const float32x2_t v2 = vadd_f32(vget_low_f32(v4), vget_high_f32(v4));
  return vget_lane_f32(v2, 0) + vget_lane_f32(v2, 1);
}
inline double ReduceProduct(VecF32 v) {
  const auto low = [](float32x4_t part) { return vcvt_f64_f32(vget_low_f32(part)); };
  const auto high = [](float32x4_t part) { return vcvt_high_f64_f32(part); };
  const float64x2_t a = vmulq_f64(vmulq_f64(low(v.part[0]), low(v.part[2])),
                                  vmulq_f64(low(v.part[1]), low(v.part[3])));
  const float64x2_t b = vmulq_f64(vmulq_f64(high(v.part[0]), high(v.part[2])),
                                  vmulq_f64(high(v.part[1]), high(v.part[3])));
  const float64x2_t v2 = vmulq_f64(a, b);
  return vgetq_lane_f64(v2, 0) * vgetq_lane_f64(v2, 1);
}
template <class Fn>
inline float ReduceLanes(VecF32 v, Fn better) {
  const auto pick = [&](float32x4_t a, float32x4_t b) { return vbslq_f32(better(a, b), a, b); };
  const float32x4_t v4 = pick(pick(v.part[0], v.part[2]), pick(v.part[1], v.part[3]));
  const float32x4_t v2 = pick(v4, vextq_f32(v4, v4, 2));
  return vgetq_lane_f32(pick(v2, vextq_f32(v2, v2, 1)), 0);
}
inline float ReduceMax(VecF32 v) {
  return ReduceLanes(v, [](float32x4_t a, float32x4_t b) { return vcgtq_f32(a, b); });
}
inline float ReduceMin(VecF32 v) {
  return ReduceLanes(v, [](float32x4_t a, float32x4_t b) { return vcltq_f32(a, b); });
}
inline int32_t ReduceSum(VecI32 v) {
  return vaddvq_s32(vaddq_s32(vaddq_s32(v.part[0], v.part[1]), vaddq_s32(v.part[2], v.part[3])));
}
inline int32_t ReduceMax(VecI32 v) {
  return vmaxvq_s32(vmaxq_s32(vmaxq_s32(v.part[0], v.part[1]), vmaxq_s32(v.part[2], v.part[3])));
}
inline int16_t ReduceMax(VecI16 v) {
  return vmaxvq_s16(vmaxq_s16(vmaxq_s16(v.part[0], v.part[1]), vmaxq_s16(v.part[2], v.part[3])));
}

}  // namespace anyacl::ANYACL_ISA
