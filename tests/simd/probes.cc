// SPDX-License-Identifier: Apache-2.0
// One tier's table of operations; compiled once per tier.
#include "simd/probes.h"

#include "simd/dot_tile.h"
#include "simd/elementary.h"
#include "simd/elements.h"
#include "simd/error_function.h"
#include "simd/philox_tile.h"
#include "simd/quantize.h"
#include "simd/rounding.h"
#include "simd/simd.h"
#include "simd/trigonometry.h"

namespace anyacl::ANYACL_ISA {
namespace {

const int8_t* Signed(const uint8_t* p) { return reinterpret_cast<const int8_t*>(p); }
const int16_t* Signed(const uint16_t* p) { return reinterpret_cast<const int16_t*>(p); }

using F = const float*;
using I = const int32_t*;

template <int kByte, bool kInterleaved>
void StoreBytes(I x, int8_t* y) {
  Store(y, Bytes<kByte, kInterleaved>(Load(x), Load(x + 16), Load(x + 32), Load(x + 48)));
}

}  // namespace

// Lambdas without captures are function pointers; a plus sign would only repeat that.
const Probes kProbes = {
    .abs = [](F x, float* y) { Store(y, Abs(Load(x))); },
    .neg = [](F x, float* y) { Store(y, Neg(Load(x))); },
    .round_even = [](F x, float* y) { Store(y, RoundEven(Load(x))); },
    .fraction = [](F x, float* y) { Store(y, Fraction(Load(x))); },
    .exp = [](F x, float* y) { Store(y, Exp(Load(x))); },
    .silu = [](F x, float* y) { Store(y, Silu(Load(x))); },
    .sqrt = [](F x, float* y) { Store(y, Sqrt(Load(x))); },
    .log = [](F x, float* y) { Store(y, Log(Load(x))); },
    .sigmoid = [](F x, float* y) { Store(y, Sigmoid(Load(x))); },
    .tanh = [](F x, float* y) { Store(y, Tanh(Load(x))); },
    .gelu_tanh = [](F x, float* y) { Store(y, GeluTanh(Load(x))); },
    .sin = [](F x, float* y) { Store(y, Sin(Load(x))); },
    .cos = [](F x, float* y) { Store(y, Cos(Load(x))); },
    .exp2 = [](F x, float* y) { Store(y, Exp2(Load(x))); },
    .expm1 = [](F x, float* y) { Store(y, Expm1(Load(x))); },
    .log2 = [](F x, float* y) { Store(y, Log2(Load(x))); },
    .log10 = [](F x, float* y) { Store(y, Log10(Load(x))); },
    .log1p = [](F x, float* y) { Store(y, Log1p(Load(x))); },
    .softplus = [](F x, float* y) { Store(y, Softplus(Load(x))); },
    .tan = [](F x, float* y) { Store(y, Tan(Load(x))); },
    .sinc = [](F x, float* y) { Store(y, Sinc(Load(x))); },
    .asin = [](F x, float* y) { Store(y, Asin(Load(x))); },
    .acos = [](F x, float* y) { Store(y, Acos(Load(x))); },
    .atan = [](F x, float* y) { Store(y, Atan(Load(x))); },
    .sinh = [](F x, float* y) { Store(y, Sinh(Load(x))); },
    .cosh = [](F x, float* y) { Store(y, Cosh(Load(x))); },
    .asinh = [](F x, float* y) { Store(y, Asinh(Load(x))); },
    .acosh = [](F x, float* y) { Store(y, Acosh(Load(x))); },
    .atanh = [](F x, float* y) { Store(y, Atanh(Load(x))); },
    .erf = [](F x, float* y) { Store(y, Erf(Load(x))); },
    .erfc = [](F x, float* y) { Store(y, Erfc(Load(x))); },
    .erfinv = [](F x, float* y) { Store(y, Erfinv(Load(x))); },
    .gelu_erf = [](F x, float* y) { Store(y, GeluErf(Load(x))); },
    .floor = [](F x, float* y) { Store(y, Floor(Load(x))); },
    .ceil = [](F x, float* y) { Store(y, Ceil(Load(x))); },
    .trunc = [](F x, float* y) { Store(y, Trunc(Load(x))); },

    .add = [](F a, F b, float* y) { Store(y, Add(Load(a), Load(b))); },
    .sub = [](F a, F b, float* y) { Store(y, Sub(Load(a), Load(b))); },
    .mul = [](F a, F b, float* y) { Store(y, Mul(Load(a), Load(b))); },
    .div = [](F a, F b, float* y) { Store(y, Div(Load(a), Load(b))); },
    .min = [](F a, F b, float* y) { Store(y, Min(Load(a), Load(b))); },
    .max = [](F a, F b, float* y) { Store(y, Max(Load(a), Load(b))); },
    .pow = [](F a, F b, float* y) { Store(y, Pow(Load(a), Load(b))); },
    .log_add_exp = [](F a, F b, float* y) { Store(y, LogAddExp(Load(a), Load(b))); },
    .atan2 = [](F a, F b, float* y) { Store(y, Atan2(Load(a), Load(b))); },
    .fmod = [](F a, F b, float* y) { Store(y, Fmod(Load(a), Load(b))); },
    .remainder = [](F a, F b, float* y) { Store(y, Remainder(Load(a), Load(b))); },
    .floor_divide = [](F a, F b, float* y) { Store(y, FloorDivide(Load(a), Load(b))); },
    .fma = [](F a, F b, F c, float* y) { Store(y, Fma(Load(a), Load(b), Load(c))); },
    .mul_add_either = [](F a, F b, F c,
                         float* y) { Store(y, MulAddEither(Load(a), Load(b), Load(c))); },
    .clamp = [](F x, float low, float high, float* y) { Store(y, Clamp(Load(x), low, high)); },
    .scale_by_power_of_2 = [](F x, I n,
                              float* y) { Store(y, ScaleByPowerOf2(Load(x), ToF32(Load(n)))); },
    .scale_positive_by_power_of_2 =
        [](F x, I n, float* y) { Store(y, ScalePositiveByPowerOf2(Load(x), ToF32(Load(n)))); },
    .swap_neighbours = [](F x, float* y) { Store(y, SwapNeighbours(Load(x))); },
    .select_less = [](F a, F b, F yes, F no,
                      float* y) { Store(y, Select(Less(Load(a), Load(b)), Load(yes), Load(no))); },
    .select_less_i32 =
        [](I a, I b, I yes, I no, int32_t* y) {
          Store(y, Select(Less(Load(a), Load(b)), Load(yes), Load(no)));
        },

    .add_i32 = [](I a, I b, int32_t* y) { Store(y, Add(Load(a), Load(b))); },
    .sub_i32 = [](I a, I b, int32_t* y) { Store(y, Sub(Load(a), Load(b))); },
    .mul_i32 = [](I a, I b, int32_t* y) { Store(y, Mul(Load(a), Load(b))); },
    .min_i32 = [](I a, I b, int32_t* y) { Store(y, Min(Load(a), Load(b))); },
    .max_i32 = [](I a, I b, int32_t* y) { Store(y, Max(Load(a), Load(b))); },
    .and_i32 = [](I a, I b, int32_t* y) { Store(y, And(Load(a), Load(b))); },
    .or_i32 = [](I a, I b, int32_t* y) { Store(y, Or(Load(a), Load(b))); },
    .xor_i32 = [](I a, I b, int32_t* y) { Store(y, Xor(Load(a), Load(b))); },
    .shift_i32 =
        [](I x, int32_t* left5, int32_t* right5) {
          Store(left5, ShiftLeft<5>(Load(x)));
          Store(right5, ShiftRight<5>(Load(x)));
        },
    .mul_wide =
        [](I a, I b, int32_t* low, int32_t* high) {
          const WideProduct product = MulWide(Load(a), Load(b));
          Store(low, product.low);
          Store(high, product.high);
        },
    .philox =
        [](const uint64_t* low, const uint64_t* high, uint64_t key, int32_t* words64) {
          int32_t counter[4][kLanes];
          for (size_t i = 0; i < kLanes; ++i) {
            counter[0][i] = static_cast<int32_t>(low[i]);
            counter[1][i] = static_cast<int32_t>(low[i] >> 32);
            counter[2][i] = static_cast<int32_t>(high[i]);
            counter[3][i] = static_cast<int32_t>(high[i] >> 32);
          }
          VecI32 words[4];
          for (int k = 0; k < 4; ++k) words[k] = Load(counter[k]);
          Philox(words, key);
          StoreInterleaved(words64, words);
        },
    .and_i16 = [](const int16_t* a, const int16_t* b,
                  int16_t* y) { Store(y, And(Load(a), Load(b))); },
    .max_i16 = [](const int16_t* a, const int16_t* b,
                  int16_t* y) { Store(y, Max(Load(a), Load(b))); },
    .xor_i8 = [](const int8_t* a, const int8_t* b, int8_t* y) { Store(y, Xor(Load(a), Load(b))); },

    .less = [](F a, F b) { return BitsOf(Less(Load(a), Load(b))); },
    .less_equal = [](F a, F b) { return BitsOf(LessEqual(Load(a), Load(b))); },
    .equal = [](F a, F b) { return BitsOf(Equal(Load(a), Load(b))); },
    .less_i32 = [](I a, I b) { return BitsOf(Less(Load(a), Load(b))); },
    .equal_i32 = [](I a, I b) { return BitsOf(Equal(Load(a), Load(b))); },
    .first_n = [](size_t n) { return BitsOf(FirstN(n)); },
    .mask_logic =
        [](F a, F b, uint32_t out[4]) {
          const Mask less = Less(Load(a), Load(b)), equal = Equal(Load(a), Load(b));
          out[0] = BitsOf(And(less, Not(equal)));
          out[1] = BitsOf(Or(less, equal));
          out[2] = BitsOf(Not(less));
          out[3] = Any(less) ? 1 : 0;
        },

    .f32_from_i32 = [](I x, float* y) { Store(y, ToF32(Load(x))); },
    .i32_from_f32 = [](F x, int32_t* y) { Store(y, RoundToI32(Load(x))); },
    .bits_and_back =
        [](F x, int32_t* bits, float* y) {
          Store(bits, BitsOf(Load(x)));
          Store(y, FloatFromBits(Load(static_cast<I>(bits))));
        },
    .pack_i8 =
        [](I x, int8_t* y) { Store(y, PackI8(Load(x), Load(x + 16), Load(x + 32), Load(x + 48))); },
    .pack_i4 = [](const int8_t* x, uint8_t* y) { Store(y, PackI4(Load(x))); },
    .unpack_i4 = [](const uint8_t* x, int8_t* y) { Store(y, UnpackI4(LoadI4(x))); },
    .widen =
        [](const int8_t* x, int32_t* y) {
          const VecI8 v = Load(x);
          Store(y, Widen<0>(v));
          Store(y + 16, Widen<1>(v));
          Store(y + 32, Widen<2>(v));
          Store(y + 48, Widen<3>(v));
        },

    .sum_error = kSumError,
    .near_i32 = [](F x, int32_t* y) { Store(y, NearI32(Load(x))); },
    .any_low_half_below =
        [](I x, int32_t n) {
          return AnyLowHalfBelow(Load(x), Load(x + 16), Load(x + 32), Load(x + 48), n);
        },
    .bytes =
        [](I x, int byte, bool interleaved, int8_t* y) {
          if (byte == 0)
            return interleaved ? StoreBytes<0, true>(x, y) : StoreBytes<0, false>(x, y);
          return interleaved ? StoreBytes<2, true>(x, y) : StoreBytes<2, false>(x, y);
        },
    .larger_magnitude = [](F m, F x, float* y) { Store(y, LargerMagnitude(Load(m), Load(x))); },
    .ordered = [](const uint16_t* x, int16_t* y) { Store(y, Ordered(Load(Signed(x)))); },
    .min_i16 = [](const int16_t* a, const int16_t* b,
                  int16_t* y) { Store(y, Min(Load(a), Load(b))); },
    .reduce_min_i16 = [](const int16_t* x) { return ReduceMin(Load(x)); },

    .load_fp16 = [](const uint16_t* x, float* y) { Store(y, LoadFp16(x)); },
    .load_bf16 = [](const uint16_t* x, float* y) { Store(y, LoadBf16(x)); },
    .load_fp16_n = [](const uint16_t* x, size_t n, float* y) { Store(y, LoadFp16(x, n)); },
    .load_bf16_n = [](const uint16_t* x, size_t n, float* y) { Store(y, LoadBf16(x, n)); },
    .load_i8 = [](const int8_t* x, int32_t* y) { Store(y, LoadI8(x)); },
    .load_i8_n = [](const int8_t* x, size_t n, int32_t* y) { Store(y, LoadI8(x, n)); },
    .store_fp16 = [](F x, uint16_t* y) { StoreFp16(y, Load(x)); },
    .store_bf16 = [](F x, uint16_t* y) { StoreBf16(y, Load(x)); },
    .store_i8 = [](I x, int8_t* y) { StoreI8(y, Load(x)); },
    .store_fp16_n = [](F x, size_t n, uint16_t* y) { StoreFp16(y, Load(x), n); },
    .store_bf16_n = [](F x, size_t n, uint16_t* y) { StoreBf16(y, Load(x), n); },
    .store_both_bf16 = [](F x, uint16_t* y) { StoreBoth(Bf16(), y, Load(x), Load(x + 16)); },
    .store_pair_bf16 =
        [](F even, F odd, uint16_t* y) {
          StorePair(Bf16(), y, {Load(even), Load(odd)});
        },
    .load_halves_bf16 =
        [](const uint16_t* x, float* y) {
          VecF32 first = LoadFirst(Bf16(), x), second = LoadSecond(Bf16(), x);
          InOrder(Bf16(), first, second);
          Store(y, first);
          Store(y + 16, second);
        },
    .store_i8_n = [](I x, size_t n, int8_t* y) { StoreI8(y, Load(x), n); },
    .load_n_f32 = [](F x, size_t n, float* y) { Store(y, Load(x, n)); },
    .load_n_i32 = [](I x, size_t n, int32_t* y) { Store(y, Load(x, n)); },
    .load_n_i16 = [](const int16_t* x, size_t n, int16_t* y) { Store(y, Load(x, n)); },
    .load_n_i8 = [](const int8_t* x, size_t n, int8_t* y) { Store(y, Load(x, n)); },
    .load_n_i4 = [](const uint8_t* x, size_t n, uint8_t* y) { Store(y, LoadI4(x, n)); },
    .store_n_f32 = [](F x, size_t n, float* y) { Store(y, Load(x), n); },
    .store_n_i32 = [](I x, size_t n, int32_t* y) { Store(y, Load(x), n); },
    .store_n_i16 = [](const int16_t* x, size_t n, int16_t* y) { Store(y, Load(x), n); },
    .store_n_i8 = [](const int8_t* x, size_t n, int8_t* y) { Store(y, Load(x), n); },
    .store_n_i4 = [](const uint8_t* x, size_t n, uint8_t* y) { Store(y, LoadI4(x), n); },
    .stream_f32 =
        [](F x, float* y) {
          StorePastCaches(y, Load(x));
          FencePastCaches();
        },
    .stream_i8 =
        [](const int8_t* x, int8_t* y) {
          StorePastCaches(y, Load(x));
          FencePastCaches();
        },
    .stream_i4 =
        [](const uint8_t* x, uint8_t* y) {
          StorePastCaches(y, LoadI4(x));
          FencePastCaches();
        },

    .sum = [](F x) { return ReduceSum(Load(x)); },
    .product = [](F x) { return ReduceProduct(Load(x)); },
    .max_of = [](F x) { return ReduceMax(Load(x)); },
    .min_of = [](F x) { return ReduceMin(Load(x)); },
    .sum_i32 = [](I x) { return ReduceSum(Load(x)); },
    .max_of_i32 = [](I x) { return ReduceMax(Load(x)); },
    .max_of_i16 = [](const int16_t* x) { return ReduceMax(Load(x)); },

    .dot_u8_i8 = [](I sum, const uint8_t* u, const int8_t* s,
                    int32_t* y) { Store(y, DotU8I8(Load(sum), Load(Signed(u)), Load(s))); },
    .dot_bf16 = [](F sum, const uint16_t* a, const uint16_t* b,
                   float* y) { Store(y, DotBf16(Load(sum), Load(Signed(a)), Load(Signed(b)))); },
};

}  // namespace anyacl::ANYACL_ISA
