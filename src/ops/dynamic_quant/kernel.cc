// SPDX-License-Identifier: Apache-2.0
// Two passes over a row: the extremes, then the quotients. The second multiplies by the reciprocal,
// in fixed point, and divides only where that could round to another integer than the definition.
//
// With k = 2^16 / scale and c = 2^16 * offset + 2^15 + w, the integer i next to v * k + c is the
// defined quotient X = fl(fl(v / scale) + offset), times 2^16, plus 2^15 + w, with an error below
// w. The high half of i - w is then rint(X), unless X lies within 2 w / 2^16 of a half-integer,
// which shows in the low half of i being less than 2 w; and the high half of i is the same if not.
// The error, in units of 2^-16, for |v / scale| <= B and |offset| <= B + Q:
//   k, the product and the defined quotient:  2^-24 each of B * 2^16              3 B / 256
//   c and the defined sum                     2^-24 of (B + Q + 1) * 2^16         (B + 129) / 256 +
//   1/2 the sum (below 2^24) and its conversion                                       1/2 + 1
// Symmetric rows have B = Q = 127, c exact and no defined sum: 2.99 < w = 4. In normally
// distributed rows one block of 64 in 130 is divided.
#include "ops/dynamic_quant/kernel.h"

#include "simd/quantize.h"

namespace anyacl::ANYACL_ISA {
namespace {

using dynamic_quant::Form;
using dynamic_quant::Row;
using dynamic_quant::RowKernel;
using dynamic_quant::Source;
using dynamic_quant::Target;

constexpr int64_t kBlock = 64;
constexpr float kInfinity = __builtin_inff();
constexpr float kOne16 = 65536.0f;  // 1 in fixed point

template <Target kTarget>
constexpr float kQ = kTarget == Target::kInt8 ? 127.0f : 7.0f;
template <Target kTarget>
constexpr float kR = kTarget == Target::kInt8 ? 255.0f : 15.0f;

bool IsNan(float x) { return x != x; }

// A row as blocks of 64 elements in memory. Strided elements, and the last block if it is cut
// short, are gathered, the latter filled up with copies of its first element.
template <bool kDense>
struct Blocks {
  const uint16_t* base;
  int64_t step;
  int64_t cols;
  uint16_t gathered[kBlock];

  Blocks(const uint16_t* base, int64_t step, int64_t cols) : base(base), step(step), cols(cols) {}

  const uint16_t* At(int64_t column) {
    const int64_t left = cols - column;
    if (kDense && left >= kBlock) return base + column;
    for (int64_t i = 0; i < kBlock; ++i) {
      gathered[i] = base[(column + (i < left ? i : 0)) * (kDense ? 1 : step)];
    }
    return gathered;
  }
};

// 64 elements as fp32. bf16 come as even, odd, even, odd lanes, which takes one operation for each
// vector; fp16 come in order.
struct Values {
  VecF32 a, b, c, d;
};

template <Source kSource>
Values LoadValues(const uint16_t* x) {
  if constexpr (kSource == Source::kBf16) {
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

// The high halves of what was computed from Values, in the order of the elements.
template <Source kSource>
VecI8 PackHigh(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  if constexpr (kSource == Source::kBf16) {
    return NarrowI8(HighHalves(a, b), HighHalves(c, d));
  } else {
    return HighHalvesI8(a, b, c, d);
  }
}

// The rows of x, and of the smooth scales if there are any.
template <Source kSource, bool kSmooth, bool kDense>
struct Input {
  Blocks<kDense> x;
  Blocks<kDense> smooth;

  explicit Input(const Row& row)
      : x(row.x, row.x_step, row.cols), smooth(row.smooth, row.smooth_step, row.cols) {}

  Values At(int64_t column) {
    Values v = LoadValues<kSource>(x.At(column));
    if constexpr (kSmooth) {
      const Values s = LoadValues<kSource>(smooth.At(column));
      v = {Mul(v.a, s.a), Mul(v.b, s.b), Mul(v.c, s.c), Mul(v.d, s.d)};
    }
    return v;
  }
};

// NaN if any value is; for symmetric rows only max, the largest magnitude.
struct Extremes {
  float min;
  float max;
};

template <Source kSource>
float Widen(uint16_t bits) {
  if constexpr (kSource == Source::kBf16) return __builtin_bit_cast(float, uint32_t{bits} << 16);
  const uint16_t lanes[kLanes] = {bits};
  float widened[kLanes];
  Store(widened, LoadFp16(lanes));
  return widened[0];
}

// On the integer bits: 32 elements per instruction, and a NaN is larger than everything.
template <Source kSource, bool kAsymmetric, bool kDense>
Extremes FindExtremes16(const Row& row) {
  Blocks<kDense> x(row.x, row.x_step, row.cols);
  const VecI16 magnitude = SetI16(0x7fff);
  VecI16 max0 = SetI16(kAsymmetric ? INT16_MIN : 0), max1 = max0;
  VecI16 min0 = SetI16(INT16_MAX), min1 = min0;
  for (int64_t j = 0; j < row.cols; j += kBlock) {
    const auto* bits = reinterpret_cast<const int16_t*>(x.At(j));
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
  }
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

// Of products. Their magnitudes' integer bits find NaN as well.
template <Source kSource, bool kAsymmetric, bool kDense>
Extremes FindExtremesOfProducts(const Row& row) {
  Input<kSource, true, kDense> input(row);
  VecI32 magnitude = SetI32(0);
  VecF32 min = SetF32(kInfinity);
  VecF32 max = SetF32(-kInfinity);
  for (int64_t j = 0; j < row.cols; j += kBlock) {
    const Values v = input.At(j);
    const VecI32 ab = Max(BitsOf(Abs(v.a)), BitsOf(Abs(v.b)));
    const VecI32 cd = Max(BitsOf(Abs(v.c)), BitsOf(Abs(v.d)));
    magnitude = Max(magnitude, Max(ab, cd));
    if constexpr (kAsymmetric) {
      min = Min(Min(Min(v.a, v.b), Min(v.c, v.d)), min);
      max = Max(Max(Max(v.a, v.b), Max(v.c, v.d)), max);
    }
  }
  const float largest = __builtin_bit_cast(float, ReduceMax(magnitude));
  if (!kAsymmetric || IsNan(largest)) return {largest, largest};
  return {ReduceMin(min), ReduceMax(max)};
}

template <Source kSource, bool kAsymmetric, bool kSmooth, bool kDense>
Extremes FindExtremes(const Row& row) {
  if constexpr (kSmooth) {
    return FindExtremesOfProducts<kSource, kAsymmetric, kDense>(row);
  } else {
    return FindExtremes16<kSource, kAsymmetric, kDense>(row);
  }
}

// What the second pass needs. `half_width` is w, 0 if every block must be divided.
struct Scaling {
  float scale;
  float offset;
  float bound;  // B
  int32_t half_width;
};

// The smallest power of two above the error; beyond 2^12 blocks without a division are rare.
int32_t HalfWidth(float bound) {
  const float error = (4.0f * bound + 129.0f) / 256.0f + 2.0f;
  for (int32_t w = 4; w <= 4096; w *= 2) {
    if (error < static_cast<float>(w)) return w;
  }
  return 0;
}

template <Target kTarget, bool kAsymmetric>
Scaling MakeScaling(Extremes extremes) {
  constexpr float kNaN = __builtin_nanf("");
  Scaling s{kNaN, kNaN, 0.0f, 0};
  if (IsNan(extremes.max)) return s;
  if constexpr (kAsymmetric) {
    const float step = (extremes.max - extremes.min) / kR<kTarget>;
    s.scale = IsNan(step) ? kInfinity : step < 1e-12f ? 1e-12f : step;  // NaN: inf - inf
    s.offset = kQ<kTarget> - extremes.max / s.scale;
    if (IsNan(s.offset)) s.offset = kNaN;
    const float low = __builtin_fabsf(extremes.min);
    const float high = __builtin_fabsf(extremes.max);
    s.bound = (low > high ? low : high) / s.scale * 1.001f;
  } else {
    s.scale = extremes.max / kQ<kTarget>;
    s.offset = 0.0f;
    s.bound = kQ<kTarget>;
  }
  // The reciprocal and k must be normal numbers.
  if (!(s.scale > 0x1p-100f && s.scale < 0x1p120f)) return s;
  s.half_width = kAsymmetric ? HalfWidth(s.bound) : 4;
  return s;
}

// One vector by the definition, as fixed point.
template <Target kTarget, bool kAsymmetric>
VecI32 Divide(VecF32 v, const Scaling& s) {
  // A symmetric scale of 0 stands for y = 0.
  VecF32 quotient = Div(v, SetF32(s.scale == 0.0f ? kInfinity : s.scale));
  if (kAsymmetric) quotient = Add(quotient, SetF32(s.offset));
  quotient = Select(Equal(quotient, quotient), quotient, SetF32(0.0f));
  quotient = Max(Min(quotient, SetF32(kQ<kTarget>)), SetF32(-kQ<kTarget> - 1.0f));
  return ShiftLeft<16>(RoundToI32(quotient));
}

// Reads the block again: values kept for a call that hardly ever happens would be spilled always.
template <Source kSource, Target kTarget, bool kAsymmetric, bool kSmooth, bool kDense>
[[gnu::noinline]] VecI8 DivideBlock(const Row& row, int64_t column, const Scaling& s) {
  const Values v = Input<kSource, kSmooth, kDense>(row).At(column);
  return PackHigh<kSource>(
      Divide<kTarget, kAsymmetric>(v.a, s), Divide<kTarget, kAsymmetric>(v.b, s),
      Divide<kTarget, kAsymmetric>(v.c, s), Divide<kTarget, kAsymmetric>(v.d, s));
}

// Columns 64 b to 64 b + 63 of the output, of which `count` exist.
template <Target kTarget, bool kDense>
void StoreBlock(const Row& row, int64_t column, VecI8 q, bool stream) {
  const int64_t left = row.cols - column;
  const auto count = static_cast<size_t>(left < kBlock ? left : kBlock);
  if constexpr (kTarget == Target::kInt8) {
    auto* y = reinterpret_cast<int8_t*>(row.y);
    if (kDense && count == kBlock) {
      stream ? Stream(y + column, q) : Store(y + column, q);
    } else if (kDense) {
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
    if (kDense && count == kBlock) {
      stream ? Stream(row.y + column / 2, packed) : Store(row.y + column / 2, packed);
    } else if (kDense) {
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

template <Source kSource, Target kTarget, bool kAsymmetric, bool kSmooth, bool kDense>
void QuantizeColumns(const Row& row, const Scaling& s, bool stream) {
  constexpr auto kDivideBlock = DivideBlock<kSource, kTarget, kAsymmetric, kSmooth, kDense>;
  if (s.half_width == 0) {
    for (int64_t j = 0; j < row.cols; j += kBlock) {
      StoreBlock<kTarget, kDense>(row, j, kDivideBlock(row, j, s), stream);
    }
    return;
  }
  Input<kSource, kSmooth, kDense> input(row);
  const VecF32 k = SetF32(kOne16 / s.scale);
  const VecF32 c = SetF32(s.offset * kOne16 + (kOne16 / 2 + static_cast<float>(s.half_width)));
  const VecI32 far_from_half = SetI32(0xffff & ~(2 * s.half_width - 1));
  for (int64_t j = 0; j < row.cols; j += kBlock) {
    if constexpr (kDense) {
      PrefetchL1(row.x + row.cols + j);
      PrefetchL1(row.x + row.cols + j + kBlock / 2);
    }
    const Values v = input.At(j);
    const VecI32 a = NearI32(MulAddEither(v.a, k, c));
    const VecI32 b = NearI32(MulAddEither(v.b, k, c));
    const VecI32 e = NearI32(MulAddEither(v.c, k, c));
    const VecI32 f = NearI32(MulAddEither(v.d, k, c));
    VecI8 q = PackHigh<kSource>(a, b, e, f);
    if (__builtin_expect(AnyWithout(a, b, e, f, far_from_half), 0)) {
      q = kDivideBlock(row, j, s);
    }
    StoreBlock<kTarget, kDense>(row, j, q, stream);
  }
}

template <Source kSource, Target kTarget, bool kAsymmetric, bool kSmooth, bool kDense>
void QuantizeRowOf(const Row& row, bool stream) {
  const Scaling s =
      MakeScaling<kTarget, kAsymmetric>(FindExtremes<kSource, kAsymmetric, kSmooth, kDense>(row));
  *row.scale = s.scale;
  if (kAsymmetric) *row.offset = s.offset;
  QuantizeColumns<kSource, kTarget, kAsymmetric, kSmooth, kDense>(row, s, stream);
}

template <Source kSource, Target kTarget, bool kAsymmetric, bool kSmooth>
void QuantizeRow(const Row& row) {
  const bool dense = row.x_step == 1 && row.y_step == 1 && (!kSmooth || row.smooth_step == 1);
  if (!dense) return QuantizeRowOf<kSource, kTarget, kAsymmetric, kSmooth, false>(row, false);
  const bool stream = row.stream && reinterpret_cast<uintptr_t>(row.y) % kVectorBytes == 0;
  QuantizeRowOf<kSource, kTarget, kAsymmetric, kSmooth, true>(row, stream);
  if (stream) StreamFence();
}

template <Source kSource, Target kTarget>
RowKernel Select(bool asymmetric, bool smooth) {
  if (asymmetric) {
    return smooth ? QuantizeRow<kSource, kTarget, true, true>
                  : QuantizeRow<kSource, kTarget, true, false>;
  }
  return smooth ? QuantizeRow<kSource, kTarget, false, true>
                : QuantizeRow<kSource, kTarget, false, false>;
}

template <Source kSource>
RowKernel Select(const Form& form) {
  return form.target == Target::kInt8
             ? Select<kSource, Target::kInt8>(form.asymmetric, form.smooth)
             : Select<kSource, Target::kInt4>(form.asymmetric, form.smooth);
}

}  // namespace

RowKernel SelectRowKernel(const Form& form) {
  return form.source == Source::kBf16 ? Select<Source::kBf16>(form) : Select<Source::kFp16>(form);
}

}  // namespace anyacl::ANYACL_ISA
