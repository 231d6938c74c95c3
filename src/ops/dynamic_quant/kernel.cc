// SPDX-License-Identifier: Apache-2.0
// Two passes over a row: the extremes, then the quotients. The second multiplies by the reciprocal,
// and divides only where that could round to another integer than the definition.
//
// Symmetric rows without smooth scales. Q |x| / max is the ratio of integers Q a / (b 2^e), where a
// and b are significands below 2^11; if it is not half an odd number, it is further from one than
// 1 / (2 Q a) > 2^-19 of itself. The defined quotient, rounded twice, has an error of 2^-23 of it;
// the product with 1 / scale, made 2^-21 larger or smaller, less than 2^-20. So both round to the
// same integer. It is half an odd number only if 2 |x| = max, as Q is a prime, or if Q divides b
// (which shows in max / Q being exact, and has the row treated as the others). For 2 |x| = max the
// reciprocal is made larger if the definition rounds upwards, smaller if not.
//
// Other rows, in fixed point. With k = 2^16 / scale and c = 2^16 * offset + 2^15 + w, the integer i
// next to v * k + c is the defined quotient X = fl(fl(v / scale) + offset), times 2^16, plus
// 2^15 + w, with an error below w. The high half of i - w is then rint(X), unless X lies within
// 2 w / 2^16 of a half-integer, which shows in the low half of i being less than 2 w; and the high
// half of i is the same if not. The error, in units of 2^-16, for |v / scale| <= B and
// |offset| <= B + Q:
//   k, the product and the defined quotient:  2^-24 each of B * 2^16              3 B / 256
//   c and the defined sum                     2^-24 of (B + Q + 1) * 2^16         (B + 129) / 256 +
//   the sum, below 2^24, and its conversion                                       kSumError
// Symmetric rows have B = Q = 127, c exact and no defined sum. In normally distributed rows one
// block of 64 in 200 is divided, asymmetric one in 150.
#include "ops/dynamic_quant/kernel.h"

#include "simd/quantize.h"

namespace anyacl::ANYACL_ISA {
namespace {

using dynamic_quant::Form;
using dynamic_quant::Row;
using dynamic_quant::RowKernel;

constexpr int64_t kBlock = 64;
constexpr int64_t kMaxKept = 16384;  // 64 KiB, on the stack
constexpr float kInfinity = __builtin_inff();
constexpr float kNaN = __builtin_nanf("");
constexpr float kOne16 = 65536.0f;  // 1 in fixed point

template <Element kTarget>
constexpr float kQ = kTarget == Element::kInt8 ? 127.0f : 7.0f;
template <Element kTarget>
constexpr float kR = kTarget == Element::kInt8 ? 255.0f : 15.0f;

bool IsNan(float x) { return x != x; }

// Copies `step` apart, filled up to a block with copies of the first if there are fewer.
inline void Gather(const uint16_t* from, int64_t step, int64_t count, uint16_t* block) {
  for (int64_t i = 0; i < kBlock; ++i) block[i] = from[(i < count ? i : 0) * step];
}

// fn.template operator()<kWhole>(column, x, smooth) for each block of 64 columns. Blocks that are
// strided or, as the last, cut short are gathered and not kWhole. (Row by value: bytes that fn
// stores cannot change it.)
template <bool kSmooth, bool kDense, class Fn>
[[gnu::always_inline]] inline void ForEachBlock(Row row, Fn fn) {
  int64_t j = 0;
  if constexpr (kDense) {
    for (; j + kBlock <= row.cols; j += kBlock) {
      fn.template operator()<true>(j, row.x + j, kSmooth ? row.smooth + j : nullptr);
    }
  }
  for (; j < row.cols; j += kBlock) {
    uint16_t x[kBlock], smooth[kBlock];
    Gather(row.x + j * row.x_step, row.x_step, row.cols - j, x);
    if (kSmooth) {
      Gather(row.smooth + j * row.smooth_step, row.smooth_step, row.cols - j, smooth);
    }
    fn.template operator()<false>(j, x, smooth);
  }
}

// 64 elements as fp32. bf16 come as even, odd, even, odd lanes, which takes one operation for each
// vector; fp16 come in order.
struct Values {
  VecF32 a, b, c, d;
};

template <Element kSource>
Values LoadValues(const uint16_t* x) {
  if constexpr (kSource == Element::kBf16) {
    const auto* pairs = reinterpret_cast<const int32_t*>(x);
    const VecI32 low = Load(pairs);
    const VecI32 high = Load(pairs + kLanes);
    const VecI32 upper = SetI32(static_cast<int32_t>(0xffff0000u));
    return {FloatFromBits(ShiftLeft<16>(low)), FloatFromBits(And(low, upper)),
            FloatFromBits(ShiftLeft<16>(high)), FloatFromBits(And(high, upper))};
  } else {
    return {LoadFp16(x), LoadFp16(x + kLanes), LoadFp16(x + 2 * kLanes), LoadFp16(x + 3 * kLanes)};
  }
}

template <Element kSource, bool kSmooth>
Values LoadProducts(const uint16_t* x, const uint16_t* smooth) {
  Values v = LoadValues<kSource>(x);
  if constexpr (kSmooth) {
    const Values s = LoadValues<kSource>(smooth);
    v = {Mul(v.a, s.a), Mul(v.b, s.b), Mul(v.c, s.c), Mul(v.d, s.d)};
  }
  return v;
}

// Whether the second pass loads the products that the first has stored, in cache: converting fp16
// takes two cycles a vector on Zen 4, which makes that a quarter faster; not so for bf16.
template <Element kSource, bool kSmooth, bool kDense>
constexpr bool kKeepsProducts = (kSource == Element::kFp16) && kSmooth&& kDense;

Values LoadKept(const float* kept) {
  return {Load(kept), Load(kept + kLanes), Load(kept + 2 * kLanes), Load(kept + 3 * kLanes)};
}
void Keep(const Values& v, float* kept) {
  Store(kept, v.a);
  Store(kept + kLanes, v.b);
  Store(kept + 2 * kLanes, v.c);
  Store(kept + 3 * kLanes, v.d);
}

// A byte of each of what was computed from Values, in the order of the elements.
template <int kByte, Element kSource>
VecI8 BytesInOrder(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  return Bytes<kByte, kSource == Element::kBf16>(a, b, c, d);
}

// For symmetric rows only max, the largest magnitude. NaN if any value is, but not for rows with
// smooth scales: they leave that to the second pass, to which a NaN looks near a half-integer.
struct Extremes {
  float min;
  float max;
};

template <Element kSource>
float Widen(uint16_t bits) {
  if constexpr (kSource == Element::kBf16) return __builtin_bit_cast(float, uint32_t{bits} << 16);
  const uint16_t lanes[kLanes] = {bits};
  float widened[kLanes];
  Store(widened, LoadFp16(lanes));
  return widened[0];
}

// On the integer bits: 32 elements per instruction, and a NaN is larger than everything.
template <Element kSource, bool kAsymmetric, bool kDense>
Extremes FindExtremes16(const Row& row) {
  const VecI16 magnitude = SetI16(0x7fff);
  VecI16 max0 = SetI16(kAsymmetric ? INT16_MIN : 0), max1 = max0;
  VecI16 min0 = SetI16(INT16_MAX), min1 = min0;
  ForEachBlock<false, kDense>(row, [&]<bool>(int64_t, const uint16_t* x, const uint16_t*) {
    const auto* bits = reinterpret_cast<const int16_t*>(x);
    const VecI16 low = Load(bits);
    const VecI16 high = Load(bits + 2 * kLanes);
    if constexpr (kAsymmetric) {
      const VecI16 ordered_low = Ordered(low);
      const VecI16 ordered_high = Ordered(high);
      max0 = Max(max0, ordered_low);
      max1 = Max(max1, ordered_high);
      min0 = Min(min0, ordered_low);
      min1 = Min(min1, ordered_high);
    } else {
      max0 = Max(max0, And(low, magnitude));
      max1 = Max(max1, And(high, magnitude));
    }
  });
  const auto max = static_cast<uint16_t>(ReduceMax(Max(max0, max1)));
  if constexpr (!kAsymmetric) return {0.0f, Widen<kSource>(max)};
  const auto bits_of = [](int16_t ordered) {
    return static_cast<uint16_t>(ordered ^ (ordered < 0 ? 0x7fff : 0));
  };
  const float low = Widen<kSource>(bits_of(ReduceMin(Min(min0, min1))));
  const float high = Widen<kSource>(bits_of(static_cast<int16_t>(max)));
  // A negative NaN is the smallest integer and so the minimum, a positive one the maximum.
  if (IsNan(low)) return {low, low};
  if (IsNan(high)) return {high, high};
  return {low, high};
}

template <Element kSource, bool kAsymmetric, bool kDense>
Extremes FindExtremesOfProducts(const Row& row, float* kept) {
  VecF32 max0 = SetF32(kAsymmetric ? -kInfinity : 0.0f), max1 = max0;
  VecF32 min0 = SetF32(kInfinity), min1 = min0;
  ForEachBlock<true, kDense>(row, [&]<bool>(int64_t j, const uint16_t* x, const uint16_t* smooth) {
    const Values v = LoadProducts<kSource, true>(x, smooth);
    if (kKeepsProducts<kSource, true, kDense> && kept != nullptr) Keep(v, kept + j);
    if constexpr (kAsymmetric) {
      max0 = Max(Max(v.a, v.b), max0);
      max1 = Max(Max(v.c, v.d), max1);
      min0 = Min(Min(v.a, v.b), min0);
      min1 = Min(Min(v.c, v.d), min1);
    } else {
      max0 = LargerMagnitude(LargerMagnitude(max0, v.a), v.b);
      max1 = LargerMagnitude(LargerMagnitude(max1, v.c), v.d);
    }
  });
  return {ReduceMin(Min(min0, min1)), ReduceMax(Max(max0, max1))};
}

template <Element kSource, bool kAsymmetric, bool kSmooth, bool kDense>
Extremes FindExtremes(const Row& row, float* kept) {
  if constexpr (kSmooth) {
    return FindExtremesOfProducts<kSource, kAsymmetric, kDense>(row, kept);
  } else {
    return FindExtremes16<kSource, kAsymmetric, kDense>(row);
  }
}

enum class Method { kDivide, kFixedPoint, kMultiply };

// What the second pass needs.
struct Scaling {
  float scale;
  float offset;
  Method method;
  float reciprocal;
  int32_t near;  // 2 w
};

// 2 w, an integer; 0 if it would be so large that nearly every block held a value that near.
template <bool kAsymmetric>
int32_t NearHalf(float bound) {
  const float error =
      3.0f / 256.0f * bound + (kAsymmetric ? (bound + 129.0f) / 256.0f : 0.0f) + kSumError;
  return error < 4096.0f ? static_cast<int32_t>(2.0f * error) + 1 : 0;
}

template <Element kTarget, bool kAsymmetric, bool kSmooth>
Scaling MakeScaling(Extremes extremes) {
  constexpr float kQuantum = kQ<kTarget>;
  const float max = extremes.max;
  Scaling s{kNaN, kNaN, Method::kDivide, 0.0f, 0};
  if (IsNan(max)) return s;
  float bound = kQuantum;
  if constexpr (kAsymmetric) {
    const float step = (max - extremes.min) / kR<kTarget>;
    s.scale = IsNan(step) ? kInfinity : step < 1e-12f ? 1e-12f : step;  // NaN: inf - inf
    s.offset = kQuantum - max / s.scale;
    if (IsNan(s.offset)) s.offset = kNaN;
    const float low = __builtin_fabsf(extremes.min);
    const float high = __builtin_fabsf(max);
    bound = (low > high ? low : high) / s.scale * 1.001f;
  } else {
    s.scale = max / kQuantum;
    s.offset = 0.0f;
  }
  s.near = NearHalf<kAsymmetric>(bound);
  // The reciprocal, with every factor that it takes, must be a normal number.
  if (!(s.scale > 0x1p-100f && s.scale < 0x1p100f) || s.near == 0) return s;
  s.method = Method::kFixedPoint;
  s.reciprocal = 1.0f / s.scale;
  const bool exact = static_cast<double>(s.scale) * kQuantum == max;
  if (!kAsymmetric && !kSmooth && !exact) {
    s.method = Method::kMultiply;
    s.reciprocal *= max / 2.0f / s.scale < kQuantum / 2.0f ? 1.0f - 0x1p-21f : 1.0f + 0x1p-21f;
  }
  return s;
}

// One vector by the definition, as fixed point.
template <Element kTarget, bool kAsymmetric>
VecI32 Divide(VecF32 v, const Scaling& s) {
  // A symmetric scale of 0 stands for y = 0.
  VecF32 quotient = Div(v, SetF32(s.scale == 0.0f ? kInfinity : s.scale));
  if (kAsymmetric) quotient = Add(quotient, SetF32(s.offset));
  quotient = Select(Equal(quotient, quotient), quotient, SetF32(0.0f));
  quotient = Max(Min(quotient, SetF32(kQ<kTarget>)), SetF32(-kQ<kTarget> - 1.0f));
  return ShiftLeft<16>(RoundToI32(quotient));
}

// Loads the block again: values kept for a call that hardly ever happens would be spilled always.
// Clears `*numbers` if there is a NaN.
template <Element kSource, Element kTarget, bool kAsymmetric, bool kSmooth>
[[gnu::noinline]] VecI8 DivideBlock(const uint16_t* x, const uint16_t* smooth, const Scaling& s,
                                    bool* numbers) {
  const Values v = LoadProducts<kSource, kSmooth>(x, smooth);
  const Mask ab = And(Equal(v.a, v.a), Equal(v.b, v.b));
  const Mask cd = And(Equal(v.c, v.c), Equal(v.d, v.d));
  if (kSmooth && Any(Not(And(ab, cd)))) *numbers = false;
  return BytesInOrder<2, kSource>(
      Divide<kTarget, kAsymmetric>(v.a, s), Divide<kTarget, kAsymmetric>(v.b, s),
      Divide<kTarget, kAsymmetric>(v.c, s), Divide<kTarget, kAsymmetric>(v.d, s));
}

template <Element kTarget, bool kDense, bool kWhole>
void StoreBlock(const Row& row, int64_t column, VecI8 q, bool past_caches) {
  const int64_t left = row.cols - column;
  const auto count = static_cast<size_t>(kWhole || left >= kBlock ? kBlock : left);
  if constexpr (kTarget == Element::kInt8) {
    auto* y = reinterpret_cast<int8_t*>(row.y);
    if constexpr (kWhole) {
      past_caches ? StorePastCaches(y + column, q) : Store(y + column, q);
    } else if constexpr (kDense) {
      Store(y + column, q, count);
    } else {
      int8_t bytes[kBlock];
      Store(bytes, q);
      for (size_t i = 0; i < count; ++i) {
        y[(column + static_cast<int64_t>(i)) * row.y_step] = bytes[i];
      }
    }
  } else {
    const VecI4 packed = PackI4(q);
    if constexpr (kWhole) {
      past_caches ? StorePastCaches(row.y + column / 2, packed) : Store(row.y + column / 2, packed);
    } else if constexpr (kDense) {
      Store(row.y + column / 2, packed, (count + 1) / 2);
    } else {
      unsigned char bytes[kBlock / 2];
      Store(bytes, packed);
      for (size_t i = 0; i < count / 2; ++i) {
        const auto word = (column + static_cast<int64_t>(2 * i)) / 8;
        row.y[word * row.y_step * 4 + static_cast<int64_t>(i % 4)] = bytes[i];
      }
    }
  }
}

// Rounded where the sum's last bit is 1.
inline VecI32 RoundInLowHalf(VecF32 v, VecF32 factor) {
  return BitsOf(MulAddEither(v, factor, SetF32(0x1.8p23f)));
}

// The same block of the next row into L1, and of the one behind that into L2: L1 alone has too few
// misses in flight for memory (2 threads at 45 instead of 42 GB/s, smooth 38 instead of 33).
[[gnu::always_inline]] inline void PrefetchNextRows(const uint16_t* x, int64_t cols) {
  for (int64_t i = 0; i < kBlock; i += kBlock / 2) {
    PrefetchL1(x + cols + i);
    PrefetchL2(x + 2 * cols + i);
  }
}

// False if there is a NaN.
template <Element kSource, Element kTarget, bool kAsymmetric, bool kSmooth, bool kDense>
bool QuantizeColumns(Row row, const Scaling& s, const float* kept, bool past_caches) {
  constexpr auto kDivideBlock = DivideBlock<kSource, kTarget, kAsymmetric, kSmooth>;
  bool numbers = true;
  const auto quantize = [&](auto method) {
    ForEachBlock<kSmooth, kDense>(
        row, [&]<bool kWhole>(int64_t column, const uint16_t* x, const uint16_t* smooth) {
          if (kWhole && past_caches) PrefetchNextRows(x, row.cols);
          StoreBlock<kTarget, kDense, kWhole>(row, column, method(column, x, smooth), past_caches);
        });
  };
  if (s.method == Method::kDivide) {
    quantize([&](int64_t, const uint16_t* x, const uint16_t* smooth) {
      return kDivideBlock(x, smooth, s, &numbers);
    });
  } else if (!kAsymmetric && !kSmooth && s.method == Method::kMultiply) {
    const VecF32 k = SetF32(s.reciprocal);
    quantize([&](int64_t, const uint16_t* x, const uint16_t*) {
      const Values v = LoadValues<kSource>(x);
      return BytesInOrder<0, kSource>(RoundInLowHalf(v.a, k), RoundInLowHalf(v.b, k),
                                      RoundInLowHalf(v.c, k), RoundInLowHalf(v.d, k));
    });
  } else {
    const VecF32 k = SetF32(s.reciprocal * kOne16);
    const VecF32 c = SetF32(s.offset * kOne16 + (kOne16 / 2 + static_cast<float>(s.near) / 2));
    quantize([&](int64_t column, const uint16_t* x, const uint16_t* smooth) {
      Values v;
      if (kKeepsProducts<kSource, kSmooth, kDense> && kept != nullptr) {
        v = LoadKept(kept + column);
      } else {
        v = LoadProducts<kSource, kSmooth>(x, smooth);
      }
      const VecI32 a = NearI32(MulAddEither(v.a, k, c));
      const VecI32 b = NearI32(MulAddEither(v.b, k, c));
      const VecI32 e = NearI32(MulAddEither(v.c, k, c));
      const VecI32 f = NearI32(MulAddEither(v.d, k, c));
      const VecI8 q = BytesInOrder<2, kSource>(a, b, e, f);
      if (__builtin_expect(AnyLowHalfBelow(a, b, e, f, s.near), 0)) {
        return kDivideBlock(x, smooth, s, &numbers);
      }
      return q;
    });
  }
  return numbers;
}

template <Element kSource, Element kTarget, bool kAsymmetric, bool kSmooth, bool kDense>
void QuantizeRowOf(const Row& row, bool past_caches) {
  constexpr auto kQuantize = QuantizeColumns<kSource, kTarget, kAsymmetric, kSmooth, kDense>;
  constexpr bool kKeeps = kKeepsProducts<kSource, kSmooth, kDense>;
  alignas(kVectorBytes) float products[kKeeps ? kMaxKept : 1];
  float* kept = kKeeps && row.cols <= kMaxKept ? products : nullptr;
  Scaling s = MakeScaling<kTarget, kAsymmetric, kSmooth>(
      FindExtremes<kSource, kAsymmetric, kSmooth, kDense>(row, kept));
  if (!kQuantize(row, s, kept, past_caches)) {
    s = {kNaN, kNaN, Method::kDivide, 0.0f, 0};
    kQuantize(row, s, kept, past_caches);
  }
  *row.scale = s.scale;
  if (kAsymmetric) *row.offset = s.offset;
}

template <Element kSource, Element kTarget, bool kAsymmetric, bool kSmooth>
void QuantizeRow(const Row& row) {
  const bool dense = row.x_step == 1 && row.y_step == 1 && (!kSmooth || row.smooth_step == 1);
  if (!dense) return QuantizeRowOf<kSource, kTarget, kAsymmetric, kSmooth, false>(row, false);
  const bool past_caches =
      row.past_caches && reinterpret_cast<uintptr_t>(row.y) % kVectorBytes == 0;
  QuantizeRowOf<kSource, kTarget, kAsymmetric, kSmooth, true>(row, past_caches);
  if (past_caches) FencePastCaches();
}

template <Element kSource, Element kTarget>
RowKernel Select(bool asymmetric, bool smooth) {
  if (asymmetric) {
    return smooth ? QuantizeRow<kSource, kTarget, true, true>
                  : QuantizeRow<kSource, kTarget, true, false>;
  }
  return smooth ? QuantizeRow<kSource, kTarget, false, true>
                : QuantizeRow<kSource, kTarget, false, false>;
}

template <Element kSource>
RowKernel Select(const Form& form) {
  return form.target == Element::kInt8
             ? Select<kSource, Element::kInt8>(form.asymmetric, form.smooth)
             : Select<kSource, Element::kInt4>(form.asymmetric, form.smooth);
}

RowKernel SelectRow(const Form& form) {
  return form.source == Element::kBf16 ? Select<Element::kBf16>(form)
                                       : Select<Element::kFp16>(form);
}

}  // namespace

extern constinit const dynamic_quant::KernelSet kDynamicQuantKernels;
constinit const dynamic_quant::KernelSet kDynamicQuantKernels = {.select_row = SelectRow};

}  // namespace anyacl::ANYACL_ISA
