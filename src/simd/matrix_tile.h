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
// Where the compiler has no such registers they are imitated in memory, with the same bits: so that
// what is built on them is tested everywhere.
#pragma once

#include "simd/simd.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace anyacl::ANYACL_ISA {

inline constexpr int64_t kMatrixRows = 16;     // of a tile
inline constexpr int64_t kMatrixUnits = 16;    // of a step
inline constexpr int64_t kMatrixColumns = 32;  // of two tiles

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

#if defined(__AMX_TILE__)

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
  // Rows of A are row_bytes apart.
  [[gnu::always_inline]] void Add(const void* a0, const void* a1, int64_t row_bytes,
                                  const void* b) {
    constexpr int64_t kUnitRow = 4 * kMatrixColumns;
    _tile_loadd(6, b, kUnitRow);
    _tile_loadd(4, a0, row_bytes);
    if constexpr (kNumbers == MatrixNumbers::kBf16) _tile_dpbf16ps(0, 4, 6);
    if constexpr (kNumbers == MatrixNumbers::kInt8) _tile_dpbssd(0, 4, 6);
    _tile_loadd(7, static_cast<const char*>(b) + 64, kUnitRow);
    if constexpr (kNumbers == MatrixNumbers::kBf16) _tile_dpbf16ps(1, 4, 7);
    if constexpr (kNumbers == MatrixNumbers::kInt8) _tile_dpbssd(1, 4, 7);
    if constexpr (kRowTiles == 2) {
      _tile_loadd(5, a1, row_bytes);
      if constexpr (kNumbers == MatrixNumbers::kBf16) {
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
      } else {
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
      }
    }
  }
};

#else

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
  void Add(const void* a0, const void* a1, int64_t row_bytes, const void* b) {
    ForRows([&](int64_t row, int32_t* line) {
      const auto* const tile = static_cast<const char*>(row < kMatrixRows ? a0 : a1);
      const char* const a = tile + row % kMatrixRows * row_bytes;
      for (int64_t column = 0; column < kMatrixColumns; ++column) {
        AddUnits(line[column], a, static_cast<const char*>(b) + 4 * column);
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
  static float Flushed(float x) {
    return (__builtin_bit_cast(uint32_t, x) & 0x7f800000u) == 0 ? __builtin_copysignf(0.0f, x) : x;
  }
  static float At(const char* p) {
    uint16_t bits;
    __builtin_memcpy(&bits, p, sizeof(bits));
    return Flushed(__builtin_bit_cast(float, uint32_t{bits} << 16));
  }
  void AddUnits(int32_t& sum, const char* a, const char* b) const {
    if constexpr (kNumbers == MatrixNumbers::kInt8) {
      auto total = static_cast<uint32_t>(sum);
      for (int64_t u = 0; u < units_; ++u) {
        for (int64_t i = 0; i < 4; ++i) {
          total += static_cast<uint32_t>(static_cast<signed char>(a[4 * u + i]) *
                                         static_cast<signed char>(b[4 * kMatrixColumns * u + i]));
        }
      }
      sum = static_cast<int32_t>(total);
    } else {
      float parts[2] = {};
      for (int64_t u = 0; u < units_; ++u) {
        for (int64_t i = 0; i < 2; ++i) {
          parts[i] = Flushed(__builtin_fmaf(At(a + 4 * u + 2 * i),
                                            At(b + 4 * kMatrixColumns * u + 2 * i), parts[i]));
        }
      }
      const float before = Flushed(__builtin_bit_cast(float, sum));
      sum = __builtin_bit_cast(int32_t, Flushed(before + Flushed(parts[0] + parts[1])));
    }
  }

  int64_t rows_[2];
  int64_t units_;
  int32_t sums_[2 * kMatrixRows][kMatrixColumns];
};

#endif

}  // namespace anyacl::ANYACL_ISA
