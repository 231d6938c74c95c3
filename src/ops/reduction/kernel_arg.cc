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

template <class T>
constexpr ArgKernels<T> kArg[] = {{RunArg<MaxOf, T, true>, RowsArg<T, true>},
                                  {RunArg<MinOf, T, false>, RowsArg<T, false>}};

}  // namespace

extern constinit const reduction::KernelSet kReductionKernels;
constinit const reduction::KernelSet kReductionKernels = {kFoldF32,    kFoldF64,     kFoldI64,
                                                          kArg<float>, kArg<double>, kArg<int64_t>};

}  // namespace anyacl::ANYACL_ISA
