// SPDX-License-Identifier: Apache-2.0
// Panels of matrices of integers, per tier: rows of 32 bytes, one for each k, one behind the other,
// as FRACTAL_NZ holds them, with 32 columns of INT8 or 64 of INT4, the even one of each pair in the
// low nibble. Their operands are 16 columns by kDepth k, in lanes of 32 bits.
// clang-format off
//   kDepth        k values that a lane holds: 4 bytes or 2 words
//   PanelI8       the tile of the arithmetic int8:
//     kTileRows     rows of a tile for whose sums there are registers
//     kVectors      vectors of sums, hence operands, per row of a tile
//     kBias         what an operand has added to every weight
//   SignedI8, SignedI4   a panel's operands as they are: kVectors, and
//     Read(p), Operand(read, i)  the i-th one of kDepth rows
//     kSumsColumns  whether SumOperand(sum, operand) is needed of them, which adds a row of ones
//   InPlaceI8, InPlaceI4   with kPanelsInPlace: the same as tiles multiply them, also with
//     kHasOnes      the first tile has a row of ones besides its rows, which sums the columns
//     kStepBytes    from the rows of one step to those of the next
// clang-format on
// Vector i of INT4 has the even columns of the first 32, the odd ones, the even columns of the last
// 32, the odd ones.
#pragma once

#include "simd/dot_tile.h"

namespace anyacl::ANYACL_ISA {

inline constexpr int64_t kPanelRowBytes = 32;

inline VecI32 Dot(VecI32 sum, VecI8 weights, const int8_t* x);

// What all panels of integers have in common.
struct PanelSums {
  using Sum = VecI32;
  static VecI32 Dot(VecI32 sum, VecI8 weights, const int8_t* x) {
    return ANYACL_ISA::Dot(sum, weights, x);
  }
};

#if defined(__AVX512VBMI__)

inline constexpr int kDepth = 4;

// Four bytes of each of 16 columns, which are 32 bytes apart, from four rows in two registers.
struct QuadOrder {
  alignas(64) uint8_t at[64];
  constexpr explicit QuadOrder(int first) : at() {
    for (int n = 0; n < 16; ++n) {
      for (int k = 0; k < 4; ++k) at[4 * n + k] = static_cast<uint8_t>(32 * k + first + n);
    }
  }
};
inline constexpr QuadOrder kQuadsOfFirst16(0);
inline constexpr QuadOrder kQuadsOfLast16(16);

struct Quads {
  __m512i first, last;
};
inline Quads ReadQuads(const int8_t* p) {
  const __m512i rows01 = _mm512_loadu_si512(p), rows23 = _mm512_loadu_si512(p + 64);
  const __m512i first = _mm512_load_si512(kQuadsOfFirst16.at);
  const __m512i last = _mm512_load_si512(kQuadsOfLast16.at);
  return {_mm512_permutex2var_epi8(rows01, first, rows23),
          _mm512_permutex2var_epi8(rows01, last, rows23)};
}

inline VecI32 Dot(VecI32 sum, VecI8 weights, const int8_t* x) {
  typedef int32_t Unaligned __attribute__((may_alias, aligned(1)));
  asm("vpdpbusd %2%{1to16%}, %1, %0"
      : "+v"(sum.raw)
      : "v"(weights.raw), "m"(*reinterpret_cast<const Unaligned*>(x)));
  return sum;
}

struct SignedI8 {
  static constexpr int kVectors = 2;
  static constexpr bool kSumsColumns = false;
  static Quads Read(const int8_t* p) { return ReadQuads(p); }
  static VecI8 Operand(const Quads& quads, int i) { return {i == 0 ? quads.first : quads.last}; }
};

struct SignedI4 {
  static constexpr int kVectors = 4;
  static constexpr bool kSumsColumns = true;
  static Quads Read(const int8_t* p) { return ReadQuads(p); }
  static VecI8 Operand(const Quads& quads, int i) {
    const __m512i eight = _mm512_set1_epi8(8);
    __m512i bytes = i < 2 ? quads.first : quads.last;
    if (i % 2 != 0) bytes = _mm512_srli_epi32(bytes, 4);
    // ((bytes & 0x0f) ^ 8) - 8
    return {_mm512_sub_epi8(_mm512_ternarylogic_epi32(bytes, eight, _mm512_set1_epi8(0x0f), 0x6c),
                            eight)};
  }
};
inline VecI32 SumOperand(VecI32 sum, VecI8 operand) { return DotU8I8(sum, SetI8(1), operand); }

// vpdpbusd multiplies unsigned by signed bytes. The weights become the unsigned ones, so that a
// row's values can be broadcast from memory by the instruction, and so that what has to be taken
// off again depends on the row alone.
inline constexpr bool kPanelsInPlace = true;

template <int kVectorsOf, int kTileRowsOf, int kBiasOf>
struct PanelShape : PanelSums {
  static constexpr int kVectors = kVectorsOf;
  static constexpr int kTileRows = kTileRowsOf;
  static constexpr int kBias = kBiasOf;
  static constexpr int64_t kStepBytes = kDepth * kPanelRowBytes;
  static Quads Read(const int8_t* p) { return ReadQuads(p); }
  static VecI32 DotOnes(VecI32 sum, VecI8 weights) { return DotU8I8(sum, weights, SetI8(1)); }
};

struct PanelI8 : PanelShape<2, 12, 128> {};

struct InPlaceI8 : PanelI8 {
  static constexpr bool kHasOnes = false;
  static VecI8 Operand(const Quads& quads, int i) {
    return {_mm512_xor_si512(i == 0 ? quads.first : quads.last, _mm512_set1_epi8(-128))};
  }
};

struct InPlaceI4 : PanelShape<4, 6, 8> {
  static constexpr bool kHasOnes = true;
  static VecI8 Operand(const Quads& quads, int i) {
    __m512i bytes = i < 2 ? quads.first : quads.last;
    if (i % 2 != 0) bytes = _mm512_srli_epi32(bytes, 4);
    // (bytes ^ 0x88) & 0x0f
    return {
        _mm512_ternarylogic_epi32(bytes, _mm512_set1_epi8(-0x78), _mm512_set1_epi8(0x0f), 0x28)};
  }
};

#else

// The other tiers always bring 16 columns into the order, and the width, in which they are
// multiplied: without a shuffle of 64 bytes that costs too much to be done for every tile.
inline constexpr bool kPanelsInPlace = false;
struct InPlaceI8;
struct InPlaceI4;

enum class Part { kByte, kLowNibble, kHighNibble };

#if defined(__ARM_FEATURE_DOTPROD)

inline constexpr int kDepth = 4;
inline constexpr int kTileRowsOfPanels = 5;  // 20 registers of sums, 5 of x, 4 of weights

inline VecI8 MakeOperand(const int8_t* rows, Part part) {
  const auto row = [&](int k) {
    const int8x16_t bytes = vld1q_s8(rows + k * kPanelRowBytes);
    if (part == Part::kHighNibble) return vshrq_n_s8(bytes, 4);
    return part == Part::kLowNibble ? vshrq_n_s8(vshlq_n_s8(bytes, 4), 4) : bytes;
  };
  const int8x16_t r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
  const auto quads = [](int8x16_t pairs01, int8x16_t pairs23, bool high) {
    const int16x8_t a = vreinterpretq_s16_s8(pairs01), b = vreinterpretq_s16_s8(pairs23);
    return vreinterpretq_s8_s16(high ? vzip2q_s16(a, b) : vzip1q_s16(a, b));
  };
  const int8x16_t low01 = vzip1q_s8(r0, r1), low23 = vzip1q_s8(r2, r3);
  const int8x16_t high01 = vzip2q_s8(r0, r1), high23 = vzip2q_s8(r2, r3);
  return {{quads(low01, low23, false), quads(low01, low23, true), quads(high01, high23, false),
           quads(high01, high23, true)}};
}
inline VecI32 Dot(VecI32 sum, VecI8 weights, const int8_t* x) {
  int32_t quad;
  __builtin_memcpy(&quad, x, 4);
  const int8x16_t values = vreinterpretq_s8_s32(vdupq_n_s32(quad));
  return Parts<VecI32>([&](int i) { return vdotq_s32(sum.part[i], weights.part[i], values); });
}
inline VecI32 SumOperand(VecI32 sum, VecI8 weights) {
  return Parts<VecI32>(
      [&](int i) { return vdotq_s32(sum.part[i], weights.part[i], vdupq_n_s8(1)); });
}

#else

// Pairs of 16-bit words: vpmaddubsw takes bytes, twice as many, but saturates the sum of two
// products, so that the weights would have to be split and the sums widened.
inline constexpr int kDepth = 2;

#if defined(__AVX2__)

inline constexpr int kTileRowsOfPanels = 6;  // 12 registers of sums

inline VecI8 MakeOperand(const int8_t* rows, Part part) {
  const __m128i row0 = Load128(rows), row1 = Load128(rows + kPanelRowBytes);
  const auto widen = [&](__m128i pairs) {
    __m256i words = _mm256_cvtepi8_epi16(pairs);
    if (part == Part::kLowNibble) words = _mm256_slli_epi16(words, 12);
    return part == Part::kByte ? words
                               : _mm256_srai_epi16(words, part == Part::kLowNibble ? 12 : 4);
  };
  return {widen(_mm_unpacklo_epi8(row0, row1)), widen(_mm_unpackhi_epi8(row0, row1))};
}
inline __m256i BroadcastPair(const int8_t* x) {
  int32_t pair;
  __builtin_memcpy(&pair, x, 4);
  return _mm256_set1_epi32(pair);
}
// Product and sum as one: GCC 12 would compute all products of a tile first and spill its sums.
inline __m256i AddProducts(__m256i sum, __m256i weights, __m256i x) {
  __m256i product;
  asm("vpmaddwd %2, %3, %1\n\t"
      "vpaddd %1, %0, %0"
      : "+x"(sum), "=&x"(product)
      : "x"(weights), "x"(x));
  return sum;
}
inline VecI32 DotWords(VecI32 sum, VecI8 weights, __m256i x) {
  return {AddProducts(sum.lo, weights.lo, x), AddProducts(sum.hi, weights.hi, x)};
}
inline VecI32 Dot(VecI32 sum, VecI8 weights, const int8_t* x) {
  return DotWords(sum, weights, BroadcastPair(x));
}
inline VecI32 SumOperand(VecI32 sum, VecI8 weights) {
  return DotWords(sum, weights, _mm256_set1_epi16(1));
}

#else

inline constexpr int kTileRowsOfPanels = 3;  // 12 registers of sums

inline VecI8 MakeOperand(const int8_t* rows, Part part) {
  I8x16 row0, row1;
  __builtin_memcpy(&row0, rows, 16);
  __builtin_memcpy(&row1, rows + kPanelRowBytes, 16);
  const auto widen = [&](I16x8 pairs, I16x8* low, I16x8* high) {
    I16x8 even = (I16x8)((U16x8)pairs << 8) >> 8, odd = pairs >> 8;
    if (part == Part::kLowNibble) {
      even = (I16x8)((U16x8)even << 12) >> 12;
      odd = (I16x8)((U16x8)odd << 12) >> 12;
    } else if (part == Part::kHighNibble) {
      even >>= 4;
      odd >>= 4;
    }
    *low = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    *high = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
  };
  I16x8 words[4];
  widen((I16x8)__builtin_shufflevector(row0, row1, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                       7, 23),
        &words[0], &words[1]);
  widen((I16x8)__builtin_shufflevector(row0, row1, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14,
                                       30, 15, 31),
        &words[2], &words[3]);
  return Parts<VecI8>([&](int i) { return (I8x16)words[i]; });
}
inline VecI32 DotWords(VecI32 sum, VecI8 weights, I32x4 x) {
  return Parts<VecI32>([&](int i) {
#if defined(__SSE2__)
    // As one: GCC 12 would compute all products of a tile first and spill its sums.
    I32x4 total = sum.part[i], product = (I32x4)weights.part[i];
    asm("pmaddwd %2, %1\n\tpaddd %1, %0" : "+x"(total), "+x"(product) : "x"(x));
    return total;
#else
    // The even words and the odd ones, both widened by shifts.
    const I32x4 w = (I32x4)weights.part[i];
    const I32x4 even = ((I32x4)((U32x4)w << 16) >> 16) * ((I32x4)((U32x4)x << 16) >> 16);
    return sum.part[i] + even + (w >> 16) * (x >> 16);
#endif
  });
}
inline VecI32 Dot(VecI32 sum, VecI8 weights, const int8_t* x) {
  int32_t pair;
  __builtin_memcpy(&pair, x, 4);
  return DotWords(sum, weights, I32x4{pair, pair, pair, pair});
}
inline VecI32 SumOperand(VecI32 sum, VecI8 weights) {
  constexpr int32_t kOnes = 0x00010001;
  return DotWords(sum, weights, I32x4{kOnes, kOnes, kOnes, kOnes});
}

#endif
#endif

struct PanelI8 : PanelSums {
  static constexpr int kVectors = 1;
  static constexpr int kTileRows = kTileRowsOfPanels;
  static constexpr int kBias = 0;
};

struct SignedI8 {
  static constexpr int kVectors = 2;
  static constexpr bool kSumsColumns = false;
  static const int8_t* Read(const int8_t* p) { return p; }
  static VecI8 Operand(const int8_t* p, int i) { return MakeOperand(p + 16 * i, Part::kByte); }
};

struct SignedI4 {
  static constexpr int kVectors = 4;
  static constexpr bool kSumsColumns = true;
  static const int8_t* Read(const int8_t* p) { return p; }
  static VecI8 Operand(const int8_t* p, int i) {
    return MakeOperand(p + 16 * (i / 2), i % 2 == 0 ? Part::kLowNibble : Part::kHighNibble);
  }
};

#endif

// Four steps of four rows of bytes: dword r of step s at out + s * out_step + 4 * r.
typedef int32_t Steps __attribute__((vector_size(16)));
inline Steps LoadSteps(const int8_t* x) {
  Steps steps;
  __builtin_memcpy(&steps, x, sizeof(steps));
  return steps;
}
inline void TransposeSteps(const int8_t* x, int64_t row_step, int8_t* out, int64_t out_step) {
  const Steps a = LoadSteps(x), b = LoadSteps(x + row_step);
  const Steps c = LoadSteps(x + 2 * row_step), d = LoadSteps(x + 3 * row_step);
  const Steps ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Steps ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Steps cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Steps cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Steps steps[4] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                          __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                          __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                          __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
  for (int s = 0; s < 4; ++s) __builtin_memcpy(out + s * out_step, &steps[s], sizeof(Steps));
}

// The lower halves of 32 words, those of the even words first.
inline void StoreLowHalves(const uint64_t* words, float* out) {
#if defined(__AVX512F__)
  const __m512i order =
      _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 2, 6, 10, 14, 18, 22, 26, 30);
  const auto split = [&](const uint64_t* p) {
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(p), order, _mm512_loadu_si512(p + 8));
  };
  const __m512i first = split(words), last = split(words + 16);
  _mm512_storeu_si512(out, _mm512_shuffle_i64x2(first, last, 0x44));
  _mm512_storeu_si512(out + kLanes, _mm512_shuffle_i64x2(first, last, 0xee));
#else
  for (size_t i = 0; i < 2 * kLanes; ++i) {
    const auto bits = static_cast<uint32_t>(words[2 * (i % kLanes) + i / kLanes]);
    out[i] = __builtin_bit_cast(float, bits);
  }
#endif
}

// 32 columns of a row, of which two vectors have the even ones and the odd ones, in order.
inline void StoreColumns(float* p, const VecF32* vectors) {
#if defined(__AVX512VBMI__)
  const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
  _mm512_storeu_ps(p, _mm512_permutex2var_ps(vectors[0].raw, low, vectors[1].raw));
  _mm512_storeu_ps(p + kLanes, _mm512_permutex2var_ps(vectors[0].raw, high, vectors[1].raw));
#else
  float lanes[2][kLanes];
  for (int i = 0; i < 2; ++i) Store(lanes[i], vectors[i]);
  for (size_t i = 0; i < 2 * kLanes; ++i) p[i] = lanes[i % 2][i / 2];
#endif
}

}  // namespace anyacl::ANYACL_ISA
