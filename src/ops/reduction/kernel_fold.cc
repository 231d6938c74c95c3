// SPDX-License-Identifier: Apache-2.0
// Sums and extremes. A run is folded from memory: a block of fp16 or bf16 is widened on the way.
#include <type_traits>

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
  return static_cast<double>(Op::Lanes(Op::Of(a, b)));
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

// Lanes l and l + 16 as they are, the others in double: kTile columns at a time, 16 KiB.
template <class Op, int64_t kPitch>
void CloseWide(const float* lanes, int64_t used, int64_t n, Cell* totals) {
  constexpr int64_t kHalf = kFoldLanes / 2;
  double wide[kHalf][kTile];
  for (int64_t c = 0; c < n; c += kTile) {
    const int64_t width = n - c < kTile ? n - c : kTile;
    const int64_t some = used < kHalf ? used : kHalf;
    for (int64_t l = 0; l < some; ++l) {
      const float* const low = lanes + l * kPitch + c;
      const float* const high = low + kHalf * kPitch;
      if (l + kHalf < used) {
        for (int64_t i = 0; i < width; ++i) wide[l][i] = double{Op::Of(low[i], high[i])};
      } else {
        for (int64_t i = 0; i < width; ++i) wide[l][i] = double{low[i]};
      }
    }
    for (int64_t half = kHalf / 2; half > 0; half /= 2) {
      for (int64_t l = 0; l < half && l + half < some; ++l) {
        for (int64_t i = 0; i < width; ++i) wide[l][i] = Op::Of(wide[l][i], wide[l + half][i]);
      }
    }
    for (int64_t i = 0; i < width; ++i) AddBlock(Op(), totals + c + i, wide[0][i]);
  }
}

template <class Op, class T, int64_t kPitch = kTile>
void Close(T* lanes, int64_t used, int64_t n, Cell* totals) {
  if constexpr (std::is_same_v<T, float> && requires { Op::kWideLanes; }) {
    return CloseWide<Op, kPitch>(lanes, used, n, totals);
  }
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

// kVectors * 16 columns of the rows of one lane, which are kFoldLanes rows apart.
template <class Op, int kVectors, class From>
[[gnu::always_inline]] inline void FoldChunk(Reader<From> x, int64_t pitch, int64_t rows,
                                             const float* shifts, float* lane) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  VecF32 acc[kVectors], shift[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    acc[v] = SetF32(Op::kIdentity);
    shift[v] = Op::kShifts ? Load(shifts + v * kStep) : SetF32(0.0f);
  }
  for (int64_t r = 0; r < rows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      acc[v] = Op::Of(acc[v], Op::Term(x(r * kFoldLanes * pitch + v * kStep), shift[v]));
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) Store(lane + v * kStep, acc[v]);
}

// All rows of one lane: 16 at most, which memory reads side by side.
template <class Op, class From>
inline void FoldLane(const typename From::Bits* x, int64_t pitch, int64_t rows, int64_t n,
                     const float* shifts, float* lane) {
  constexpr int kVectors = 4;
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  const auto at = [&](int64_t c) { return Op::kShifts ? shifts + c : nullptr; };
  int64_t c = 0;
  for (; c + kVectors * kStep <= n; c += kVectors * kStep) {
    FoldChunk<Op, kVectors>(Reader<From>{x + c}, pitch, rows, at(c), lane + c);
  }
  for (; c + kStep <= n; c += kStep) {
    FoldChunk<Op, 1>(Reader<From>{x + c}, pitch, rows, at(c), lane + c);
  }
  if (c == n) return;
  const auto left = static_cast<size_t>(n - c);
  const VecF32 shift = Op::kShifts ? Load(shifts + c, left) : SetF32(0.0f);
  VecF32 acc = SetF32(Op::kIdentity);
  for (int64_t r = 0; r < rows; ++r) {
    acc = Op::Of(acc, Op::Term(Reader<From>{x + c}(r * kFoldLanes * pitch, left), shift));
  }
  Store(lane + c, acc, left);
}

template <class Op, class From>
void BlocksOf(const typename From::Bits* x, int64_t pitch, int64_t count, int64_t n,
              const float* shifts, float* lanes, Cell* totals) {
  for (int64_t block = 0; block < count; block += kBlock) {
    const int64_t rows = count - block < kBlock ? count - block : kBlock;
    const int64_t used = rows < kFoldLanes ? rows : kFoldLanes;
    for (int64_t l = 0; l < used; ++l) {
      FoldLane<Op, From>(x + (block + l) * pitch, pitch, (rows - l + kFoldLanes - 1) / kFoldLanes,
                         n, shifts, lanes + l * kWideTile);
    }
    Close<Op, float, kWideTile>(lanes, used, n, totals);
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
