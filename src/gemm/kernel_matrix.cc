// SPDX-License-Identifier: Apache-2.0
// The arithmetics bf16 and int8 in matrix registers, and what bf16 is for few rows. Packed rows are
// tiles of 16 rows, the last one of what is left, each in steps of 16 units, the last one of what
// is left, too: of a step the rows follow one another.
#include "gemm/kernel_block.h"
#include "simd/float_tile.h"
#include "simd/matrix_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

template <class FormatOfBoth, MatrixNumbers kWhich>
struct Matrix {
  using Format = FormatOfBoth;
  static constexpr MatrixNumbers kNumbers = kWhich;
  static constexpr int kVectors = kMatrixColumns / 16;
  template <class Function>
  static void WithColumns(Element, Function f) {
    f(Format());
  }
};
using MatrixBf16 = Matrix<FormatBf16Pairs, MatrixNumbers::kBf16>;
using MatrixInt8 = Matrix<FormatI8<0, 4>, MatrixNumbers::kInt8>;

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

template <class M>
void PackMatrixRows(const gemm::PackArgs& args) {
  using Format = typename M::Format;
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
      if (count == kMatrixUnits) {
        for (int64_t i = 0; i < lines; ++i) Store(to + i * kMatrixUnits, units[i]);
      } else {
        for (int64_t i = 0; i < lines; ++i) {
          Store(to + i * count, units[i], static_cast<size_t>(count));
        }
      }
      to += lines * count;
    }
  }
}

// One or two tiles of packed rows by a panel.
struct MatrixTiles {
  const char* a;
  const char* b;
  int64_t rows[2];
  int64_t units;
  int32_t* sums;
  int64_t sums_step;
  bool resume;
  int64_t fetch;  // lines in every step
};

template <class M, int kRowTiles>
void MultiplyTiles(const MatrixTiles& t, Fetcher& fetcher) {
  const int64_t steps = t.units / kMatrixUnits;
  const int64_t rest = t.units % kMatrixUnits;
  const char* const second = t.a + t.rows[0] * t.units * gemm::kUnitBytes;
  const int64_t step_bytes[2] = {t.rows[0] * 64, t.rows[1] * 64};
  constexpr int64_t kPanelStep = kMatrixUnits * kMatrixColumns * gemm::kUnitBytes;
  if (steps > 0) {
    MatrixSums<M::kNumbers, kRowTiles> sums(t.rows[0], t.rows[1], kMatrixUnits);
    t.resume ? sums.Load(t.sums, t.sums_step) : sums.Clear();
    const char* a0 = t.a;
    const char* a1 = second;
    const char* b = t.b;
    for (int64_t i = 0; i < steps; ++i) {
      fetcher.Fetch(t.fetch);
      sums.Add(a0, a1, 64, b);
      a0 += step_bytes[0];
      a1 += step_bytes[1];
      b += kPanelStep;
    }
    sums.Store(t.sums, t.sums_step);
  }
  if (rest > 0) {
    MatrixSums<M::kNumbers, kRowTiles> sums(t.rows[0], t.rows[1], rest);
    t.resume || steps > 0 ? sums.Load(t.sums, t.sums_step) : sums.Clear();
    sums.Add(t.a + steps * step_bytes[0], second + steps * step_bytes[1], rest * gemm::kUnitBytes,
             t.b + steps * kPanelStep);
    sums.Store(t.sums, t.sums_step);
  }
}

template <class M>
void MultiplyMatrix(const gemm::BlockArgs& args) {
  constexpr int64_t kDepth = M::Format::kDepth;
  Fetcher fetcher(args.ahead);
  MatrixTiles t;
  t.units = (args.depth + kDepth - 1) / kDepth;
  t.b = args.panel;
  t.sums_step = args.sums_step;
  t.resume = args.resume;
  const int64_t fetches =
      t.units / kMatrixUnits * ((args.row_count + 2 * kMatrixRows - 1) / (2 * kMatrixRows));
  t.fetch = fetches == 0 ? 0 : (fetcher.lines() + fetches - 1) / fetches;
  for (int64_t row = 0; row < args.row_count; row += 2 * kMatrixRows) {
    const int64_t left = args.row_count - row;
    t.a = args.rows + row * t.units * gemm::kUnitBytes;
    t.sums = static_cast<int32_t*>(args.sums) + row * args.sums_step;
    t.rows[0] = left < kMatrixRows ? left : kMatrixRows;
    t.rows[1] = left < 2 * kMatrixRows ? left - t.rows[0] : kMatrixRows;
    t.rows[1] > 0 ? MultiplyTiles<M, 2>(t, fetcher) : MultiplyTiles<M, 1>(t, fetcher);
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
constexpr gemm::Arithmetic MatrixArithmetic() {
  return {.unit_depth = M::Format::kDepth,
          .tile_rows = 2 * kMatrixRows,
          .panel_columns = kMatrixColumns,
          .block_units = kMatrixBlockUnits,
          .pack_rows = PackMatrixRows<M>,
          .pack_columns = PackColumnsOf<M>,
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
          .multiply = nullptr,
          .multiply_few = MultiplyFew};
}

}  // namespace

extern constinit const gemm::Arithmetic kGemmFewBf16;
constinit const gemm::Arithmetic kGemmFewBf16 = FewArithmetic();
extern constinit const gemm::Arithmetic kGemmBf16;
constinit const gemm::Arithmetic kGemmBf16 = MatrixArithmetic<MatrixBf16>();
extern constinit const gemm::Arithmetic kGemmInt8;
constinit const gemm::Arithmetic kGemmInt8 = MatrixArithmetic<MatrixInt8>();

}  // namespace anyacl::ANYACL_ISA
