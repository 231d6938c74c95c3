// SPDX-License-Identifier: Apache-2.0
// Places of extremes. A run is searched block by block: its extreme first, which is fast, and the
// place only in a block that is better than all before it.
#include "ops/reduction/kernel.h"
#include "ops/reduction/kernel_ops.h"

namespace anyacl::ANYACL_ISA {

namespace {

using reduction::ArgKernels;
using reduction::Best;
using reduction::IsBetter;
using reduction::kBlock;

template <class Op>
inline float ExtremeOf(const float* x, int64_t n) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  const VecF32 identity = SetF32(Op::kIdentity);
  VecF32 a = identity, b = identity, c = identity, d = identity;
  int64_t i = 0;
  for (; i + 4 * kStep <= n; i += 4 * kStep) {
    a = Op::Of(a, Load(x + i));
    b = Op::Of(b, Load(x + i + kStep));
    c = Op::Of(c, Load(x + i + 2 * kStep));
    d = Op::Of(d, Load(x + i + 3 * kStep));
  }
  for (; i + kStep <= n; i += kStep) a = Op::Of(a, Load(x + i));
  a = Op::Of(Op::Of(a, b), Op::Of(c, d));
  if (i < n) {
    const auto left = static_cast<size_t>(n - i);
    a = Op::Of(a, Select(FirstN(left), Load(x + i, left), identity));
  }
  float lanes[kLanes];
  Store(lanes, a);
  for (size_t l = 1; l < kLanes; ++l) lanes[0] = Op::Of(lanes[0], lanes[l]);
  return lanes[0];
}
template <class Op, class T>
inline T ExtremeOf(const T* x, int64_t n) {
  T a = x[0];
  for (int64_t i = 1; i < n; ++i) a = Op::Of(a, x[i]);
  return a;
}

// Of the first element that is the extreme or no number; there is one. An element at a time costs a
// Xeon five times as long as the extremes of a row of 1024.
inline int64_t PlaceOf(const float* x, int64_t n, float extreme) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  const VecF32 wanted = SetF32(extreme);
  for (int64_t i = 0;; i += kStep) {
    const auto left = static_cast<size_t>(n - i < kStep ? n - i : kStep);
    const VecF32 v = left == kLanes ? Load(x + i) : Load(x + i, left);
    const Mask found = Or(Equal(v, wanted), Not(Equal(v, v)));
    if (Any(found)) return i + __builtin_ctz(BitsOf(found));
  }
}
template <class T>
inline int64_t PlaceOf(const T* x, int64_t, T extreme) {
  int64_t i = 0;
  while (x[i] != extreme && x[i] == x[i]) ++i;
  return i;
}

template <class Op, class T, bool kLargest>
void RunArg(const T* x, int64_t n, int64_t first, Best<T>* best) {
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t count = n - j < kBlock ? n - j : kBlock;
    const T extreme = ExtremeOf<Op>(x + j, count);
    if (best->index >= 0 && !IsBetter(extreme, best->value, kLargest)) continue;
    const int64_t i = j + PlaceOf(x + j, count, extreme);
    *best = {x[i], first + i};
  }
}

template <class T, bool kLargest>
void RowsArg(const T* x, int64_t pitch, int64_t rows, int64_t n, int64_t first, Best<T>* best) {
  for (int64_t i = 0; i < rows; ++i) {
    const T* row = x + i * pitch;
    for (int64_t c = 0; c < n; ++c) {
      if (best[c].index < 0 || IsBetter(row[c], best[c].value, kLargest)) {
        best[c] = {row[c], first + i};
      }
    }
  }
}

// The best so far of some vectors of columns, and the rows where they are: -1 where none is better
// than before.
template <int kVectors>
struct Leaders {
  VecF32 values[kVectors];
  VecI32 rows[kVectors];
};

template <bool kLargest, int kVectors>
[[gnu::always_inline]] inline void Challenge(Leaders<kVectors>& leaders, const float* row,
                                             int64_t i, size_t lanes) {
  const VecI32 place = SetI32(static_cast<int32_t>(i));
#pragma GCC unroll 4
  for (int k = 0; k < kVectors; ++k) {
    const float* const p = row + k * static_cast<int64_t>(kLanes);
    const VecF32 x = kVectors > 1 ? Load(p) : Load(p, lanes);
    VecF32& best = leaders.values[k];
    const Mask beats = kLargest ? Less(best, x) : Less(x, best);
    // A number that is none beats all but another one.
    const Mask better = Or(beats, And(Equal(best, best), Not(Equal(x, x))));
    best = Select(better, x, best);
    leaders.rows[k] = Select(better, place, leaders.rows[k]);
  }
}

template <bool kLargest, int kVectors>
void ColumnsArg(const float* x, int64_t pitch, int64_t rows, int64_t lanes, int64_t first,
                Best<float>* best) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  const int64_t n = kVectors > 1 ? kVectors * kStep : lanes;
  alignas(64) float values[kVectors * kStep] = {};
  alignas(64) int32_t places[kVectors * kStep];
  const bool begins = best[0].index < 0;  // then all do
  for (int64_t c = 0; c < n; ++c) values[c] = begins ? x[c] : best[c].value;
  Leaders<kVectors> leaders;
  for (int k = 0; k < kVectors; ++k) {
    leaders.values[k] = Load(values + k * kStep);
    leaders.rows[k] = SetI32(begins ? 0 : -1);
  }
  for (int64_t i = begins ? 1 : 0; i < rows; ++i) {
    Challenge<kLargest>(leaders, x + i * pitch, i, static_cast<size_t>(lanes));
  }
  for (int k = 0; k < kVectors; ++k) {
    Store(values + k * kStep, leaders.values[k]);
    Store(places + k * kStep, leaders.rows[k]);
  }
  for (int64_t c = 0; c < n; ++c) {
    if (places[c] >= 0) best[c] = {values[c], first + places[c]};
  }
}

// 4096 rows of 8192 take 8 ms in two threads; an element at a time took 36.
template <bool kLargest>
void FloatRowsArg(const float* x, int64_t pitch, int64_t rows, int64_t n, int64_t first,
                  Best<float>* best) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  int64_t c = 0;
  for (; c + 4 * kStep <= n; c += 4 * kStep) {
    ColumnsArg<kLargest, 4>(x + c, pitch, rows, 0, first, best + c);
  }
  for (; c < n; c += kStep) {
    const int64_t lanes = n - c < kStep ? n - c : kStep;
    ColumnsArg<kLargest, 1>(x + c, pitch, rows, lanes, first, best + c);
  }
}

constexpr ArgKernels<float> kFloatArg[] = {{RunArg<MaxOf, float, true>, FloatRowsArg<true>},
                                           {RunArg<MinOf, float, false>, FloatRowsArg<false>}};
template <class T>
constexpr ArgKernels<T> kArg[] = {{RunArg<MaxOf, T, true>, RowsArg<T, true>},
                                  {RunArg<MinOf, T, false>, RowsArg<T, false>}};

}  // namespace

extern constinit const reduction::KernelSet kReductionKernels;
constinit const reduction::KernelSet kReductionKernels = {kFoldF32,  kFoldF64,     kFoldI64,
                                                          kFloatArg, kArg<double>, kArg<int64_t>};

}  // namespace anyacl::ANYACL_ISA
