// SPDX-License-Identifier: Apache-2.0
// The operations that fold elements, and how runs are read. NaN, once met, stays. Lanes(v) folds
// the lanes of a vector: lane l with lane l + 8, then l + 4, l + 2, l + 1.
#pragma once

#include "ops/reduction/kernel.h"
#include "simd/elementary.h"
#include "simd/ordered.h"

namespace anyacl::ANYACL_ISA {

// By Fold.
extern const reduction::FoldKernels<float> kFoldF32[];
extern const reduction::FoldKernels<double> kFoldF64[];
extern const reduction::FoldKernels<int64_t> kFoldI64[];

inline constexpr float kInfinity = __builtin_inff();

// Elements of a format from x + i, widened, in order.
template <class From>
struct Reader {
  const typename From::Bits* x;
  VecF32 operator()(int64_t i) const { return LoadElements(From(), x + i); }
  VecF32 operator()(int64_t i, size_t n) const { return LoadElements(From(), x + i, n); }
};

// Of lanes of which some are NaN: which of them, the instructions do not say.
template <class Op>
inline float NanOf(VecF32 v) {
  float lanes[kLanes];
  Store(lanes, v);
  for (size_t half = kLanes / 2; half > 0; half /= 2) {
    for (size_t l = 0; l < half; ++l) lanes[l] = Op::Of(lanes[l], lanes[l + half]);
  }
  return lanes[0];
}

struct SumOf {
  static constexpr bool kShifts = false;
  static constexpr float kIdentity = 0.0f;
  template <class T>
  static constexpr T Identity() {
    return 0;
  }
  static VecF32 Term(VecF32 x, VecF32) { return x; }
  static VecF32 Of(VecF32 a, VecF32 x) { return Add(a, x); }
  static float Of(float a, float x) { return a + x; }
  static float Lanes(VecF32 v) { return ReduceSum(v); }
  static double Of(double a, double x) { return a + x; }
  // Modulo 2^64.
  static int64_t Of(int64_t a, int64_t x) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(x));
  }
};

struct ExpSumOf : SumOf {
  static constexpr bool kShifts = true;
  static VecF32 Term(VecF32 x, VecF32 shift) { return Exp(Sub(x, shift)); }
};

struct DeviationsOf : SumOf {
  static constexpr bool kShifts = true;
  static VecF32 Term(VecF32 x, VecF32 shift) {
    const VecF32 d = Sub(x, shift);
    return Mul(d, d);
  }
};

struct SquaresOf : SumOf {
  static VecF32 Term(VecF32 x, VecF32) { return Mul(x, x); }
};

struct AbsSumOf : SumOf {
  static VecF32 Term(VecF32 x, VecF32) { return Abs(x); }
};

struct PowerSumOf : SumOf {
  static constexpr bool kShifts = true;
  // Not inlined: loops that are unrolled would hold it 50 times, and a call costs 1 % of it.
  [[gnu::noinline]] static VecF32 Term(VecF32 x, VecF32 shift) { return Pow(Abs(x), shift); }
};

// NaN is not 0.
struct NonZerosOf : SumOf {
  static VecF32 Term(VecF32 x, VecF32) {
    return Select(Equal(x, SetF32(0.0f)), SetF32(0.0f), SetF32(1.0f));
  }
};

struct NanSumOf : SumOf {
  static VecF32 Term(VecF32 x, VecF32) { return Select(Equal(x, x), x, SetF32(0.0f)); }
};

struct ProductOf {
  static constexpr bool kShifts = false;
  // Lanes are multiplied in double: they soon leave fp32, and a denormal takes 150 cycles (rows of
  // normally distributed numbers 81 us, of ones 48).
  static constexpr bool kWideLanes = true;
  static constexpr float kIdentity = 1.0f;
  template <class T>
  static constexpr T Identity() {
    return 1;
  }
  static VecF32 Term(VecF32 x, VecF32) { return x; }
  static VecF32 Of(VecF32 a, VecF32 x) { return Mul(a, x); }
  static float Of(float a, float x) { return a * x; }
  static double Lanes(VecF32 v) { return ReduceProduct(v); }
  static double Of(double a, double x) { return a * x; }
  // Modulo 2^64.
  static int64_t Of(int64_t a, int64_t x) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(x));
  }
};

struct MaxOf {
  static constexpr bool kShifts = false;
  static constexpr float kIdentity = -kInfinity;
  template <class T>
  static constexpr T Identity() {
    if constexpr (T(0.5) == T(0)) {
      return INT64_MIN;
    } else {
      return -kInfinity;
    }
  }
  static VecF32 Term(VecF32 x, VecF32) { return x; }
  static VecF32 Of(VecF32 a, VecF32 x) { return Select(Equal(a, a), Max(a, x), a); }
  static float Lanes(VecF32 v) { return Any(Not(Equal(v, v))) ? NanOf<MaxOf>(v) : ReduceMax(v); }
  template <class T>
  static T Of(T a, T x) {
    return a != a ? a : a > x ? a : x;
  }
};

struct MinOf {
  static constexpr bool kShifts = false;
  static constexpr float kIdentity = kInfinity;
  template <class T>
  static constexpr T Identity() {
    if constexpr (T(0.5) == T(0)) {
      return INT64_MAX;
    } else {
      return kInfinity;
    }
  }
  static VecF32 Term(VecF32 x, VecF32) { return x; }
  static VecF32 Of(VecF32 a, VecF32 x) { return Select(Equal(a, a), Min(a, x), a); }
  static float Lanes(VecF32 v) { return Any(Not(Equal(v, v))) ? NanOf<MinOf>(v) : ReduceMin(v); }
  template <class T>
  static T Of(T a, T x) {
    return a != a ? a : a < x ? a : x;
  }
};

struct LargestAbsOf : MaxOf {
  static constexpr float kIdentity = 0.0f;
  static VecF32 Term(VecF32 x, VecF32) { return Abs(x); }
};

struct SmallestAbsOf : MinOf {
  static VecF32 Term(VecF32 x, VecF32) { return Abs(x); }
};

}  // namespace anyacl::ANYACL_ISA
