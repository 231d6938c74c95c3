// SPDX-License-Identifier: Apache-2.0
// The operations of simd/simd.h behind function pointers, one table per tier, so that one test
// program can run every tier's. Arrays hold one vector: 16 floats or words, 32 shorts, 64 bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace anyacl {

struct Probes {
  using F32Unary = void (*)(const float* x, float* y);
  using F32Binary = void (*)(const float* a, const float* b, float* y);
  using I32Binary = void (*)(const int32_t* a, const int32_t* b, int32_t* y);
  using F32Compare = uint32_t (*)(const float* a, const float* b);
  using I32Compare = uint32_t (*)(const int32_t* a, const int32_t* b);

  F32Unary abs, neg, round_even, fraction, exp, silu;
  F32Unary sqrt, log, sigmoid, tanh, gelu_tanh, sin, cos;
  // logarithms.h, trigonometry.h, error_function.h, rounding.h
  F32Unary exp2, expm1, log2, log10, log1p, softplus;
  F32Unary tan, sinc, asin, acos, atan, sinh, cosh, asinh, acosh, atanh;
  F32Unary erf, erfc, erfinv, gelu_erf, floor, ceil, trunc;
  F32Binary add, sub, mul, div, min, max, pow;
  F32Binary log_add_exp, atan2, fmod, remainder, floor_divide;
  void (*fma)(const float* a, const float* b, const float* c, float* y);
  void (*mul_add_either)(const float* a, const float* b, const float* c, float* y);
  void (*clamp)(const float* x, float low, float high, float* y);
  void (*scale_by_power_of_2)(const float* x, const int32_t* n, float* y);
  void (*scale_positive_by_power_of_2)(const float* x, const int32_t* n, float* y);
  void (*swap_neighbours)(const float* x, float* y);
  // yes where a < b, else no
  void (*select_less)(const float* a, const float* b, const float* yes, const float* no, float* y);
  void (*select_less_i32)(const int32_t* a, const int32_t* b, const int32_t* yes, const int32_t* no,
                          int32_t* y);

  I32Binary add_i32, sub_i32, mul_i32, min_i32, max_i32, and_i32, or_i32, xor_i32;
  void (*shift_i32)(const int32_t* x, int32_t* left5, int32_t* right5);
  void (*mul_wide)(const int32_t* a, const int32_t* b, int32_t* low, int32_t* high);
  // philox_tile.h: sixteen blocks, in order
  void (*philox)(const uint64_t* low, const uint64_t* high, uint64_t key, int32_t* words64);
  void (*and_i16)(const int16_t* a, const int16_t* b, int16_t* y);
  void (*max_i16)(const int16_t* a, const int16_t* b, int16_t* y);
  void (*xor_i8)(const int8_t* a, const int8_t* b, int8_t* y);

  F32Compare less, less_equal, equal;
  I32Compare less_i32, equal_i32;
  uint32_t (*first_n)(size_t n);
  // The masks of a < b and a == b: and, or, not of the first; whether the first has any.
  void (*mask_logic)(const float* a, const float* b, uint32_t out[4]);

  void (*f32_from_i32)(const int32_t* x, float* y);
  void (*i32_from_f32)(const float* x, int32_t* y);
  void (*bits_and_back)(const float* x, int32_t* bits, float* y);
  void (*pack_i8)(const int32_t* x64, int8_t* y);
  void (*pack_i4)(const int8_t* x, uint8_t* y32);
  void (*unpack_i4)(const uint8_t* x32, int8_t* y);
  void (*widen)(const int8_t* x, int32_t* y64);

  // quantize.h
  float sum_error;
  void (*near_i32)(const float* x, int32_t* y);
  bool (*any_low_half_below)(const int32_t* x64, int32_t n);
  void (*bytes)(const int32_t* x64, int byte, bool interleaved, int8_t* y);
  F32Binary larger_magnitude;
  void (*ordered)(const uint16_t* x, int16_t* y);
  void (*min_i16)(const int16_t* a, const int16_t* b, int16_t* y);
  int16_t (*reduce_min_i16)(const int16_t* x);

  // Whole vectors, and the first n elements.
  void (*load_fp16)(const uint16_t* x, float* y);
  void (*load_bf16)(const uint16_t* x, float* y);
  void (*load_fp16_n)(const uint16_t* x, size_t n, float* y);
  void (*load_bf16_n)(const uint16_t* x, size_t n, float* y);
  void (*load_i8)(const int8_t* x, int32_t* y);
  void (*load_i8_n)(const int8_t* x, size_t n, int32_t* y);
  void (*store_fp16)(const float* x, uint16_t* y);
  void (*store_bf16)(const float* x, uint16_t* y);
  void (*store_i8)(const int32_t* x, int8_t* y);
  void (*store_fp16_n)(const float* x, size_t n, uint16_t* y);
  void (*store_bf16_n)(const float* x, size_t n, uint16_t* y);
  // 32 elements of ordered.h and pair.h: in order; the even and the odd ones; halves put in order.
  void (*store_both_bf16)(const float* x, uint16_t* y);
  void (*store_pair_bf16)(const float* even, const float* odd, uint16_t* y);
  void (*load_halves_bf16)(const uint16_t* x, float* y);
  void (*store_i8_n)(const int32_t* x, size_t n, int8_t* y);
  // Load n, then store everything.
  void (*load_n_f32)(const float* x, size_t n, float* y);
  void (*load_n_i32)(const int32_t* x, size_t n, int32_t* y);
  void (*load_n_i16)(const int16_t* x, size_t n, int16_t* y);
  void (*load_n_i8)(const int8_t* x, size_t n, int8_t* y);
  void (*load_n_i4)(const uint8_t* x, size_t n, uint8_t* y);
  // Load everything, then store n.
  void (*store_n_f32)(const float* x, size_t n, float* y);
  void (*store_n_i32)(const int32_t* x, size_t n, int32_t* y);
  void (*store_n_i16)(const int16_t* x, size_t n, int16_t* y);
  void (*store_n_i8)(const int8_t* x, size_t n, int8_t* y);
  void (*store_n_i4)(const uint8_t* x, size_t n, uint8_t* y);
  // Load everything, then store it past the caches; y aligned to 64.
  void (*stream_f32)(const float* x, float* y);
  void (*stream_i8)(const int8_t* x, int8_t* y);
  void (*stream_i4)(const uint8_t* x, uint8_t* y);

  float (*sum)(const float* x);
  double (*product)(const float* x);
  float (*max_of)(const float* x);
  float (*min_of)(const float* x);
  int32_t (*sum_i32)(const int32_t* x);
  int32_t (*max_of_i32)(const int32_t* x);
  int16_t (*max_of_i16)(const int16_t* x);

  void (*dot_u8_i8)(const int32_t* sum, const uint8_t* u, const int8_t* s, int32_t* y);
  void (*dot_bf16)(const float* sum, const uint16_t* a, const uint16_t* b, float* y);
};

#if defined(ANYACL_ISA)
namespace ANYACL_ISA {
extern const Probes kProbes;
}
#endif

}  // namespace anyacl
