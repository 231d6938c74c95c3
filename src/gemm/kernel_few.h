// SPDX-License-Identifier: Apache-2.0
// Products of up to kFewRows rows, which are bound by reading B: it is multiplied where it lies.
// Its lines come from memory in pieces that are contiguous for long enough to be worth a DRAM page.
#pragma once

#include "gemm/kernel.h"
#include "gemm/kernel_pack.h"
#include "gemm/kernel_tile.h"

namespace anyacl::ANYACL_ISA {

// Rows of B that are read side by side, Panel::kFewLines: 4 and 16 are slower.
inline constexpr int64_t kFewLines = 8;
// Bytes that each of them is fetched ahead: one row by 8192 x 14336 numbers of fp32 takes 13.9 ms
// on a Xeon, with 512 17.2.
inline constexpr int64_t kFewAhead = 1024;

// B's columns are contiguous. Some rows of B at a time: the sums of all columns wait in the cache.
template <class Panel, class Format, int kRows>
class FewAcross {
 public:
  [[gnu::noinline]] static void Multiply(const gemm::FewArgs& args) {
    const int8_t* a = reinterpret_cast<const int8_t*>(args.rows);
    // Of few columns the same ones of the next rows: what lies beside them others ask for.
    const int64_t ahead = args.columns < kAhead ? args.columns : kAhead;
    for (int64_t k = 0; k < args.depth; k += kGroup, a += 4 * kRows * kSteps) {
      Part part{.sums = static_cast<int32_t*>(args.sums),
                .sums_step = args.sums_step,
                .a = a,
                .b = Format::At(args.b, k * args.k_step),
                .k_step = args.k_step,
                .depth = args.depth - k,
                .resume = k != 0};
      int64_t n = 0;
      if (part.depth >= kGroup) {
        for (; n + kColumns <= args.columns; n += kColumns) {
          // The next lines of the same rows, and at their ends the first ones of the next rows.
          part.ahead =
              n + ahead < args.columns ? ahead : kGroup * args.k_step + ahead - args.columns;
          AddColumns(part);
          part.sums += kColumns;
          part.b += kColumns;
        }
      }
      for (; n < args.columns; n += 16) {
        AddSome(part, args.columns - n < 16 ? args.columns - n : 16);
        part.sums += 16;
        part.b += 16;
      }
    }
  }

 private:
  using Element = typename Format::Element;
  using Sum = typename Panel::Sum;
  static constexpr int64_t kDepth = Format::kDepth;
  static constexpr int64_t kSteps = Panel::kFewLines / kDepth;
  static constexpr int64_t kGroup = kSteps * kDepth;
  // A line of the cache.
  static constexpr int kVectors = static_cast<int>(4 / sizeof(Element));
  static constexpr int64_t kColumns = 16 * kVectors;
  static constexpr auto kAhead = static_cast<int64_t>(kFewAhead / sizeof(Element));

  struct Part {
    int32_t* sums;
    int64_t sums_step;
    const int8_t* a;
    const Element* b;
    int64_t k_step;
    int64_t depth;  // that is left
    bool resume;
    int64_t ahead = 0;
  };

  [[gnu::always_inline]] static void AddColumns(const Part& part) {
    Sum sum[kRows][kVectors];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int i = 0; i < kVectors; ++i) {
        int32_t* const at = part.sums + r * part.sums_step + 16 * i;
        sum[r][i] = part.resume ? LoadSum(Sum{}, at) : ZeroOf(Sum{});
      }
    }
#pragma GCC unroll 16
    for (int64_t s = 0; s < kSteps; ++s) {
      const Element* const row = part.b + s * kDepth * part.k_step;
#pragma GCC unroll 4
      for (int64_t k = 0; k < kDepth; ++k) PrefetchL1(row + k * part.k_step + part.ahead);
#pragma GCC unroll 4
      for (int i = 0; i < kVectors; ++i) {
        const auto operand = Panel::FromBits(Format::LoadLines16(row + 16 * i, part.k_step));
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) {
          sum[r][i] = Panel::Dot(sum[r][i], operand, part.a + 4 * (s * kRows + r));
        }
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int i = 0; i < kVectors; ++i) {
        StoreSum(part.sums + r * part.sums_step + 16 * i, Folded(sum[r][i]));
      }
    }
  }

  // Of 16 columns, those that exist, and the k that are left.
  static void AddSome(const Part& part, int64_t columns) {
    Sum sum[kRows];
    for (int r = 0; r < kRows; ++r) {
      sum[r] = part.resume ? LoadSum(Sum{}, part.sums + r * part.sums_step) : ZeroOf(Sum{});
    }
    for (int64_t s = 0; s < kSteps && s * kDepth < part.depth; ++s) {
      const int64_t left = part.depth - s * kDepth;
      const VecI32 units = Format::LoadLines(part.b + s * kDepth * part.k_step, part.k_step,
                                             left < kDepth ? left : kDepth, columns);
      for (int r = 0; r < kRows; ++r) {
        sum[r] = Panel::Dot(sum[r], Panel::FromBits(units), part.a + 4 * (s * kRows + r));
      }
    }
    for (int r = 0; r < kRows; ++r) StoreSum(part.sums + r * part.sums_step, Folded(sum[r]));
  }
};

// Bytes of a column that are fetched in one go.
inline constexpr int64_t kFewPiece = 1024;

// B's k are contiguous: 16 columns at a time are transposed in registers.
template <class Panel, class Format, int kRows>
[[gnu::noinline]] void MultiplyFewAlong(const gemm::FewArgs& args) {
  using Element = typename Format::Element;
  using Sum = typename Panel::Sum;
  constexpr int64_t kBlock = kSquare * Format::kDepth;
  constexpr auto kPiece = static_cast<int64_t>(kFewPiece / sizeof(Element));
  // While a piece of all columns is multiplied, the next ones are fetched, some of them a block.
  constexpr int64_t kBlocks = kPiece / kBlock;
  constexpr int64_t kFetches = (kSquare * kFewPiece / 64 + kBlocks - 1) / kBlocks;
  static_assert(kFetches * kBlocks == kSquare * kFewPiece / 64);
  for (int64_t n = 0; n < args.columns; n += kSquare) {
    const Element* lines[kSquare];
    const Element* next[kSquare];
    for (int64_t i = 0; i < kSquare; ++i) {
      const int64_t line = n + i < args.columns ? n + i : args.columns - 1;
      lines[i] = Format::At(args.b, line * args.column_step);
      next[i] = lines[i] + kSquare * args.column_step;
    }
    Sum sum[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) sum[r] = ZeroOf(Sum{});
    const int8_t* a = reinterpret_cast<const int8_t*>(args.rows);
    for (int64_t k = 0; k < args.depth; k += kBlock, a += 4 * kRows * kSquare) {
      const int64_t piece = k / kPiece * kPiece + kPiece;
      const int64_t line = k % kPiece / (kPiece / kSquare);
      const auto* const at =
          reinterpret_cast<const char*>(piece < args.depth ? lines[line] + piece : next[line]) +
          k * kFetches * 64 / kBlock % kFewPiece;
#pragma GCC unroll 16
      for (int64_t i = 0; i < kFetches; ++i) PrefetchL2(at + 64 * i);
      VecI32 units[kSquare];
      LoadSquare<Format>(lines, k, args.depth - k, units);
      const int64_t left = (args.depth - k + Format::kDepth - 1) / Format::kDepth;
      if (left >= kSquare) {
#pragma GCC unroll 16
        for (int64_t i = 0; i < kSquare; ++i) {
#pragma GCC unroll 4
          for (int r = 0; r < kRows; ++r) {
            sum[r] = Panel::Dot(sum[r], Panel::FromBits(units[i]), a + 4 * (i * kRows + r));
          }
        }
      } else {
        for (int64_t i = 0; i < left; ++i) {
          for (int r = 0; r < kRows; ++r) {
            sum[r] = Panel::Dot(sum[r], Panel::FromBits(units[i]), a + 4 * (i * kRows + r));
          }
        }
      }
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) sum[r] = Folded(sum[r]);
    }
    for (int r = 0; r < kRows; ++r) {
      StoreSum(static_cast<int32_t*>(args.sums) + r * args.sums_step + n, sum[r]);
    }
  }
}

template <class Panel, class Format, int kRows>
void MultiplyFewRows(const gemm::FewArgs& args) {
  if (args.column_step == 1) return FewAcross<Panel, Format, kRows>::Multiply(args);
  MultiplyFewAlong<Panel, Format, kRows>(args);
}

template <class Panel>
void MultiplyFewOf(const gemm::FewArgs& args) {
  Panel::WithColumns(args.type, [&](auto format) {
    using Format = decltype(format);
    switch (args.row_count) {
      case 1:
        return MultiplyFewRows<Panel, Format, 1>(args);
      case 2:
        return MultiplyFewRows<Panel, Format, 2>(args);
      case 3:
        return MultiplyFewRows<Panel, Format, 3>(args);
      case 4:
        return MultiplyFewRows<Panel, Format, 4>(args);
    }
  });
}

}  // namespace anyacl::ANYACL_ISA
