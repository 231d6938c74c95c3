// SPDX-License-Identifier: Apache-2.0
// Sums of up to 32 rows by 32 columns in matrix registers (AMX): two tiles of up to 16 rows by two
// of 16 columns, each sum 4 bytes. A step adds the products with up to 16 units of k, a unit being
// 4 bytes: two numbers of bf16 or four of int8.
//
//   rows of A     kRowTiles tiles; a row's units follow one another
//   columns of B  the units of 32 columns follow one another, then those of the next k
//
// bf16: of a step the first numbers of all units are summed up in the order of k, from 0 on, and
// so are the second ones; both sums are added, then the sum of the steps before. Each
// multiplication and addition is fused, rounds to nearest even, takes denormals for zeros and gives
// zeros for them. int8: modulo 2^32.
//
// Numbers with more bits than bf16 are sums of two or three of bf16, SplitNumbers: their parts are
// multiplied each with each, but those of which the product is too small to matter.
//
// MatrixLanes has sums of bf16 for 32 rows by up to three vectors of lanes, while a FullMatrixTiles
// lives:
//   rows of A   numbers, row_step of them apart
//   lanes of B  units, [16][unit_step]
//
// Where the compiler has no such registers they are imitated in memory, with the same bits: so that
// what is built on them is tested everywhere. So they are for sanitizers, which do not see what
// tiles read and write.
#pragma once

#include "simd/simd.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace anyacl::ANYACL_ISA {

inline constexpr int64_t kMatrixRows = 16;     // of a tile
inline constexpr int64_t kMatrixUnits = 16;    // of a step
inline constexpr int64_t kMatrixColumns = 32;  // of two tiles
inline constexpr int64_t kMatrixLanesRows = 32;

enum class MatrixNumbers { kBf16, kInt8 };

// While one lives, vectors take denormals for zeros, too. Only calls of functions that are not
// inlined stay in between: the compiler moves arithmetic.
class DenormalsAsZeros {
 public:
#if defined(__SSE2__)
  DenormalsAsZeros() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040); }
  ~DenormalsAsZeros() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#elif defined(__aarch64__)
  DenormalsAsZeros() : before_(__builtin_aarch64_get_fpcr()) {
    __builtin_aarch64_set_fpcr(before_ | 1u << 24);
  }
  ~DenormalsAsZeros() { __builtin_aarch64_set_fpcr(before_); }

 private:
  unsigned before_;
#endif
};

#if defined(__AMX_TILE__) && !defined(ANYACL_SANITIZED)

// The numbers of tiles are part of the instructions: 0 to 3 are sums, row by row, 4 and 5 have rows
// of A, 6 and 7 columns of B.
template <MatrixNumbers kNumbers, int kRowTiles>
class MatrixSums {
 public:
  // Of all steps until the next call. What the registers held is gone.
  MatrixSums(int64_t rows0, int64_t rows1, int64_t units) {
    struct alignas(64) {
      uint8_t palette = 1;
      uint8_t start = 0;
      uint8_t reserved[14] = {};
      uint16_t row_bytes[16] = {};
      uint8_t rows[16] = {};
    } shapes;
    const auto set = [&](int tile, int64_t rows, int64_t row_units) {
      shapes.rows[tile] = static_cast<uint8_t>(rows);
      shapes.row_bytes[tile] = static_cast<uint16_t>(4 * row_units);
    };
    const int64_t rows[2] = {rows0, rows1};
    for (int i = 0; i < kRowTiles; ++i) {
      set(2 * i, rows[i], 16);
      set(2 * i + 1, rows[i], 16);
      set(4 + i, rows[i], units);
      set(6 + i, units, 16);
    }
    if (kRowTiles == 1) set(7, units, 16);
    // The intrinsic tells GCC of the first eight bytes alone.
    asm volatile("" : : "m"(shapes));
    _tile_loadconfig(&shapes);
  }
  ~MatrixSums() { _tile_release(); }
  MatrixSums(const MatrixSums&) = delete;
  MatrixSums& operator=(const MatrixSums&) = delete;

  void Clear() {
    _tile_zero(0);
    _tile_zero(1);
    if constexpr (kRowTiles == 2) {
      _tile_zero(2);
      _tile_zero(3);
    }
  }
  // Steps in sums; rows of the second tile follow the first tile's.
  void Load(const int32_t* sums, int64_t step) {
    _tile_loadd(0, sums, 4 * step);
    _tile_loadd(1, sums + 16, 4 * step);
    if constexpr (kRowTiles == 2) {
      _tile_loadd(2, sums + kMatrixRows * step, 4 * step);
      _tile_loadd(3, sums + kMatrixRows * step + 16, 4 * step);
    }
  }
  void Store(int32_t* sums, int64_t step) const {
    _tile_stored(0, sums, 4 * step);
    _tile_stored(1, sums + 16, 4 * step);
    if constexpr (kRowTiles == 2) {
      _tile_stored(2, sums + kMatrixRows * step, 4 * step);
      _tile_stored(3, sums + kMatrixRows * step + 16, 4 * step);
    }
  }
  // Rows of A are row_bytes apart, units of B unit_bytes.
  [[gnu::always_inline]] void LoadRows(const void* a0, const void* a1, int64_t row_bytes) {
    _tile_loadd(4, a0, row_bytes);
    if constexpr (kRowTiles == 2) _tile_loadd(5, a1, row_bytes);
  }
  [[gnu::always_inline]] void LoadColumns(const void* b, int64_t unit_bytes) {
    _tile_loadd(6, b, unit_bytes);
    _tile_loadd(7, static_cast<const char*>(b) + 64, unit_bytes);
  }
  [[gnu::always_inline]] void Add() {
    if constexpr (kNumbers == MatrixNumbers::kBf16) {
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      if constexpr (kRowTiles == 2) {
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
      }
    } else {
      _tile_dpbssd(0, 4, 6);
      _tile_dpbssd(1, 4, 7);
      if constexpr (kRowTiles == 2) {
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
      }
    }
  }
};

class FullMatrixTiles {
 public:
  FullMatrixTiles() {
    struct alignas(64) {
      uint8_t palette = 1;
      uint8_t start = 0;
      uint8_t reserved[14] = {};
      uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
    } shapes;
    asm volatile("" : : "m"(shapes));  // as for MatrixSums
    _tile_loadconfig(&shapes);
  }
  ~FullMatrixTiles() { _tile_release(); }
  FullMatrixTiles(const FullMatrixTiles&) = delete;
  FullMatrixTiles& operator=(const FullMatrixTiles&) = delete;
};

// Numbers 0 to 5 are sums, row by row, 6 has rows of A, 7 lanes of B.
template <int kVectors>
class MatrixLanes {
 public:
  [[gnu::always_inline]] void Clear() {
    MemoryIsRead();
    _tile_zero(0);
    _tile_zero(3);
    if constexpr (kVectors > 1) {
      _tile_zero(1);
      _tile_zero(4);
    }
    if constexpr (kVectors > 2) {
      _tile_zero(2);
      _tile_zero(5);
    }
  }
  [[gnu::always_inline]] void Load(const float* sums, int64_t step) {
    MemoryIsRead();
    const float* const second = sums + kMatrixRows * step;
    _tile_loadd(0, sums, 4 * step);
    _tile_loadd(3, second, 4 * step);
    if constexpr (kVectors > 1) {
      _tile_loadd(1, sums + 16, 4 * step);
      _tile_loadd(4, second + 16, 4 * step);
    }
    if constexpr (kVectors > 2) {
      _tile_loadd(2, sums + 32, 4 * step);
      _tile_loadd(5, second + 32, 4 * step);
    }
  }
  [[gnu::always_inline]] void Store(float* sums, int64_t step) const {
    float* const second = sums + kMatrixRows * step;
    _tile_stored(0, sums, 4 * step);
    _tile_stored(3, second, 4 * step);
    if constexpr (kVectors > 1) {
      _tile_stored(1, sums + 16, 4 * step);
      _tile_stored(4, second + 16, 4 * step);
    }
    if constexpr (kVectors > 2) {
      _tile_stored(2, sums + 32, 4 * step);
      _tile_stored(5, second + 32, 4 * step);
    }
  }
  [[gnu::always_inline]] void Add(const uint16_t* rows, int64_t row_step, const int32_t* lanes,
                                  int64_t unit_step) {
    _tile_loadd(6, rows, 2 * row_step);
    _tile_loadd(7, lanes, 4 * unit_step);
    _tile_dpbf16ps(0, 6, 7);
    if constexpr (kVectors > 1) {
      _tile_loadd(7, lanes + 16, 4 * unit_step);
      _tile_dpbf16ps(1, 6, 7);
    }
    if constexpr (kVectors > 2) {
      _tile_loadd(7, lanes + 32, 4 * unit_step);
      _tile_dpbf16ps(2, 6, 7);
    }
    _tile_loadd(6, rows + kMatrixRows * row_step, 2 * row_step);
    _tile_loadd(7, lanes, 4 * unit_step);
    _tile_dpbf16ps(3, 6, 7);
    if constexpr (kVectors > 1) {
      _tile_loadd(7, lanes + 16, 4 * unit_step);
      _tile_dpbf16ps(4, 6, 7);
    }
    if constexpr (kVectors > 2) {
      _tile_loadd(7, lanes + 32, 4 * unit_step);
      _tile_dpbf16ps(5, 6, 7);
    }
  }

 private:
  // GCC's intrinsics do not say that tiles come from memory: it would store later what they read.
  [[gnu::always_inline]] static void MemoryIsRead() { asm volatile("" : : : "memory"); }
};

#else

inline float Flushed(float x) {
  return (__builtin_bit_cast(uint32_t, x) & 0x7f800000u) == 0 ? __builtin_copysignf(0.0f, x) : x;
}
inline float FlushedBf16(const char* p) {
  uint16_t bits;
  __builtin_memcpy(&bits, p, sizeof(bits));
  return Flushed(__builtin_bit_cast(float, uint32_t{bits} << 16));
}

// A step of one sum: the units of a row of A and those of a column of B, which are unit_bytes
// apart.
template <MatrixNumbers kNumbers>
void AddUnits(int32_t& sum, const char* a, const char* b, int64_t unit_bytes, int64_t units) {
  if constexpr (kNumbers == MatrixNumbers::kInt8) {
    auto total = static_cast<uint32_t>(sum);
    for (int64_t u = 0; u < units; ++u) {
      for (int64_t i = 0; i < 4; ++i) {
        total += static_cast<uint32_t>(static_cast<signed char>(a[4 * u + i]) *
                                       static_cast<signed char>(b[unit_bytes * u + i]));
      }
    }
    sum = static_cast<int32_t>(total);
  } else {
    float parts[2] = {};
    for (int64_t u = 0; u < units; ++u) {
      for (int64_t i = 0; i < 2; ++i) {
        parts[i] = Flushed(__builtin_fmaf(FlushedBf16(a + 4 * u + 2 * i),
                                          FlushedBf16(b + unit_bytes * u + 2 * i), parts[i]));
      }
    }
    const float before = Flushed(__builtin_bit_cast(float, sum));
    sum = __builtin_bit_cast(int32_t, Flushed(before + Flushed(parts[0] + parts[1])));
  }
}

template <MatrixNumbers kNumbers, int kRowTiles>
class MatrixSums {
 public:
  MatrixSums(int64_t rows0, int64_t rows1, int64_t units) : rows_{rows0, rows1}, units_(units) {}

  void Clear() { __builtin_memset(sums_, 0, sizeof(sums_)); }
  void Load(const int32_t* sums, int64_t step) {
    ForRows([&](int64_t row, int32_t* line) {
      __builtin_memcpy(line, sums + row * step, sizeof(sums_[0]));
    });
  }
  void Store(int32_t* sums, int64_t step) {
    ForRows([&](int64_t row, int32_t* line) {
      __builtin_memcpy(sums + row * step, line, sizeof(sums_[0]));
    });
  }
  void LoadRows(const void* a0, const void* a1, int64_t row_bytes) {
    tiles_[0] = static_cast<const char*>(a0);
    tiles_[1] = static_cast<const char*>(a1);
    row_bytes_ = row_bytes;
  }
  void LoadColumns(const void* b, int64_t unit_bytes) {
    columns_ = static_cast<const char*>(b);
    unit_bytes_ = unit_bytes;
  }
  void Add() {
    ForRows([&](int64_t row, int32_t* line) {
      const char* const a = tiles_[row / kMatrixRows] + row % kMatrixRows * row_bytes_;
      for (int64_t column = 0; column < kMatrixColumns; ++column) {
        AddUnits<kNumbers>(line[column], a, columns_ + 4 * column, unit_bytes_, units_);
      }
    });
  }

 private:
  template <class Function>
  void ForRows(Function f) {
    for (int64_t tile = 0; tile < kRowTiles; ++tile) {
      for (int64_t i = 0; i < rows_[tile]; ++i) {
        f(tile * kMatrixRows + i, sums_[tile * kMatrixRows + i]);
      }
    }
  }
  int64_t rows_[2];
  int64_t units_;
  const char* tiles_[2] = {};
  int64_t row_bytes_ = 0;
  const char* columns_ = nullptr;
  int64_t unit_bytes_ = 0;
  int32_t sums_[2 * kMatrixRows][kMatrixColumns];
};

class FullMatrixTiles {
 public:
  FullMatrixTiles() {}  // or GCC warns of a variable without a use
};

template <int kVectors>
class MatrixLanes {
 public:
  void Clear() { __builtin_memset(sums_, 0, sizeof(sums_)); }
  void Load(const float* sums, int64_t step) {
    for (int64_t i = 0; i < kMatrixLanesRows; ++i) {
      __builtin_memcpy(sums_[i], sums + i * step, sizeof(sums_[0]));
    }
  }
  void Store(float* sums, int64_t step) const {
    for (int64_t i = 0; i < kMatrixLanesRows; ++i) {
      __builtin_memcpy(sums + i * step, sums_[i], sizeof(sums_[0]));
    }
  }
  void Add(const uint16_t* rows, int64_t row_step, const int32_t* lanes, int64_t unit_step) {
    for (int64_t i = 0; i < kMatrixLanesRows; ++i) {
      for (int64_t lane = 0; lane < 16 * kVectors; ++lane) {
        AddUnits<MatrixNumbers::kBf16>(
            sums_[i][lane], reinterpret_cast<const char*>(rows + i * row_step),
            reinterpret_cast<const char*>(lanes + lane), 4 * unit_step, kMatrixUnits);
      }
    }
  }

 private:
  int32_t sums_[kMatrixLanesRows][16 * kVectors];
};

#endif

// The numbers of two vectors rounded to bf16, to nearest even; denormals become zeros. As units:
//   Consecutive  number 2 i and the next one, the first vector's before the second's
//   Pairs        number i of both vectors
#if defined(__AVX512BF16__)
struct RoundedToBf16 {
  __m512i raw;
};
inline RoundedToBf16 RoundToBf16(VecF32 first, VecF32 second) {
  return {__builtin_bit_cast(__m512i, _mm512_cvtne2ps_pbh(second.raw, first.raw))};
}
inline VecI32 Consecutive(RoundedToBf16 x) { return {x.raw}; }
inline VecI32 Pairs(RoundedToBf16 x) {
  const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24,
                                         8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  return {_mm512_permutexvar_epi16(order, x.raw)};
}
#else
struct RoundedToBf16 {
  VecI32 first, second;
};
inline RoundedToBf16 RoundToBf16(VecF32 first, VecF32 second) {
  const auto flushed = [](VecF32 x) {
    const VecF32 zero = FloatFromBits(And(BitsOf(x), SetI32(INT32_MIN)));
    return Select(Less(Abs(x), SetF32(0x1p-126f)), zero, x);
  };
  return {Bf16FromFloat(flushed(first)), Bf16FromFloat(flushed(second))};
}
inline VecI32 Consecutive(RoundedToBf16 x) {
  uint16_t numbers[32];
  StoreLow16(numbers, x.first);
  StoreLow16(numbers + 16, x.second);
  int32_t units[16];
  __builtin_memcpy(units, numbers, sizeof(units));
  return Load(units);
}
inline VecI32 Pairs(RoundedToBf16 x) { return Or(x.first, ShiftLeft<16>(x.second)); }
#endif

inline VecI32 PairOfBf16(VecF32 first, VecF32 second) { return Pairs(RoundToBf16(first, second)); }

// The numbers of two vectors as sums of kParts of bf16, each of which is what the parts before
// leave of the number, rounded: store(i, RoundedToBf16) has part i. Three are all bits of fp32 from
// 2^-103 on, and two those of fp16; less than 2^-126 is lost of smaller ones. An infinity, and what
// rounding makes one, has parts of which some are none or NaNs.
template <int kParts, class Store>
[[gnu::always_inline]] inline void SplitNumbers(VecF32 first, VecF32 second, Store store) {
#pragma GCC unroll 3
  for (int i = 0; i < kParts; ++i) {
    const RoundedToBf16 part = RoundToBf16(first, second);
    store(i, part);
    if (i + 1 == kParts) return;
    const VecI32 pairs = Pairs(part), upper = SetI32(static_cast<int32_t>(0xffff0000));
    first = Sub(first, FloatFromBits(ShiftLeft<16>(pairs)));
    second = Sub(second, FloatFromBits(And(pairs, upper)));
  }
}

}  // namespace anyacl::ANYACL_ISA
