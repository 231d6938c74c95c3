// SPDX-License-Identifier: Apache-2.0
// Elementary functions of fp32 vectors beyond those of math.h, written once over the operations of
// simd.h: the same bits on every tier. The error bounds are those that tests/simd measures. What
// they do with infinities, zeros and NaN is what IEC 60559 says, unless a comment says otherwise.
#pragma once

#include "base/wide.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

inline VecF32 SignOf(VecF32 x) { return FloatFromBits(And(BitsOf(x), SetI32(INT32_MIN))); }
inline VecF32 WithSign(VecF32 magnitude, VecF32 sign) {
  return FloatFromBits(Or(BitsOf(magnitude), BitsOf(sign)));
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)), for positive finite x, denormals included.
struct FloatParts {
  VecF32 mantissa;
  VecF32 exponent;
};

inline FloatParts SplitFloat(VecF32 x) {
  const Mask denormal = Less(x, SetF32(0x1p-126f));
  const VecF32 normal = Select(denormal, Mul(x, SetF32(0x1p24f)), x);
  // The exponent changes where the mantissa passes sqrt(1/2) = 0x1.6a09e6p-1.
  const VecI32 above = Sub(BitsOf(normal), SetI32(0x3f3504f3));
  // An arithmetic shift, of which there is none: by 127 more, it is a logical one.
  const VecI32 steps = Sub(ShiftRight<23>(Add(above, SetI32(127 << 23))), SetI32(127));
  const VecF32 mantissa = FloatFromBits(Sub(BitsOf(normal), ShiftLeft<23>(steps)));
  const VecF32 exponent = Sub(ToF32(steps), Select(denormal, SetF32(24.0f), SetF32(0.0f)));
  return {mantissa, exponent};
}

// A logarithm of x, which is y where x is positive and finite.
inline VecF32 WithEndsOfLog(VecF32 x, VecF32 y) {
  const float infinity = __builtin_inff();
  y = Select(Equal(x, SetF32(infinity)), x, y);
  y = Select(Equal(x, SetF32(0.0f)), SetF32(-infinity), y);
  return Select(LessEqual(SetF32(0.0f), x), y, SetF32(__builtin_nanf("")));
}

// Natural logarithm, at most 1 ulp.
inline VecF32 Log(VecF32 x) {
  const FloatParts parts = SplitFloat(x);
  const VecF32 r = Sub(parts.mantissa, SetF32(1.0f));
  const VecF32 square = Mul(r, r);
  // log(1 + r) = r - r^2 / 2 + r^3 P(r), minimax on [sqrt(1/2) - 1, sqrt(2) - 1].
  VecF32 p = SetF32(7.0376836292e-2f);
  p = Fma(p, r, SetF32(-1.1514610310e-1f));
  p = Fma(p, r, SetF32(1.1676998740e-1f));
  p = Fma(p, r, SetF32(-1.2420140846e-1f));
  p = Fma(p, r, SetF32(1.4249322787e-1f));
  p = Fma(p, r, SetF32(-1.6668057665e-1f));
  p = Fma(p, r, SetF32(2.0000714765e-1f));
  p = Fma(p, r, SetF32(-2.4999993993e-1f));
  p = Fma(p, r, SetF32(3.3333331174e-1f));
  // The upper part of ln 2 has 15 bits: its product with the exponent is exact.
  VecF32 low = Mul(Mul(r, square), p);
  low = Fma(parts.exponent, SetF32(0x1.7f7d1cp-20f), low);
  low = Fma(square, SetF32(-0.5f), low);
  const VecF32 high = Mul(parts.exponent, SetF32(0x1.62e4p-1f));
  // high + r loses bits of r, which go into the lower part.
  const VecF32 sum = Add(high, r);
  const VecF32 lost = Sub(r, Sub(sum, high));
  VecF32 y = Add(sum, Add(low, lost));
  return WithEndsOfLog(x, y);
}

// 1 / (1 + e^-x), at most 3 ulp. With t = -|x| nothing overflows:
//   x >= 0: 1 / (1 + e^t)        x < 0: e^t / (1 + e^t)
inline VecF32 Sigmoid(VecF32 x) {
  const VecF32 e = Exp(NegAbs(x));
  const VecF32 one = SetF32(1.0f);
  return Div(Select(Less(x, SetF32(0.0f)), e, one), Add(one, e));
}

// e^x - 1 = 2^n inner + (2^n - 1) with inner = e^r - 1, of ReduceByLn2.
struct Expm1Parts {
  VecF32 inner;
  VecF32 n;
};

inline Expm1Parts SplitExpm1(VecF32 x) {
  const auto [n, r] = ReduceByLn2(x);
  // e^r - 1 = r + r^2 P(r), minimax in the relative error: 2^-26.2.
  VecF32 p = SetF32(0x1.6bebb2p-10f);
  p = Fma(p, r, SetF32(0x1.122792p-7f));
  p = Fma(p, r, SetF32(0x1.555674p-5f));
  p = Fma(p, r, SetF32(0x1.5554bp-3f));
  p = Fma(p, r, SetF32(0x1.fffffep-2f));
  return {Fma(p, Mul(r, r), r), n};
}

// Both summands together, for n < 128. To 2^24 the second one is exact; beyond, the 1 is at most
// half of the last place.
inline VecF32 Together(const Expm1Parts& parts) {
  const VecF32 one = SetF32(1.0f);
  const VecF32 power = ScalePositiveByPowerOf2(one, parts.n);
  return Fma(parts.inner, power, Sub(power, one));
}

// (e^2x - 1) / (e^2x + 1), at most 2.5 ulp.
inline VecF32 Tanh(VecF32 x) {
  // From 10 on it is 1; Min takes the second operand where one is NaN.
  const VecF32 held = Min(SetF32(10.0f), Abs(x));
  const VecF32 above = Together(SplitExpm1(Add(held, held)));
  return WithSign(Div(above, Add(above, SetF32(2.0f))), SignOf(x));
}

// x (1 + tanh u) / 2 = x / (1 + e^-2u) with u = sqrt(2 / pi) (x + 0.044715 x^3). The error of 2u is
// that of e^-2u, relative to it: at most 3 ulp where x > -1, growing to 2^-22 |2u| of the result.
inline VecF32 GeluTanh(VecF32 x) {
  const VecF32 square = Mul(x, x);
  const VecF32 twice = Mul(x, Fma(square, SetF32(0x1.2444f2p-4f), SetF32(0x1.988454p+0f)));
  const ExpParts parts = SplitExp(Max(SetF32(-120.0f), NegAbs(twice)));
  // Below -20 the result is 0, for -infinity too.
  const VecF32 held = Max(SetF32(-20.0f), x);
  const VecF32 scaled = ScaleByPowerOf2(Mul(held, parts.mantissa), parts.exponent);
  const VecF32 numerator = Select(Less(x, SetF32(0.0f)), scaled, x);
  const VecF32 power = ScalePositiveByPowerOf2(parts.mantissa, parts.exponent);
  const VecF32 denominator = Add(SetF32(1.0f), power);
  return Div(numerator, denominator);
}

// x = quadrant * pi / 2 + r with |r| < 0.79.
struct Angle {
  VecF32 r;
  VecI32 quadrant;
};

// |x| up to here is reduced by three parts of pi / 2: the quadrant has 16 bits, so its product with
// the first part, and the first difference, are exact.
inline constexpr float kSmallAngle = 0x1p16f;

// Larger ones: the bits of 2 / pi that matter for the exponent of x, times its mantissa (Payne and
// Hanek 1983). At least 97 bits of it leave 71 below the point, and no fp32 number comes closer
// than 2^-30 to a multiple of pi / 2.
[[gnu::noinline]] inline void ReduceLargeAngles(const float* x, float* r, int32_t* quadrant) {
  static constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                            0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  for (size_t i = 0; i < kLanes; ++i) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, x[i]) & 0x7fffffffu;
    const int exponent = static_cast<int>(bits >> 23) - 150;  // x = mantissa * 2^exponent
    if (bits < 0x47800000u || bits >= 0x7f800000u) {
      r[i] = x[i] - x[i];  // NaN of what is not finite; the others are reduced elsewhere
      quadrant[i] = 0;
      continue;
    }
    const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    // 2 / pi from the bit of weight 2^(1 - exponent) on: above it are multiples of 4 of the result.
    const int first = exponent + 30;  // that bit's place in the words, the point being at 32
    const int word = first / 32, shift = first % 32;
    const auto at = [&](int k) { return k < 8 ? kTwoOverPi[k] : 0u; };
    UInt128 window = 0;
    for (int k = 0; k < 4; ++k) window = window << 32 | at(word + k);
    window <<= shift;  // what leaves at the top does not matter
    // 128 bits with two above the point, of which those that the product reaches are kept.
    const UInt128 product = (window >> 24) * mantissa << 24;
    const auto top = static_cast<uint64_t>(product >> 64);
    uint32_t q = static_cast<uint32_t>(top >> 62);
    const auto fraction = static_cast<int64_t>(top << 2);  // of a quadrant, as a signed number
    if (fraction < 0) ++q;
    const double angle = static_cast<double>(fraction) * (0x1.921fb54442d18p0 * 0x1p-64);
    const bool negative = x[i] < 0.0f;
    r[i] = static_cast<float>(negative ? -angle : angle);
    quadrant[i] = static_cast<int32_t>(negative ? 0u - q : q);
  }
}

inline Angle ReduceAngle(VecF32 x) {
  const VecF32 n = RoundEven(Mul(x, SetF32(0x1.45f306p-1f)));
  VecF32 r = Fma(n, SetF32(-0x1.921fb6p+0f), x);
  r = Fma(n, SetF32(0x1.777a5cp-25f), r);
  r = Fma(n, SetF32(0x1.ee59dap-50f), r);
  Angle angle = {r, RoundToI32(n)};
  const Mask small = LessEqual(Abs(x), SetF32(kSmallAngle));
  if (__builtin_expect(Any(Not(small)), 0)) {
    float xs[kLanes], rs[kLanes];
    int32_t quadrants[kLanes];
    Store(xs, x);
    ReduceLargeAngles(xs, rs, quadrants);
    angle.r = Select(small, angle.r, Load(rs));
    angle.quadrant = Select(small, angle.quadrant, Load(quadrants));
  }
  return angle;
}

struct SineAndCosine {
  VecF32 sine;
  VecF32 cosine;
};

// Of |r| < 0.79.
inline SineAndCosine SinCosOfReduced(VecF32 r) {
  const VecF32 square = Mul(r, r);
  VecF32 sine = SetF32(-1.9515295891e-4f);
  sine = Fma(sine, square, SetF32(8.3321608736e-3f));
  sine = Fma(sine, square, SetF32(-1.6666654611e-1f));
  sine = Fma(Mul(sine, square), r, r);
  VecF32 cosine = SetF32(2.443315711809948e-5f);
  cosine = Fma(cosine, square, SetF32(-1.388731625493765e-3f));
  cosine = Fma(cosine, square, SetF32(4.166664568298827e-2f));
  cosine = Fma(cosine, Mul(square, square), Fma(square, SetF32(-0.5f), SetF32(1.0f)));
  return {sine, cosine};
}

inline Mask IsEven(VecI32 quadrant) { return Equal(And(quadrant, SetI32(1)), SetI32(0)); }

inline VecF32 SinOfQuadrant(Angle angle) {
  const SineAndCosine both = SinCosOfReduced(angle.r);
  const VecI32 sign = ShiftLeft<30>(And(angle.quadrant, SetI32(2)));
  return FloatFromBits(Xor(BitsOf(Select(IsEven(angle.quadrant), both.sine, both.cosine)), sign));
}

// At most 2 ulp for every finite x; NaN of infinities.
inline VecF32 Sin(VecF32 x) {
  const VecF32 y = SinOfQuadrant(ReduceAngle(x));
  return Select(Equal(x, SetF32(0.0f)), x, y);  // keeps the sign of 0
}
inline VecF32 Cos(VecF32 x) {
  Angle angle = ReduceAngle(x);
  angle.quadrant = Add(angle.quadrant, SetI32(1));
  return SinOfQuadrant(angle);
}

// high + low, the sum of two numbers without a loss where |a| >= |b|.
struct DoubleF32 {
  VecF32 high;
  VecF32 low;
};

// log2 x of positive finite x, to 2^-29 of it.
inline DoubleF32 LogBase2(VecF32 x) {
  const FloatParts parts = SplitFloat(x);
  const VecF32 m = parts.mantissa;
  const VecF32 one = SetF32(1.0f);
  // s = (m - 1) / (m + 1), |s| < 0.1716, with the remainder of the division as its lower part.
  const VecF32 above = Sub(m, one);
  const VecF32 sum = Add(m, one);
  const VecF32 sum_low = Sub(m, Sub(sum, one));
  const VecF32 s = Div(above, sum);
  const VecF32 s_low = Div(Fma(Neg(s), sum_low, Fma(Neg(s), sum, above)), sum);
  // ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...); the rest after s is below a hundredth.
  const VecF32 square = Mul(s, s);
  VecF32 p = SetF32(1.0f / 9);
  p = Fma(p, square, SetF32(1.0f / 7));
  p = Fma(p, square, SetF32(1.0f / 5));
  p = Fma(p, square, SetF32(1.0f / 3));
  const VecF32 rest = Fma(Mul(p, square), s, s_low);
  // Times 2 / ln 2, in two parts.
  const VecF32 factor = SetF32(0x1.715476p+1f);
  const VecF32 high = Mul(s, factor);
  VecF32 low = Fma(s, factor, Neg(high));
  low = Fma(s, SetF32(0x1.4ae0cp-25f), low);
  low = Fma(rest, factor, low);
  // The exponent is 0 or larger than the logarithm of the mantissa.
  const VecF32 total = Add(parts.exponent, high);
  const VecF32 lost = Add(Sub(parts.exponent, total), high);
  low = Add(low, lost);
  const VecF32 y = Add(total, low);
  return {y, Add(Sub(total, y), low)};
}

// x^y of x > 0 that is finite and of finite y: 2^(y log2 x).
inline VecF32 PowOfPositive(VecF32 x, VecF32 y) {
  const DoubleF32 log = LogBase2(x);
  const VecF32 product = Mul(y, log.high);
  const VecF32 low = Fma(y, log.low, Fma(y, log.high, Neg(product)));
  const Mask ordinary = Less(Abs(product), SetF32(190.0f));
  // Min and Max take the second operand where one is NaN.
  const VecF32 whole = Min(SetF32(190.0f), Max(SetF32(-190.0f), product));
  const VecF32 n = RoundEven(whole);
  const VecF32 f = Add(Sub(whole, n), Select(ordinary, low, SetF32(0.0f)));
  const ExpParts parts = SplitExp(Mul(f, SetF32(0x1.62e43p-1f)));
  return ScalePositiveByPowerOf2(parts.mantissa, Add(parts.exponent, n));
}

// x^y, at most 3 ulp.
inline VecF32 Pow(VecF32 x, VecF32 y) {
  const float infinity = __builtin_inff();
  const VecF32 zero = SetF32(0.0f), one = SetF32(1.0f), inf = SetF32(infinity);
  const VecF32 size = Abs(x);
  VecF32 power = PowOfPositive(size, y);
  // 0 and infinity to any power, and any power of infinity.
  const Mask negative = Less(y, zero);
  const Mask below = Less(size, one);
  const Mask grows = Or(And(below, negative), And(Not(below), Not(negative)));
  const Mask extreme = Or(Or(Equal(size, zero), Equal(size, inf)), Equal(Abs(y), inf));
  power = Select(extreme, Select(grows, inf, zero), power);
  power = Select(Equal(size, one), one, power);
  // Of negative numbers: odd powers are negative, and there are whole powers only.
  const Mask whole = Equal(y, RoundEven(y));
  const VecF32 half = Mul(y, SetF32(0.5f));
  const Mask odd = And(whole, Not(Equal(half, RoundEven(half))));
  power = Select(odd, WithSign(power, SignOf(x)), power);
  const VecF32 nan = SetF32(__builtin_nanf(""));
  const Mask finite_negative = And(Less(x, zero), Less(size, inf));
  power = Select(And(finite_negative, Not(whole)), nan, power);
  power = Select(And(Equal(x, x), Equal(y, y)), power, nan);
  return Select(Or(Equal(y, zero), Equal(x, one)), one, power);
}

}  // namespace anyacl::ANYACL_ISA
