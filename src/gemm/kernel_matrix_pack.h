// SPDX-License-Identifier: Apache-2.0
// Operands as matrix registers read them. Packed rows are tiles of 16 rows, the last one of what is
// left, each in steps of 16 units, the last one of what is left, too: of a step the rows follow one
// another, part by part. Packed columns are panels of 32: of a unit the columns follow one another,
// part by part. M is one of kernel_matrix.cc.
#pragma once

#include "gemm/kernel_pack.h"
#include "simd/matrix_tile.h"
#include "simd/prefetch.h"

namespace anyacl::ANYACL_ISA {

// The units of up to 16 lines from k on, a line in each vector. Lines that do not exist are
// anything.
template <class Format>
void LoadStep(const gemm::PackArgs& args, int64_t first, int64_t lines, int64_t k, int64_t depth,
              VecI32 (&units)[kSquare]) {
  using Element = typename Format::Element;
  const Element* const from = Format::At(args.from, first * args.line_step + k * args.k_step);
  if (args.k_step == 1) {
    for (int64_t i = 0; i < lines; ++i) {
      units[i] = Format::LoadSteps(from + i * args.line_step, depth);
    }
  } else if (args.line_step == 1) {
    for (int64_t u = 0; u < kSquare; ++u) {
      const int64_t left = depth - u * Format::kDepth;
      units[u] = left <= 0
                     ? SetI32(0)
                     : Format::LoadLines(from + u * Format::kDepth * args.k_step, args.k_step,
                                         left < Format::kDepth ? left : Format::kDepth, lines);
    }
    Transpose(units);
  } else {
    for (int64_t i = 0; i < lines; ++i) {
      Element line[kMatrixUnits * Format::kDepth];
      for (int64_t j = 0; j < depth; ++j) line[j] = from[i * args.line_step + j * args.k_step];
      units[i] = Format::LoadSteps(line, depth);
    }
  }
}

template <class Format>
void PackRowTiles(const gemm::PackArgs& args) {
  constexpr int64_t kStep = kMatrixUnits * Format::kDepth;
  auto* to = static_cast<int32_t*>(args.to);
  for (int64_t first = 0; first < args.lines; first += kMatrixRows) {
    const int64_t left = args.lines - first;
    const int64_t lines = left < kMatrixRows ? left : kMatrixRows;
    for (int64_t k = 0; k < args.depth; k += kStep) {
      const int64_t depth = args.depth - k < kStep ? args.depth - k : kStep;
      const int64_t count = (depth + Format::kDepth - 1) / Format::kDepth;
      if (args.k_step == 1 && depth == kStep) {
        const auto* line = Format::At(args.from, first * args.line_step + k);
        for (int64_t i = 0; i < lines; ++i, line += args.line_step) {
          PrefetchL1(reinterpret_cast<const char*>(line) + kPackAhead);
          Store(to + i * kMatrixUnits, Format::LoadSteps16(line));
        }
      } else {
        VecI32 units[kSquare];
        LoadStep<Format>(args, first, lines, k, depth, units);
        for (int64_t i = 0; i < lines; ++i) {
          Store(to + i * count, units[i], static_cast<size_t>(count));
        }
      }
      to += lines * count;
    }
  }
}

// Maxima as gemm::Ranges has them.
struct Reach {
  VecI32 most = SetI32(0), least = SetI32(0);
  void See(VecF32 x) {
    const VecI32 magnitude = BitsOf(Abs(x));
    most = Max(most, magnitude);
    least = Max(least, Sub(SetI32(INT32_MIN), magnitude));
  }
};
// Lanes are lines.
inline void AddTo(const gemm::Ranges& ranges, int64_t first, size_t lines, const Reach& reach) {
  const auto add = [&](int32_t* to, VecI32 more) {
    Store(to + first, Max(Load(to + first, lines), more), lines);
  };
  add(ranges.most, reach.most);
  add(ranges.least, reach.least);
}
inline VecI32 MaxOfEach(VecI32 (&lines)[kSquare]) {
  Transpose(lines);
  VecI32 most = lines[0];
  for (int i = 1; i < kSquare; ++i) most = Max(most, lines[i]);
  return most;
}

template <class Numbers, int kParts>
void PackRowParts(const gemm::PackArgs& args) {
  constexpr int64_t kStep = 2 * kMatrixUnits;
  auto* to = static_cast<int32_t*>(args.to);
  for (int64_t first = 0; first < args.lines; first += kMatrixRows) {
    const int64_t left = args.lines - first;
    const int64_t lines = left < kMatrixRows ? left : kMatrixRows;
    Reach reach[kSquare];
    for (int64_t k = 0; k < args.depth; k += kStep) {
      const int64_t depth = args.depth - k < kStep ? args.depth - k : kStep;
      const int64_t early = depth < kSquare ? depth : kSquare;
      const auto count = static_cast<size_t>((depth + 1) / 2);
      const auto part_size = lines * static_cast<int64_t>(count);
      const auto split = [&](int64_t i, VecI32 first_half, VecI32 second_half) {
        const VecF32 x = FloatFromBits(first_half), y = FloatFromBits(second_half);
        if (kParts == 3) {
          reach[i].See(x);
          reach[i].See(y);
        }
        int32_t* const line = to + i * static_cast<int64_t>(count);
        SplitNumbers<kParts>(x, y, [&](int part, RoundedToBf16 rounded) {
          Store(line + part * part_size, Consecutive(rounded), count);
        });
      };
      if (args.k_step == 1 && depth == kStep) {
        const auto* line = Numbers::At(args.from, first * args.line_step + k);
        for (int64_t i = 0; i < lines; ++i, line += args.line_step) {
          PrefetchL1(reinterpret_cast<const char*>(line) + kPackAhead);
          PrefetchL1(reinterpret_cast<const char*>(line + kSquare) + kPackAhead);
          split(i, Numbers::LoadSteps16(line), Numbers::LoadSteps16(line + kSquare));
        }
      } else {
        VecI32 numbers[2][kSquare] = {};
        LoadStep<Numbers>(args, first, lines, k, early, numbers[0]);
        if (depth > early) {
          LoadStep<Numbers>(args, first, lines, k + early, depth - early, numbers[1]);
        }
        for (int64_t i = 0; i < lines; ++i) split(i, numbers[0][i], numbers[1][i]);
      }
      to += kParts * part_size;
    }
    if (kParts < 3) continue;
    VecI32 most[kSquare], least[kSquare];
    for (int i = 0; i < kSquare; ++i) {
      most[i] = reach[i].most;
      least[i] = reach[i].least;
    }
    AddTo(args.ranges, first, static_cast<size_t>(lines), {MaxOfEach(most), MaxOfEach(least)});
  }
}

template <class M>
void PackMatrixRows(const gemm::PackArgs& args) {
  M::WithRows(args.type, [&](auto format) {
    if constexpr (M::kParts == 1) {
      PackRowTiles<decltype(format)>(args);
    } else {
      PackRowParts<decltype(format), M::kParts>(args);
    }
  });
}

// Numbers wait at the end of their panel: what is written of parts stays behind what is read.
inline int64_t NumbersAt(int64_t depth, int parts) {
  return (depth + 1) / 2 * (parts - 2) * kMatrixColumns * gemm::kUnitBytes;
}

template <int kParts>
void SplitPanels(char* panel, int64_t panel_bytes, int64_t columns, int64_t depth,
                 const gemm::Ranges& ranges) {
  constexpr int kVectors = kMatrixColumns / 16;
  for (int64_t first = 0; first < columns; first += kMatrixColumns, panel += panel_bytes) {
    const auto* from = reinterpret_cast<const float*>(panel + NumbersAt(depth, kParts));
    auto* to = reinterpret_cast<int32_t*>(panel);
    Reach reach[kVectors];
    for (int64_t k = 0; k < depth; k += 2, from += 2 * kMatrixColumns) {
      VecF32 x[kVectors], y[kVectors];
      for (int i = 0; i < kVectors; ++i) {
        x[i] = Load(from + 16 * i);
        y[i] = k + 1 < depth ? Load(from + kMatrixColumns + 16 * i) : SetF32(0.0f);
      }
      for (int i = 0; i < kVectors; ++i) {
        if (kParts == 3) {
          reach[i].See(x[i]);
          reach[i].See(y[i]);
        }
        SplitNumbers<kParts>(x[i], y[i], [&](int part, RoundedToBf16 rounded) {
          Store(to + part * kMatrixColumns + 16 * i, Pairs(rounded));
        });
      }
      to += kParts * kMatrixColumns;
    }
    if (kParts < 3) continue;
    for (int i = 0; i < kVectors; ++i) AddTo(ranges, first + 16 * i, 16, reach[i]);
  }
}

template <class M>
void PackMatrixColumns(const gemm::PackArgs& args) {
  // Integers have factors, and are split after them.
  if constexpr (M::kParts == 1) return PackColumnsOf<M>(args);
  if (args.type == Element::kInt8) return PackColumnsOf<M>(args);
  gemm::PackArgs numbers = args;
  numbers.to = static_cast<char*>(args.to) + NumbersAt(args.depth, M::kParts);
  PackColumnsOf<M>(numbers);
  SplitPanels<M::kParts>(static_cast<char*>(args.to), args.panel_bytes, args.lines, args.depth,
                         args.ranges);
}

}  // namespace anyacl::ANYACL_ISA
