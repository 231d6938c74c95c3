// SPDX-License-Identifier: Apache-2.0
// The arithmetics bf16, half, whole and int8 in matrix registers, and what bf16 is for few rows.
// How operands are packed: kernel_matrix_pack.h.
//
// Half and whole multiply numbers in two and in three parts of bf16, SplitNumbers. A step adds the
// products of parts i of A and j of B in the order that kOrder has: of two parts all four, of three
// those with i + j < 3. The others together are below 2^-23 of a product.
#include <type_traits>

#include "gemm/kernel_block.h"
#include "gemm/kernel_factors.h"
#include "gemm/kernel_matrix_pack.h"
#include "simd/float_tile.h"
#include "simd/matrix_tile.h"
#include "simd/prefetch.h"

namespace anyacl::ANYACL_ISA {
namespace {

template <class FormatOfBoth, MatrixNumbers kWhich>
struct Matrix {
  static constexpr MatrixNumbers kNumbers = kWhich;
  static constexpr int64_t kUnitDepth = FormatOfBoth::kDepth;
  static constexpr int kParts = 1;
  static constexpr int kVectors = kMatrixColumns / 16;
  template <class Function>
  static void WithRows(Element, Function f) {
    f(FormatOfBoth());
  }
  template <class Function>
  static void WithColumns(Element, Function f) {
    f(FormatOfBoth());
  }
};
using MatrixBf16 = Matrix<FormatBf16Pairs, MatrixNumbers::kBf16>;
using MatrixInt8 = Matrix<FormatI8<0, 4>, MatrixNumbers::kInt8>;

// The formats are those of the numbers as fp32, before they are split.
template <int kPartsOfOne>
struct MatrixParts {
  static constexpr MatrixNumbers kNumbers = MatrixNumbers::kBf16;
  static constexpr int64_t kUnitDepth = 2;
  static constexpr int kParts = kPartsOfOne;
  static constexpr int kVectors = kMatrixColumns / 16;
  template <class Function>
  static void WithRows(Element type, Function f) {
    switch (type) {
      case Element::kFp16:
        return f(FormatFp16());
      case Element::kBf16:
        return f(FormatBf16());
      default:
        return f(FormatFp32());
    }
  }
  template <class Function>
  static void WithColumns(Element type, Function f) {
    type == Element::kInt8 ? f(FormatI8AsFp32()) : WithRows(type, f);
  }
};
using MatrixHalf = MatrixParts<2>;
using MatrixWhole = MatrixParts<3>;

// Which parts are multiplied, and when: neighbours share one, which stays in its registers.
struct PartsOfBoth {
  int row, column;
};
template <int kParts>
constexpr PartsOfBoth kOrder[1] = {{0, 0}};
template <>
constexpr PartsOfBoth kOrder<2>[4] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
template <>
constexpr PartsOfBoth kOrder<3>[6] = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {0, 0}, {2, 0}};

void ScaleHalf(const gemm::ScaleArgs& args) {
  ScaleColumns<MatrixHalf::kVectors>(args);
  SplitPanels<MatrixHalf::kParts>(static_cast<char*>(args.panels), args.panel_bytes, args.columns,
                                  args.depth, {});
}

// Rows of A, one or two tiles at a time, and steps of equally many units from unit `first` on: the
// registers have one shape.
struct MatrixPart {
  int64_t begin;
  int64_t end;
  int64_t rows[2];  // of a tile
  int64_t first;
  int64_t steps;
  int64_t units;
  bool resume;
  int64_t fetch;  // lines in every step
};

// Of rows where they lie, to L2. 16 rows of bf16 by [8192, 14336] took 11.8 ms with 1024
// bytes, 13.5 with 2048, 22.9 with 4096.
constexpr int64_t kInPlaceAhead = 512;
[[gnu::always_inline]] inline void FetchAlong(const char* rows, int64_t count, int64_t step) {
  for (int64_t i = 0; i < count; ++i) PrefetchLines<1, PrefetchL2>(rows + i * step, kInPlaceAhead);
}

// Steps of rows where they lie, in two parts: of each up to 32 rows of 16 units. Several at a time,
// since tiles are not loaded from stores that are still under way.
struct SplitSteps {
  static constexpr int64_t kMost = 4;
  static constexpr int64_t kPart = 2 * kMatrixRows * kMatrixUnits;
  alignas(64) int32_t units[kMost * 2 * kPart];

  template <class Numbers>
  [[gnu::noinline]] void Take(const char* rows, int64_t count, int64_t row_step, int64_t first,
                              int64_t steps) {
    int32_t* to = units + first * kMatrixUnits;
    for (int64_t i = 0; i < count; ++i, rows += row_step, to += kMatrixUnits) {
      const auto* line = Numbers::At(rows, 0);
      for (int64_t s = 0; s < steps; ++s, line += 2 * kSquare) {
        const VecF32 x = FloatFromBits(Numbers::LoadSteps16(line));
        const VecF32 y = FloatFromBits(Numbers::LoadSteps16(line + kSquare));
        SplitNumbers<2>(x, y, [&](int part, RoundedToBf16 rounded) {
          Store(to + (2 * s + part) * kPart, Consecutive(rounded));
        });
      }
    }
  }
  void Take(Element type, const char* rows, int64_t count, int64_t row_step, int64_t first,
            int64_t steps) {
    type == Element::kFp16 ? Take<FormatFp16>(rows, count, row_step, first, steps)
                           : Take<FormatBf16>(rows, count, row_step, first, steps);
  }
  const char* At(int64_t step, int64_t row) const {
    return reinterpret_cast<const char*>(units + 2 * step * kPart + row * kMatrixUnits);
  }
};
struct Nothing {};

template <class M, int kRowTiles, bool kSwapped>
void MultiplyPart(const gemm::BlockArgs& args, const MatrixPart& part, Fetcher& fetcher) {
  if (part.begin == part.end || part.steps == 0) return;
  constexpr int64_t kBytes = gemm::kUnitBytes, kColumnBytes = kMatrixColumns * kBytes;
  constexpr int64_t kParts = M::kParts;
  constexpr bool kMaySplit = kParts == 2;
  MatrixSums<M::kNumbers, kRowTiles> sums(part.rows[0], part.rows[1], part.units);
  const int64_t units = (args.depth + M::kUnitDepth - 1) / M::kUnitDepth;
  const bool in_place = kParts < 3 && args.row_step != 0, splits = kMaySplit && in_place;
  std::conditional_t<kMaySplit, SplitSteps, Nothing> split;
  // From row to row of a tile, from part to part, and from step to step.
  const int64_t unit_bytes = part.units * kBytes;
  const int64_t row_bytes = in_place && !splits ? args.row_step : unit_bytes;
  const int64_t part0 = splits ? SplitSteps::kPart * kBytes : part.rows[0] * unit_bytes;
  const int64_t part1 = splits ? SplitSteps::kPart * kBytes : part.rows[1] * unit_bytes;
  const int64_t step0 = in_place ? unit_bytes : kParts * part.rows[0] * unit_bytes;
  const int64_t step1 = in_place ? unit_bytes : kParts * part.rows[1] * unit_bytes;
  const auto rows_at = [&](int64_t row, int64_t rows) {
    return args.rows + (in_place ? row * args.row_step + part.first * kBytes
                                 : (row * units + part.first * rows) * kParts * kBytes);
  };
  for (int64_t row = part.begin; row < part.end; row += part.rows[0] + part.rows[1]) {
    int32_t* const to = static_cast<int32_t*>(args.sums) + row * args.sums_step;
    part.resume ? sums.Load(to, args.sums_step) : sums.Clear();
    const char* a0 = rows_at(row, part.rows[0]);
    const char* a1 = rows_at(row + part.rows[0], part.rows[1]);
    const char* b = args.panel + part.first * kParts * kColumnBytes;
    for (int64_t i = 0; i < part.steps; ++i) {
      fetcher.Fetch(part.fetch);
      if (kParts < 3 && args.fetch_rows) {
        FetchAlong(a0, part.rows[0], args.row_step);
        FetchAlong(a1, part.rows[1], args.row_step);
      }
      const char *tile0 = a0, *tile1 = a1;
      if constexpr (kMaySplit) {
        if (splits) {
          const int64_t step = i % SplitSteps::kMost;
          if (step == 0) {
            const int64_t left = part.steps - i,
                          some = left < SplitSteps::kMost ? left : SplitSteps::kMost;
            split.Take(args.row_type, a0, part.rows[0], args.row_step, 0, some);
            split.Take(args.row_type, a1, part.rows[1], args.row_step, kMatrixRows, some);
          }
          tile0 = split.At(step, 0);
          tile1 = split.At(step, kMatrixRows);
        }
      }
      int64_t at_row = -1, at_column = -1;
#pragma GCC unroll 6
      for (const PartsOfBoth parts : kOrder<M::kParts>) {
        const int64_t of_row = kSwapped ? parts.column : parts.row;
        const int64_t of_column = kSwapped ? parts.row : parts.column;
        if (of_row != at_row) {
          sums.LoadRows(tile0 + of_row * part0, tile1 + of_row * part1, row_bytes);
        }
        if (of_column != at_column) {
          sums.LoadColumns(b + of_column * kColumnBytes, kParts * kColumnBytes);
        }
        at_row = of_row;
        at_column = of_column;
        sums.Add();
      }
      a0 += step0;
      a1 += step1;
      b += part.units * kParts * kColumnBytes;
    }
    sums.Store(to, args.sums_step);
  }
}

template <class M, bool kSwapped>
void MultiplyRows(const gemm::BlockArgs& args) {
  constexpr int64_t kPair = 2 * kMatrixRows;
  const int64_t units = (args.depth + M::kUnitDepth - 1) / M::kUnitDepth;
  const int64_t steps = units / kMatrixUnits;
  Fetcher fetcher(args.ahead);
  const int64_t fetches = steps * ((args.row_count + kPair - 1) / kPair);
  const int64_t fetch = fetches == 0 ? 0 : (fetcher.lines() + fetches - 1) / fetches;
  // Setting the registers' shape costs as much as two steps.
  const auto multiply = [&](int64_t first, int64_t count, int64_t step_units, bool resume) {
    const int64_t pairs = args.row_count / kPair * kPair;
    const int64_t left = args.row_count - pairs;
    MatrixPart part{0, pairs, {kMatrixRows, kMatrixRows}, first, count, step_units, resume, fetch};
    MultiplyPart<M, 2, kSwapped>(args, part, fetcher);
    part.begin = pairs;
    part.end = args.row_count;
    part.rows[0] = left < kMatrixRows ? left : kMatrixRows;
    part.rows[1] = left - part.rows[0];
    part.rows[1] > 0 ? MultiplyPart<M, 2, kSwapped>(args, part, fetcher)
                     : MultiplyPart<M, 1, kSwapped>(args, part, fetcher);
  };
  multiply(0, steps, kMatrixUnits, args.resume);
  if (units % kMatrixUnits != 0) {
    multiply(steps * kMatrixUnits, 1, units % kMatrixUnits, args.resume || steps > 0);
  }
}

template <class M>
void MultiplyMatrix(const gemm::BlockArgs& args) {
  M::kParts > 1 && args.swapped ? MultiplyRows<M, true>(args) : MultiplyRows<M, false>(args);
}

// Of numbers below kLeastSplit the last part is a denormal, which registers take for zero, and of a
// product below kLeastProduct that of two parts may be one: multiples of 2^-23 of each number. Then
// each k loses up to 2^-126 * (7 + |a| + |b|) at once, which is below 2^-24 of the sums that are
// trusted.
constexpr float kLeastSplit = 0x1p-102f, kLeastProduct = 0x1p-80f, kLeastTrusted = 0x1p-99f;

float LeastOf(int32_t least) {
  const uint32_t bits = uint32_t{1} << 31;
  return least == 0 ? __builtin_inff()
                    : __builtin_bit_cast(float, bits - static_cast<uint32_t>(least));
}
float LeastOf(const int32_t* least, int64_t lines) {
  int32_t all = 0;
  for (int64_t i = 0; i < lines; ++i) all = least[i] > all ? least[i] : all;
  return LeastOf(all);
}

void Doubt(const gemm::DoubtArgs& args) {
  const float row = LeastOf(args.row_ranges.least, args.rows);
  const float column = LeastOf(args.column_ranges.least, args.columns);
  if (row >= kLeastSplit && column >= kLeastSplit && row * column >= kLeastProduct) return;
  const VecF32 trusted = SetF32(kLeastTrusted * static_cast<float>(args.depth));
  const VecF32 nan = SetF32(__builtin_nanf(""));
  for (int64_t m = 0; m < args.rows; ++m) {
    const float least = LeastOf(args.row_ranges.least[m]);
    const float most = __builtin_bit_cast(float, args.row_ranges.most[m]);
    if (most == 0) continue;
    for (int64_t n = 0; n < args.columns; n += 16) {
      const VecF32 other_most = FloatFromBits(Load(args.column_ranges.most + n));
      // -0 where all are 0.
      const VecF32 other_least =
          FloatFromBits(Sub(SetI32(INT32_MIN), Load(args.column_ranges.least + n)));
      const Mask loses = Or(Less(Min(SetF32(least), other_least), SetF32(kLeastSplit)),
                            Less(Mul(SetF32(least), other_least), SetF32(kLeastProduct)));
      const VecF32 largest = Max(Max(SetF32(1.0f), SetF32(most)), other_most);
      float* const at = args.sums + m * args.sums_step + n;
      const VecF32 sums = Load(at);
      const Mask doubtful =
          And(And(loses, Less(SetF32(0.0f), other_most)), Less(Abs(sums), Mul(trusted, largest)));
      Store(at, Select(doubtful, nan, sums));
    }
  }
}

// Sums of bf16 as matrix registers have them: those of the numbers with even k and of the others,
// which are added to the total after 16 units.
struct StepSums {
  VecF32 total, even, odd;
};
StepSums ZeroOf(StepSums) { return {SetF32(0.0f), SetF32(0.0f), SetF32(0.0f)}; }
StepSums LoadSum(StepSums, const int32_t* p) {
  return {FloatFromBits(Load(p)), SetF32(0.0f), SetF32(0.0f)};
}
StepSums Folded(const StepSums& s) {
  return {Add(s.total, Add(s.even, s.odd)), SetF32(0.0f), SetF32(0.0f)};
}
void StoreSum(int32_t* p, const StepSums& s) { Store(p, BitsOf(s.total)); }

struct FewBf16 {
  using Sum = StepSums;
  static constexpr int kVectors = kFloatTileVectors;
  static constexpr int kTileRows = kFloatTileRows;
  static constexpr int64_t kUnitDepth = 2;
  static constexpr int64_t kFewLines = kMatrixUnits * kUnitDepth;
  static VecI32 FromBits(VecI32 bits) { return bits; }
  static StepSums Dot(const StepSums& s, VecI32 b, const int8_t* a) {
    uint32_t pair;
    __builtin_memcpy(&pair, a, sizeof(pair));
    const VecF32 first = SetF32(__builtin_bit_cast(float, pair << 16));
    const VecF32 second = SetF32(__builtin_bit_cast(float, pair & 0xffff0000u));
    const VecI32 upper = SetI32(static_cast<int32_t>(0xffff0000));
    return {s.total, Fma(first, FloatFromBits(ShiftLeft<16>(b)), s.even),
            Fma(second, FloatFromBits(And(b, upper)), s.odd)};
  }
  template <class Function>
  static void WithColumns(Element, Function f) {
    f(FormatBf16Pairs());
  }
  template <class Function>
  static void WithRows(Element, Function f) {
    f(FormatBf16Pairs());
  }
};

void MultiplyFew(const gemm::FewArgs& args) {
  const DenormalsAsZeros mode;
  MultiplyFewOf<FewBf16>(args);
}

// A panel of 16 KiB stays in L1, which tiles read faster than any other cache: squares of 2048 in
// bf16 took 9.3 ms instead of 11.5 with 384 units, or with 64. In parts it has 16 or 24.
constexpr int64_t kMatrixBlockUnits = 128;
constexpr int64_t kPartsBlockUnits = 64;

template <class M>
constexpr gemm::Arithmetic MatrixArithmetic(void (*scale)(const gemm::ScaleArgs&) = nullptr,
                                            void (*doubt)(const gemm::DoubtArgs&) = nullptr) {
  return {.unit_depth = M::kUnitDepth,
          .parts = M::kParts,
          .tile_rows = 2 * kMatrixRows,
          .panel_columns = kMatrixColumns,
          .block_units = M::kParts > 1 ? kPartsBlockUnits : kMatrixBlockUnits,
          .pack_rows = PackMatrixRows<M>,
          .pack_columns = PackMatrixColumns<M>,
          .scale = scale,
          .multiply = MultiplyMatrix<M>,
          .multiply_few = nullptr,
          .doubt = doubt,
          .in_place_depth = M::kParts > 2 ? 0 : kMatrixUnits * M::kUnitDepth};
}

constexpr gemm::Arithmetic FewArithmetic() {
  return {.unit_depth = FewBf16::kUnitDepth,
          .tile_rows = FewBf16::kTileRows,
          .panel_columns = 16 * FewBf16::kVectors,
          .block_units = gemm::kBlockUnits,
          .pack_rows = PackRowsOf<FewBf16>,
          .pack_columns = nullptr,
          .scale = nullptr,
          .multiply = nullptr,
          .multiply_few = MultiplyFew};
}

}  // namespace

extern constinit const gemm::Arithmetic kGemmFewBf16;
constinit const gemm::Arithmetic kGemmFewBf16 = FewArithmetic();
extern constinit const gemm::Arithmetic kGemmBf16;
constinit const gemm::Arithmetic kGemmBf16 = MatrixArithmetic<MatrixBf16>();
extern constinit const gemm::Arithmetic kGemmHalf;
constinit const gemm::Arithmetic kGemmHalf = MatrixArithmetic<MatrixHalf>(ScaleHalf);
extern constinit const gemm::Arithmetic kGemmWhole;
constinit const gemm::Arithmetic kGemmWhole = MatrixArithmetic<MatrixWhole>(nullptr, Doubt);
extern constinit const gemm::Arithmetic kGemmInt8;
constinit const gemm::Arithmetic kGemmInt8 = MatrixArithmetic<MatrixInt8>();

}  // namespace anyacl::ANYACL_ISA
