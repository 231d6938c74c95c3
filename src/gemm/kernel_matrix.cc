// SPDX-License-Identifier: Apache-2.0
// The arithmetics bf16, half and int8 in matrix registers, and what bf16 is for few rows. Packed
// rows are tiles of 16 rows, the last one of what is left, each in steps of 16 units, the last one
// of what is left, too: of a step the rows follow one another and, of half, the same rows turned.
#include "gemm/kernel_block.h"
#include "gemm/kernel_factors.h"
#include "simd/float_tile.h"
#include "simd/matrix_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

template <class FormatOfBoth, MatrixNumbers kWhich>
struct Matrix {
  static constexpr MatrixNumbers kNumbers = kWhich;
  static constexpr int64_t kUnitDepth = FormatOfBoth::kDepth;
  static constexpr bool kTurned = false;
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

// Numbers as units, SplitNumbers.
template <class Numbers>
struct FormatSplit : Numbers {
  using T = typename Numbers::Element;
  static VecI32 Split(VecI32 bits) { return SplitNumbers(FloatFromBits(bits)); }
  static VecI32 LoadSteps16(const T* p) { return Split(Numbers::LoadSteps16(p)); }
  static VecI32 LoadSteps(const T* p, int64_t n) { return Split(Numbers::LoadSteps(p, n)); }
  static VecI32 LoadLines16(const T* p, int64_t step) {
    return Split(Numbers::LoadLines16(p, step));
  }
  static VecI32 LoadLines(const T* p, int64_t step, int64_t k, int64_t n) {
    return Split(Numbers::LoadLines(p, step, k, n));
  }
};

struct MatrixHalf {
  static constexpr MatrixNumbers kNumbers = MatrixNumbers::kBf16;
  static constexpr int64_t kUnitDepth = 1;
  static constexpr bool kTurned = true;
  static constexpr int kVectors = kMatrixColumns / 16;
  template <class Function>
  static void WithRows(Element type, Function f) {
    switch (type) {
      case Element::kFp16:
        return f(FormatSplit<FormatFp16>());
      case Element::kBf16:
        return f(FormatSplit<FormatBf16>());
      default:
        return f(FormatSplit<FormatFp32>());
    }
  }
  template <class Function>
  static void WithColumns(Element type, Function f) {
    type == Element::kInt8 ? f(FormatI8AsFp32()) : WithRows(type, f);
  }
};

// The units of up to 16 lines from k on, a line in each vector. Lines that do not exist are
// anything.
template <class Format>
void LoadStep(const gemm::PackArgs& args, int64_t first, int64_t lines, int64_t k, int64_t depth,
              VecI32 (&units)[kSquare]) {
  using Element = typename Format::Element;
  const Element* const from = Format::At(args.from, first * args.line_step + k * args.k_step);
  if (args.k_step == 1) {
    if (depth == kMatrixUnits * Format::kDepth) {
      for (int64_t i = 0; i < lines; ++i) {
        const Element* const line = from + i * args.line_step;
        PrefetchL1(reinterpret_cast<const char*>(line) + kPackAhead);
        units[i] = Format::LoadSteps16(line);
      }
    } else {
      for (int64_t i = 0; i < lines; ++i) {
        units[i] = Format::LoadSteps(from + i * args.line_step, depth);
      }
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

template <class Format, bool kTurned>
void PackRowTiles(const gemm::PackArgs& args) {
  constexpr int64_t kStep = kMatrixUnits * Format::kDepth;
  auto* to = static_cast<int32_t*>(args.to);
  for (int64_t first = 0; first < args.lines; first += kMatrixRows) {
    const int64_t left = args.lines - first;
    const int64_t lines = left < kMatrixRows ? left : kMatrixRows;
    for (int64_t k = 0; k < args.depth; k += kStep) {
      const int64_t depth = args.depth - k < kStep ? args.depth - k : kStep;
      const int64_t count = (depth + Format::kDepth - 1) / Format::kDepth;
      VecI32 units[kSquare];
      LoadStep<Format>(args, first, lines, k, depth, units);
      const auto store = [&](auto changed) {
        if (count == kMatrixUnits) {
          for (int64_t i = 0; i < lines; ++i) Store(to + i * kMatrixUnits, changed(units[i]));
        } else {
          for (int64_t i = 0; i < lines; ++i) {
            Store(to + i * count, changed(units[i]), static_cast<size_t>(count));
          }
        }
        to += lines * count;
      };
      store([](VecI32 u) { return u; });
      if constexpr (kTurned) store(Turned);
    }
  }
}

template <class M>
void PackMatrixRows(const gemm::PackArgs& args) {
  M::WithRows(args.type, [&](auto format) { PackRowTiles<decltype(format), M::kTurned>(args); });
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

template <class M, int kRowTiles>
void MultiplyPart(const gemm::BlockArgs& args, const MatrixPart& part, Fetcher& fetcher) {
  if (part.begin == part.end || part.steps == 0) return;
  constexpr int64_t kBytes = gemm::kUnitBytes;
  constexpr int64_t kRowUnits = M::kTurned ? 2 : 1;
  MatrixSums<M::kNumbers, kRowTiles> sums(part.rows[0], part.rows[1], part.units);
  const int64_t units = (args.depth + M::kUnitDepth - 1) / M::kUnitDepth;
  const int64_t tile0 = part.rows[0] * part.units * kBytes;
  const int64_t tile1 = part.rows[1] * part.units * kBytes;
  for (int64_t row = part.begin; row < part.end; row += part.rows[0] + part.rows[1]) {
    int32_t* const to = static_cast<int32_t*>(args.sums) + row * args.sums_step;
    part.resume ? sums.Load(to, args.sums_step) : sums.Clear();
    const char* a0 = args.rows + (row * units + part.first * part.rows[0]) * kRowUnits * kBytes;
    const char* a1 =
        args.rows + ((row + part.rows[0]) * units + part.first * part.rows[1]) * kRowUnits * kBytes;
    const char* b = args.panel + part.first * kMatrixColumns * kBytes;
    for (int64_t i = 0; i < part.steps; ++i) {
      fetcher.Fetch(part.fetch);
      sums.Add(a0, a1, part.units * kBytes, b);
      if constexpr (M::kTurned) sums.AddRows(a0 + tile0, a1 + tile1, part.units * kBytes);
      a0 += kRowUnits * tile0;
      a1 += kRowUnits * tile1;
      b += part.units * kMatrixColumns * kBytes;
    }
    sums.Store(to, args.sums_step);
  }
}

template <class M>
void MultiplyMatrix(const gemm::BlockArgs& args) {
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
    MultiplyPart<M, 2>(args, part, fetcher);
    part.begin = pairs;
    part.end = args.row_count;
    part.rows[0] = left < kMatrixRows ? left : kMatrixRows;
    part.rows[1] = left - part.rows[0];
    part.rows[1] > 0 ? MultiplyPart<M, 2>(args, part, fetcher)
                     : MultiplyPart<M, 1>(args, part, fetcher);
  };
  multiply(0, steps, kMatrixUnits, args.resume);
  if (units % kMatrixUnits != 0) {
    multiply(steps * kMatrixUnits, 1, units % kMatrixUnits, args.resume || steps > 0);
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
// bf16 took 9.3 ms instead of 11.5 with 384 units, or with 64.
constexpr int64_t kMatrixBlockUnits = 128;

template <class M>
constexpr gemm::Arithmetic MatrixArithmetic(void (*scale)(const gemm::ScaleArgs&) = nullptr) {
  return {.unit_depth = M::kUnitDepth,
          .row_units = M::kTurned ? 2 : 1,
          .tile_rows = 2 * kMatrixRows,
          .panel_columns = kMatrixColumns,
          .block_units = kMatrixBlockUnits,
          .pack_rows = PackMatrixRows<M>,
          .pack_columns = PackColumnsOf<M>,
          .scale = scale,
          .multiply = MultiplyMatrix<M>,
          .multiply_few = nullptr};
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
constinit const gemm::Arithmetic kGemmHalf =
    MatrixArithmetic<MatrixHalf>(ScaleColumns<MatrixHalf::kVectors, SplitNumbers>);
extern constinit const gemm::Arithmetic kGemmInt8;
constinit const gemm::Arithmetic kGemmInt8 = MatrixArithmetic<MatrixInt8>();

}  // namespace anyacl::ANYACL_ISA
