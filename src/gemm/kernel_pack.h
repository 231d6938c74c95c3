// SPDX-License-Identifier: Apache-2.0
// Packing: unit u of line l of an operand goes to dword u * width + l. A Format says how elements
// in memory become units of 4 bytes:
//   Element, kDepth             what lies in memory, and how many of them a unit holds
//   LoadSteps(p, n)             16 units of one line, k contiguous: the first n elements, and zeros
//   LoadLines(p, k_step, k, n)  one unit of each of 16 contiguous lines: of n lines and k elements
//   LoadSteps16, LoadLines16    the same for all of them
#pragma once

#include "gemm/kernel.h"
#include "simd/int16_tile.h"
#include "simd/panel.h"
#include "simd/transpose_tile.h"

namespace anyacl::ANYACL_ISA {

template <class T, int kDepthOf>
struct FormatOf {
  using Element = T;
  static constexpr int64_t kDepth = kDepthOf;
  static const T* At(const void* p, int64_t i) { return static_cast<const T*>(p) + i; }
};

// Numbers as fp32.
template <class T, VecF32 (*kLoad)(const T*), VecF32 (*kLoadSome)(const T*, size_t)>
struct FloatFormat : FormatOf<T, 1> {
  static VecI32 LoadSteps16(const T* p) { return BitsOf(kLoad(p)); }
  static VecI32 LoadSteps(const T* p, int64_t n) {
    return BitsOf(kLoadSome(p, static_cast<size_t>(n)));
  }
  static VecI32 LoadLines16(const T* p, int64_t) { return BitsOf(kLoad(p)); }
  static VecI32 LoadLines(const T* p, int64_t, int64_t, int64_t n) { return LoadSteps(p, n); }
};
inline VecF32 LoadI8AsFloats(const int8_t* p) { return ToF32(LoadI8(p)); }
inline VecF32 LoadI8AsFloats(const int8_t* p, size_t n) { return ToF32(LoadI8(p, n)); }
using FormatFp32 = FloatFormat<float, Load, Load>;
using FormatFp16 = FloatFormat<uint16_t, LoadFp16, LoadFp16>;
using FormatBf16 = FloatFormat<uint16_t, LoadBf16, LoadBf16>;
using FormatI8AsFp32 = FloatFormat<int8_t, LoadI8AsFloats, LoadI8AsFloats>;

struct FormatBf16Pairs : FormatOf<uint16_t, 2> {
  static VecI32 LoadSteps16(const uint16_t* p) {
    return __builtin_bit_cast(VecI32, Load(reinterpret_cast<const int16_t*>(p)));
  }
  static VecI32 LoadSteps(const uint16_t* p, int64_t n) {
    return __builtin_bit_cast(VecI32,
                              Load(reinterpret_cast<const int16_t*>(p), static_cast<size_t>(n)));
  }
  static VecI32 LoadLines16(const uint16_t* p, int64_t k_step) {
    return Or(LoadU16(p), ShiftLeft<16>(LoadU16(p + k_step)));
  }
  static VecI32 LoadLines(const uint16_t* p, int64_t k_step, int64_t k, int64_t n) {
    const auto count = static_cast<size_t>(n);
    const VecI32 first = LoadU16(p, count);
    return k == 1 ? first : Or(first, ShiftLeft<16>(LoadU16(p + k_step, count)));
  }
};

// Four bytes or two words, as the tier multiplies them (simd/panel.h), with what it adds to them.
template <int kBias, int kDepthOf = kDepth>
struct FormatI8 : FormatOf<int8_t, kDepthOf> {
  static VecI32 Biased(VecI32 units) {
    return kBias == 0 ? units : Xor(units, SetI32(static_cast<int32_t>(0x80808080)));
  }
  static VecI32 LoadSteps16(const int8_t* p) {
    if constexpr (kDepthOf == 4) {
      return Biased(__builtin_bit_cast(VecI32, Load(p)));
    } else {
      return Biased(__builtin_bit_cast(VecI32, LoadI8AsI16(p)));
    }
  }
  static VecI32 LoadSteps(const int8_t* p, int64_t n) {
    int8_t bytes[64] = {};
    for (int64_t i = 0; i < n; ++i) bytes[i] = p[i];
    return LoadSteps16(bytes);
  }
  static VecI32 LoadLines16(const int8_t* p, int64_t k_step) {
    return Join(kDepthOf, [&](int64_t k) { return LoadI8(p + k * k_step); });
  }
  static VecI32 LoadLines(const int8_t* p, int64_t k_step, int64_t k, int64_t n) {
    return Join(k, [&](int64_t i) { return LoadI8(p + i * k_step, static_cast<size_t>(n)); });
  }

 private:
  template <class Row>
  static VecI32 Join(int64_t k, Row row) {
    const VecI32 zero = SetI32(0);
    if constexpr (kDepthOf == 4) {
      const VecI32 low = SetI32(0xff);
      const VecI32 first = And(row(0), low);
      const VecI32 second = k > 1 ? ShiftLeft<8>(And(row(1), low)) : zero;
      const VecI32 third = k > 2 ? ShiftLeft<16>(And(row(2), low)) : zero;
      const VecI32 fourth = k > 3 ? ShiftLeft<24>(row(3)) : zero;
      return Biased(Or(Or(first, second), Or(third, fourth)));
    } else {
      return Or(And(row(0), SetI32(0xffff)), k > 1 ? ShiftLeft<16>(row(1)) : zero);
    }
  }
};

inline constexpr int64_t kSquare = 16;

// Lines by up to 16 units, of which there are `depth` elements: units[i] has those of line i.
template <class Format, int kLines>
[[gnu::always_inline]] inline void LoadUnits(const typename Format::Element* const* lines,
                                             int64_t k, int64_t depth, VecI32 (&units)[kLines]) {
  if (depth >= kSquare * Format::kDepth) {
#pragma GCC unroll 16
    for (int i = 0; i < kLines; ++i) units[i] = Format::LoadSteps16(lines[i] + k);
  } else {
    for (int i = 0; i < kLines; ++i) units[i] = Format::LoadSteps(lines[i] + k, depth);
  }
}

// The same of 16 lines, turned: units[i] has unit i of each line.
template <class Format>
[[gnu::always_inline]] inline void LoadSquare(const typename Format::Element* const* lines,
                                              int64_t k, int64_t depth, VecI32 (&units)[kSquare]) {
  LoadUnits<Format>(lines, k, depth, units);
  Transpose(units);
}

// 8 or 16 lines by up to 16 units. Lines that do not exist repeat the last one: their sums are
// nobody's.
template <class Format, int kLines>
[[gnu::always_inline]] inline void PackSquare(const typename Format::Element* const* lines,
                                              int64_t k, int64_t depth, int32_t* to,
                                              int64_t width) {
  VecI32 units[kLines];
  const int64_t left = (depth + Format::kDepth - 1) / Format::kDepth;
  const int64_t count = left < kSquare ? left : kSquare;
  if constexpr (kLines == 8) {
    LoadUnits<Format>(lines, k, depth, units);
    StoreTurned(units, count, to, width);
  } else {
    LoadSquare<Format>(lines, k, depth, units);
    if (count == kSquare) {
#pragma GCC unroll 16
      for (int i = 0; i < kSquare; ++i) Store(to + i * width, units[i]);
      return;
    }
    for (int64_t i = 0; i < count; ++i) Store(to + i * width, units[i]);
  }
}

// Bytes that a line is fetched ahead of its use, to L2: lines that are a power of two apart share
// one set of L1, which has less room than 16 of them need.
inline constexpr int64_t kPackAhead = 768;

// Lines whose k are contiguous, so many at a time.
template <class Format, int kLines>
void PackAlong(const gemm::PackArgs& args, int64_t width) {
  constexpr int64_t kBlock = kSquare * Format::kDepth;
  auto* const to = static_cast<int32_t*>(args.to);
  for (int64_t first = 0; first < width; first += kLines) {
    const typename Format::Element* lines[kLines];
    for (int64_t i = 0; i < kLines; ++i) {
      const int64_t line = first + i < args.lines ? first + i : args.lines - 1;
      lines[i] = Format::At(args.from, line * args.line_step);
    }
    for (int64_t k = 0; k < args.depth; k += kBlock) {
#pragma GCC unroll 16
      for (int i = 0; i < kLines; ++i) {
        PrefetchL2(reinterpret_cast<const char*>(lines[i] + k) + kPackAhead);
      }
      int32_t* const square = to + k / Format::kDepth * width + first;
      // What will be written next.
      if (width <= kLines) {
        for (int64_t i = 0; i < width; ++i) PrefetchL1(square + kSquare * (width + i));
      } else {
#pragma GCC unroll 16
        for (int64_t i = 0; i < kSquare; ++i) PrefetchL1(square + (kSquare + i) * width);
      }
      PackSquare<Format, kLines>(lines, k, args.depth - k, square, width);
    }
  }
}

// One line.
template <class Format>
void PackOne(const gemm::PackArgs& args) {
  constexpr int64_t kBlock = kSquare * Format::kDepth;
  const auto* const from = Format::At(args.from, 0);
  auto* const to = static_cast<int32_t*>(args.to);
  int64_t k = 0;
  for (; k + kBlock <= args.depth; k += kBlock) {
    Store(to + k / Format::kDepth, Format::LoadSteps16(from + k));
  }
  if (k == args.depth) return;
  const int64_t units = (args.depth - k + Format::kDepth - 1) / Format::kDepth;
  Store(to + k / Format::kDepth, Format::LoadSteps(from + k, args.depth - k),
        static_cast<size_t>(units));
}

// Rows of lines that are fetched ahead: rows that are a power of two apart share a set of L1, which
// has room for eight.
inline constexpr int64_t kRowsAhead = 6;

// Contiguous lines, in panels of `width`, all of them row by row: the longer the pieces of rows,
// the better they are fetched. Behind a width that is no multiple of 16 the next unit overwrites.
template <class Format>
void PackAcross(const gemm::PackArgs& args, int64_t width) {
  auto* to = static_cast<char*>(args.to);
  for (int64_t k = 0; k < args.depth; k += Format::kDepth, to += width * gemm::kUnitBytes) {
    const auto* const from = Format::At(args.from, k * args.k_step);
    const int64_t left = args.depth - k < Format::kDepth ? args.depth - k : Format::kDepth;
    char* panel = to;
    for (int64_t first = 0; first < args.lines; first += width, panel += args.panel_bytes) {
      for (int64_t line = 0; line < width; line += kSquare) {
        const int64_t rest = args.lines - first - line;
        const int64_t lines = rest < kSquare ? rest : kSquare;
        const auto* const at = from + first + line;
        VecI32 units = SetI32(0);
        if (lines == kSquare && left == Format::kDepth) {
          for (int64_t i = 0; i < Format::kDepth; ++i) {
            PrefetchL1(at + (kRowsAhead * Format::kDepth + i) * args.k_step);
          }
          units = Format::LoadLines16(at, args.k_step);
        } else if (lines > 0) {
          units = Format::LoadLines(at, args.k_step, left, lines);
        }
        Store(reinterpret_cast<int32_t*>(panel) + line, units);
      }
    }
  }
}

// Lines that are strided both ways.
template <class Format>
void PackGathered(const gemm::PackArgs& args, int64_t width) {
  using Element = typename Format::Element;
  constexpr int64_t kBlock = kSquare * Format::kDepth;
  Element square[kSquare][kBlock];
  const Element* lines[kSquare];
  for (int64_t i = 0; i < kSquare; ++i) lines[i] = square[i];
  auto* const to = static_cast<int32_t*>(args.to);
  for (int64_t k = 0; k < args.depth; k += kBlock) {
    const int64_t depth = args.depth - k < kBlock ? args.depth - k : kBlock;
    for (int64_t first = 0; first < width; first += kSquare) {
      for (int64_t i = 0; i < kSquare; ++i) {
        const int64_t line = first + i < args.lines ? first + i : args.lines - 1;
        const Element* from = Format::At(args.from, line * args.line_step + k * args.k_step);
        for (int64_t j = 0; j < depth; ++j) square[i][j] = from[j * args.k_step];
      }
      PackSquare<Format, kSquare>(lines, 0, depth, to + k / Format::kDepth * width + first, width);
    }
  }
}

template <class Format>
void PackLines(const gemm::PackArgs& args, int64_t width) {
  if (args.k_step == 1 && width == 1) {
    PackOne<Format>(args);
  } else if (args.line_step == 1) {
    PackAcross<Format>(args, width);
  } else if (args.k_step == 1) {
    // Of a tile's rows: a square of 16 lines would hold twice what they need.
    width <= 8 ? PackAlong<Format, 8>(args, width) : PackAlong<Format, kSquare>(args, width);
  } else {
    PackGathered<Format>(args, width);
  }
}

}  // namespace anyacl::ANYACL_ISA
