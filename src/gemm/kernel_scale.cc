// SPDX-License-Identifier: Apache-2.0
// Integers that stand for numbers by a factor, and an offset, of their group: made numbers where
// they are packed or, of few rows, where they are multiplied.
#include "gemm/kernel_pack.h"
#include "gemm/kernel_view.h"
#include "simd/float_tile.h"
#include "simd/int4_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

using gemm::FewArgs;
using gemm::Groups;
using gemm::ScaleArgs;

// Factors and offsets of 16 columns in one group; those of columns that do not exist are 0.
struct Factors {
  VecF32 scale, offset;
};
Factors FactorsOf(const Groups& groups, int64_t k, int64_t column, int64_t columns) {
  const int64_t left = columns - column, n = left < 16 ? left : 16;
  Factors f = {SetF32(0.0f), SetF32(0.0f)};
  if (n <= 0) return f;
  f.scale = LoadFloats(groups.scale, k / groups.group, column, n);
  if (groups.offset.data != nullptr) {
    f.offset = LoadFloats(groups.offset, k / groups.group, column, n);
  }
  return f;
}
VecF32 Apply(VecF32 b, const Factors& f) { return Mul(Add(b, f.offset), f.scale); }

// k that are brought into registers at a time: 32 bytes of int4.
constexpr int64_t kSteps = 64;
constexpr int64_t kSquares = kSteps / kSquare;
constexpr int64_t kAhead = 512;

// kSteps elements of a line, or those that are left.
template <bool kInt4>
[[gnu::always_inline]] inline void LoadLine(const int8_t* line, int64_t k, int64_t left,
                                            VecI32 (&units)[kSquares][kSquare], int64_t i) {
  if (kInt4 && left >= kSteps) {
    VecF32 numbers[4];
    LoadI4AsF32(reinterpret_cast<const uint8_t*>(line + k / 2), numbers);
#pragma GCC unroll 4
    for (int q = 0; q < kSquares; ++q) units[q][i] = BitsOf(numbers[q]);
    return;
  }
  int8_t bytes[kSteps] = {};
  const int8_t* from = line + k;
  if (kInt4 || left < kSteps) {
    for (int64_t j = 0; j < left && j < kSteps; ++j) {
      if (!kInt4) {
        bytes[j] = from[j];
      } else {
        const int8_t pair = line[(k + j) / 2];
        bytes[j] =
            static_cast<int8_t>(j % 2 != 0 ? pair >> 4 : static_cast<int8_t>(pair * 16) >> 4);
      }
    }
    from = bytes;
  }
#pragma GCC unroll 4
  for (int q = 0; q < kSquares; ++q) units[q][i] = FormatI8AsFp32::LoadSteps16(from + q * kSquare);
}

// 16 columns at a time are transposed in registers, as MultiplyFewAlong does.
template <bool kInt4, int kRows>
[[gnu::noinline]] void ScaleFew(const FewArgs& args, const Groups& groups, int64_t first) {
  for (int64_t n = 0; n < args.columns; n += kSquare) {
    const int8_t* lines[kSquare];
    for (int64_t i = 0; i < kSquare; ++i) {
      const int64_t line = n + i < args.columns ? n + i : args.columns - 1;
      const int64_t at = line * args.column_step;
      lines[i] = static_cast<const int8_t*>(args.b) + (kInt4 ? at / 2 : at);
    }
    VecF32 sum[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) sum[r] = SetF32(0.0f);
    Factors factors = {};
    const auto* a = reinterpret_cast<const int8_t*>(args.rows);
    for (int64_t k = 0; k < args.depth; k += kSteps) {
      VecI32 units[kSquares][kSquare];
      for (int64_t i = 0; i < kSquare; ++i) {
        PrefetchL1(lines[i] + (kInt4 ? k / 2 : k) + kAhead);
        LoadLine<kInt4>(lines[i], k, args.depth - k, units, i);
      }
      for (int64_t q = 0; q < kSquares; ++q) {
        const int64_t at = k + q * kSquare;
        const int64_t left = args.depth - at;
        if (left <= 0) break;
        if (at == 0 || (first + at) % groups.group == 0) {
          factors = FactorsOf(groups, first + at, n, args.columns);
        }
        Transpose(units[q]);
        const int64_t count = left < kSquare ? left : kSquare;
        for (int64_t i = 0; i < count; ++i, a += 4 * kRows) {
          const VecF32 b = Apply(FloatFromBits(units[q][i]), factors);
#pragma GCC unroll 4
          for (int r = 0; r < kRows; ++r) sum[r] = FmaBroadcast(sum[r], b, a + 4 * r);
        }
      }
    }
    for (int r = 0; r < kRows; ++r) {
      Store(static_cast<float*>(args.sums) + r * args.sums_step + n, sum[r]);
    }
  }
}

template <bool kInt4>
void ScaleFewRows(const FewArgs& args, const Groups& groups, int64_t first) {
  switch (args.row_count) {
    case 1:
      return ScaleFew<kInt4, 1>(args, groups, first);
    case 2:
      return ScaleFew<kInt4, 2>(args, groups, first);
    case 3:
      return ScaleFew<kInt4, 3>(args, groups, first);
    case 4:
      return ScaleFew<kInt4, 4>(args, groups, first);
  }
}

}  // namespace

void GemmScale(const ScaleArgs& args) {
  constexpr int64_t kWidth = 16 * kFloatTileVectors;
  char* panel = static_cast<char*>(args.panels);
  for (int64_t first = 0; first < args.columns; first += kWidth, panel += args.panel_bytes) {
    float* row = reinterpret_cast<float*>(panel);
    for (int64_t k = 0; k < args.depth;) {
      const int64_t place = args.first + k;
      const int64_t rest = args.groups.group - place % args.groups.group;
      const int64_t end = args.depth - k < rest ? args.depth : k + rest;
      Factors factors[kFloatTileVectors];
      for (int i = 0; i < kFloatTileVectors; ++i) {
        factors[i] = FactorsOf(args.groups, place, first + 16 * i, args.columns);
      }
      for (; k < end; ++k, row += kWidth) {
#pragma GCC unroll 2
        for (int i = 0; i < kFloatTileVectors; ++i) {
          Store(row + 16 * i, Apply(Load(row + 16 * i), factors[i]));
        }
      }
    }
  }
}

void GemmScaleFew(const FewArgs& args, const Groups& groups, int64_t first) {
  args.type == Element::kInt4 ? ScaleFewRows<true>(args, groups, first)
                              : ScaleFewRows<false>(args, groups, first);
}

}  // namespace anyacl::ANYACL_ISA
