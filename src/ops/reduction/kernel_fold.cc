// SPDX-License-Identifier: Apache-2.0
// Sums and extremes. A run is folded from memory: a block of fp16 or bf16 is widened on the way.
#include "ops/reduction/kernel.h"
#include "ops/reduction/kernel_ops.h"

namespace anyacl::ANYACL_ISA {
namespace {

using reduction::Cell;
using reduction::FoldKernels;
using reduction::kBlock;
using reduction::kFoldLanes;
using reduction::kTile;
using reduction::kWideTile;

// Lane l with lane l + 16, then l + 8, ...: of `count` results side by side, `pitch` apart.
template <class Op, class T>
inline T Tree(T* lanes) {
  for (int64_t half = kFoldLanes / 2; half > 0; half /= 2) {
    for (int64_t l = 0; l < half; ++l) lanes[l] = Op::Of(lanes[l], lanes[l + half]);
  }
  return lanes[0];
}

template <class Op>
inline void AddBlock(Op, Cell* total, double block) {
  total->real = Op::Of(total->real, block);
}
template <class Op>
inline void AddBlock(Op, Cell* total, int64_t block) {
  total->integer = Op::Of(total->integer, block);
}

// Nothing is prefetched here: with two threads on Zen 4 that gained nothing from memory and lost a
// sixth where the elements were in L3 (145 instead of 175 GB/s).
template <class Op, class Load>
inline double BlockOf(const Load& load, int64_t n, VecF32 shift) {
  const VecF32 identity = SetF32(Op::kIdentity);
  VecF32 a = identity, b = identity;
  int64_t i = 0;
  for (; i + kFoldLanes <= n; i += kFoldLanes) {
    a = Op::Of(a, Op::Term(load(i), shift));
    b = Op::Of(b, Op::Term(load(i + 16), shift));
  }
  if (i < n) {
    const auto left = static_cast<size_t>(n - i);
    const size_t first = left < kLanes ? left : kLanes;
    a = Op::Of(a, Select(FirstN(first), Op::Term(load(i, first), shift), identity));
    if (left > kLanes) {
      b = Op::Of(
          b, Select(FirstN(left - kLanes), Op::Term(load(i + 16, left - kLanes), shift), identity));
    }
  }
  if (Op::kAdds) return static_cast<double>(ReduceSum(Add(a, b)));
  float lanes[kFoldLanes];
  Store(lanes, a);
  Store(lanes + kLanes, b);
  return static_cast<double>(Tree<Op>(lanes));
}

template <class Op, class From>
void RunOf(const typename From::Bits* x, int64_t n, float shift, Cell* total) {
  const VecF32 shifts = SetF32(shift);
  for (int64_t j = 0; j < n; j += kBlock) {
    const Reader<From> load = {x + j};
    AddBlock(Op(), total, BlockOf<Op>(load, n - j < kBlock ? n - j : kBlock, shifts));
  }
}

template <class Op>
void RunF32(const void* x, Element type, int64_t n, float shift, Cell* total) {
  switch (type) {
    case Element::kFp16:
      return RunOf<Op, Fp16>(static_cast<const uint16_t*>(x), n, shift, total);
    case Element::kBf16:
      return RunOf<Op, Bf16>(static_cast<const uint16_t*>(x), n, shift, total);
    default:
      return RunOf<Op, Fp32>(static_cast<const float*>(x), n, shift, total);
  }
}

template <class Op>
void RowsF32(const float* x, int64_t pitch, int64_t rows, int64_t n, const float* shifts,
             bool first, float* lanes) {
  const VecF32 identity = SetF32(Op::kIdentity);
  const VecF32 none = SetF32(0.0f);
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  for (int64_t i = 0; i < rows; ++i) {
    const float* row = x + i * pitch;
    float* to = lanes + i * kTile;
    int64_t c = 0;
    for (; c + kStep <= n; c += kStep) {
      const VecF32 shift = Op::kShifts ? Load(shifts + c) : none;
      Store(to + c, Op::Of(first ? identity : Load(to + c), Op::Term(Load(row + c), shift)));
    }
    if (c < n) {
      const auto left = static_cast<size_t>(n - c);
      const VecF32 shift = Op::kShifts ? Load(shifts + c, left) : none;
      const VecF32 before = first ? identity : Load(to + c, left);
      Store(to + c, Op::Of(before, Op::Term(Load(row + c, left), shift)), left);
    }
  }
}

template <class Op, class T, int64_t kPitch = kTile>
void Close(T* lanes, int64_t used, int64_t n, Cell* totals) {
  for (int64_t half = kFoldLanes / 2; half > 0; half /= 2) {
    for (int64_t l = 0; l < half && l + half < used; ++l) {
      T* to = lanes + l * kPitch;
      const T* from = lanes + (l + half) * kPitch;
      for (int64_t c = 0; c < n; ++c) to[c] = Op::Of(to[c], from[c]);
    }
    used = used < half ? used : half;
  }
  for (int64_t c = 0; c < n; ++c) AddBlock(Op(), totals + c, lanes[c]);
}

// kVectors * 16 columns of kRows rows of one lane.
template <class Op, int kRows, int kVectors, class From>
[[gnu::always_inline]] inline void FoldChunk(const Reader<From>& x, int64_t pitch,
                                             const VecF32* shifts, bool first, float* lane) {
  const VecF32 identity = SetF32(Op::kIdentity);
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  VecF32 acc[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) acc[v] = first ? identity : Load(lane + v * kStep);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      acc[v] = Op::Of(acc[v], Op::Term(x(r * kFoldLanes * pitch + v * kStep), shifts[v]));
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) Store(lane + v * kStep, acc[v]);
}

// The same for one row of a lane, and for the last columns.
template <class Op, class From>
inline void FoldRow(const Reader<From>& x, int64_t n, const float* shifts, bool first,
                    float* lane) {
  const VecF32 identity = SetF32(Op::kIdentity);
  const VecF32 none = SetF32(0.0f);
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  int64_t c = 0;
  for (; c + kStep <= n; c += kStep) {
    const VecF32 shift = Op::kShifts ? Load(shifts + c) : none;
    Store(lane + c, Op::Of(first ? identity : Load(lane + c), Op::Term(x(c), shift)));
  }
  if (c < n) {
    const auto left = static_cast<size_t>(n - c);
    const VecF32 shift = Op::kShifts ? Load(shifts + c, left) : none;
    const VecF32 before = first ? identity : Load(lane + c, left);
    Store(lane + c, Op::Of(before, Op::Term(x(c, left), shift)), left);
  }
}

constexpr int64_t kAtOnce = 4;

// Up to kAtOnce rows of one lane, kFoldLanes rows apart.
template <class Op, class From>
inline void FoldLane(const typename From::Bits* x, int64_t pitch, int64_t rows, int64_t n,
                     const float* shifts, bool first, float* lane) {
  constexpr int kVectors = 4;
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  constexpr int64_t kChunk = kVectors * kStep;
  const auto pitch_bytes = pitch * static_cast<int64_t>(sizeof *x);
  int64_t c = 0;
  for (; rows == kAtOnce && c + kChunk <= n; c += kChunk) {
    VecF32 shift[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      shift[v] = Op::kShifts ? Load(shifts + c + v * kStep) : SetF32(0.0f);
    }
#pragma GCC unroll 4
    for (int64_t r = 0; r < kAtOnce; ++r) {
      // The same columns of the next lane, for the second cache: where the pitch is a power of two,
      // the first one has no room for so many rows.
      PrefetchLines<kChunk * sizeof *x / 64, PrefetchL2>(x + c + r * kFoldLanes * pitch,
                                                         pitch_bytes);
    }
    FoldChunk<Op, kAtOnce, kVectors>(Reader<From>{x + c}, pitch, shift, first, lane + c);
  }
  const float* rest = Op::kShifts ? shifts + c : nullptr;
  for (int64_t r = 0; r < rows; ++r) {
    FoldRow<Op>(Reader<From>{x + r * kFoldLanes * pitch + c}, n - c, rest, first && r == 0,
                lane + c);
  }
}

template <class Op, class From>
void BlocksOf(const typename From::Bits* x, int64_t pitch, int64_t count, int64_t n,
              const float* shifts, float* lanes, Cell* totals) {
  for (int64_t block = 0; block < count; block += kBlock) {
    const int64_t rows = count - block < kBlock ? count - block : kBlock;
    for (int64_t at = 0; at < rows; at += kAtOnce * kFoldLanes) {
      for (int64_t l = 0; l < kFoldLanes && at + l < rows; ++l) {
        const int64_t left = (rows - at - l + kFoldLanes - 1) / kFoldLanes;
        FoldLane<Op, From>(x + (block + at + l) * pitch, pitch, left < kAtOnce ? left : kAtOnce, n,
                           shifts, at == 0, lanes + l * kWideTile);
      }
    }
    Close<Op, float, kWideTile>(lanes, rows < kFoldLanes ? rows : kFoldLanes, n, totals);
  }
}

template <class Op>
void BlocksF32(const void* x, Element type, int64_t pitch, int64_t count, int64_t n,
               const float* shifts, float* lanes, Cell* totals) {
  const auto* floats = static_cast<const float*>(x);
  const auto* halves = static_cast<const uint16_t*>(x);
  switch (type) {
    case Element::kFp16:
      return BlocksOf<Op, Fp16>(halves, pitch, count, n, shifts, lanes, totals);
    case Element::kBf16:
      return BlocksOf<Op, Bf16>(halves, pitch, count, n, shifts, lanes, totals);
    default:
      return BlocksOf<Op, Fp32>(floats, pitch, count, n, shifts, lanes, totals);
  }
}

template <class Op, class T>
void Run(const void* from, Element, int64_t n, T, Cell* total) {
  const T* x = static_cast<const T*>(from);
  for (int64_t j = 0; j < n; j += kBlock, x += kBlock) {
    const int64_t count = n - j < kBlock ? n - j : kBlock;
    T lanes[kFoldLanes];
    for (T& lane : lanes) lane = Op::template Identity<T>();
    int64_t i = 0;
    for (; i + kFoldLanes <= count; i += kFoldLanes) {
      for (int64_t l = 0; l < kFoldLanes; ++l) lanes[l] = Op::Of(lanes[l], x[i + l]);
    }
    for (int64_t l = 0; i + l < count; ++l) lanes[l] = Op::Of(lanes[l], x[i + l]);
    AddBlock(Op(), total, Tree<Op>(lanes));
  }
}

template <class Op, class T>
void Rows(const T* x, int64_t pitch, int64_t rows, int64_t n, const T*, bool first, T* lanes) {
  for (int64_t i = 0; i < rows; ++i) {
    const T* row = x + i * pitch;
    T* to = lanes + i * kTile;
    if (first) {
      for (int64_t c = 0; c < n; ++c) to[c] = Op::Of(Op::template Identity<T>(), row[c]);
    } else {
      for (int64_t c = 0; c < n; ++c) to[c] = Op::Of(to[c], row[c]);
    }
  }
}

template <class Op>
constexpr FoldKernels<float> kF32 = {RunF32<Op>, RowsF32<Op>, BlocksF32<Op>, Close<Op, float>};
template <class Op, class T>
constexpr FoldKernels<T> kOther = {Run<Op, T>, Rows<Op, T>, nullptr, Close<Op, T>};

}  // namespace

constinit const FoldKernels<float> kFoldF32[] = {
    kF32<SumOf>,        kF32<MaxOf>,         kF32<MinOf>,    kF32<ProductOf>,  kF32<ExpSumOf>,
    kF32<DeviationsOf>, kF32<SquaresOf>,     kF32<AbsSumOf>, kF32<PowerSumOf>, kF32<NonZerosOf>,
    kF32<LargestAbsOf>, kF32<SmallestAbsOf>, kF32<NanSumOf>};
constinit const FoldKernels<double> kFoldF64[] = {kOther<SumOf, double>, kOther<MaxOf, double>,
                                                  kOther<MinOf, double>, kOther<ProductOf, double>};
constinit const FoldKernels<int64_t> kFoldI64[] = {kOther<SumOf, int64_t>, kOther<MaxOf, int64_t>,
                                                   kOther<MinOf, int64_t>,
                                                   kOther<ProductOf, int64_t>};

}  // namespace anyacl::ANYACL_ISA
