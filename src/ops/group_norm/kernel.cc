// SPDX-License-Identifier: Apache-2.0
// Two passes over a group. Between them lies the sum over all its channels, so the second reads dy
// and x again: from the channel that the first one read last, which the caches still hold.
#include "ops/group_norm/kernel.h"

#include "simd/alignment.h"
#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {
namespace {

using group_norm::Gradient;
using group_norm::kBlock;
using group_norm::Kernels;
using group_norm::Moments;
using group_norm::Output;
using group_norm::Slab;
using group_norm::Sums;

constexpr int64_t kStep = kPairElements;

// Asks for what lies `ahead` bytes behind the elements of a step.
template <class Bits>
[[gnu::always_inline]] inline void PrefetchStep(const Bits* p, int64_t ahead) {
  const char* at = reinterpret_cast<const char*>(p) + ahead;
  for (size_t i = 0; i < kStep * sizeof(Bits); i += kVectorBytes) PrefetchL2(at + i);
}

// The running sums of u and of u * v over one half of the elements of a block.
template <class Format>
struct BlockSums {
  VecF32 sum = SetF32(0.0f);
  VecF32 products = SetF32(0.0f);

  void Add(VecF32 u, VecF32 v) {
    u = InRegister(u);  // one load of 64 bytes takes Zen 4 a cycle
    sum = Format::kConverts ? AddBeside(sum, u) : ANYACL_ISA::Add(sum, u);
    products = Fma(u, v, products);
  }
};

// Usual values of rstd are left to the factors of whole rows and blocks. That costs products of
// elements no more than 20 of the 254 binary orders of magnitude; what else rstd may be, each xh
// has.
bool LeavesRstdOut(float rstd) {
  const float size = rstd < 0.0f ? -rstd : rstd;
  return size >= 0x1p-20f && size <= 0x1p20f;
}

// x - mean, and unless it is left out times rstd.
template <class Format, bool kWithRstd>
struct Normalizer {
  VecF32 minus_mean, rstd;

  explicit Normalizer(const Slab& slab) : minus_mean(SetF32(-slab.mean)), rstd(SetF32(slab.rstd)) {}
  VecF32 operator()(VecF32 x) const {
    const VecF32 centred = Format::kConverts ? AddBeside(x, minus_mean) : Add(x, minus_mean);
    return kWithRstd ? Mul(centred, rstd) : centred;
  }
};

template <class Format, bool kAhead, class Xh>
void AddBlock(const typename Format::Bits* dy, const typename Format::Bits* x, int64_t count,
              const Xh& xh, double factor, int64_t ahead, Sums* sums) {
  BlockSums<Format> a, b;
  int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if (kAhead) {
      PrefetchStep(dy + j, ahead);
      PrefetchStep(x + j, ahead);
    }
    a.Add(LoadFirst(Format(), dy + j), xh(LoadFirst(Format(), x + j)));
    b.Add(LoadSecond(Format(), dy + j), xh(LoadSecond(Format(), x + j)));
  }
  if (j < count) {
    const auto left = static_cast<size_t>(count - j);
    const size_t first = left < kLanes ? left : kLanes;
    const Pair dys = LoadPair<Format>(dy + j, left);
    const Pair xs = LoadPair<Format>(x + j, left);
    // No infinite rstd may turn the zeros beyond the end into NaN.
    const VecF32 zero = SetF32(0.0f);
    a.Add(dys.a, Select(FirstN(first), xh(xs.a), zero));
    b.Add(dys.b, Select(FirstN(left - first), xh(xs.b), zero));
  }
  sums->dy += static_cast<double>(ReduceSum(Add(a.sum, b.sum)));
  sums->dy_xh += factor * static_cast<double>(ReduceSum(Add(a.products, b.products)));
}

template <class Format, bool kWithRstd, bool kAhead>
void SumRows(const Slab& slab, Sums* sums) {
  using Bits = typename Format::Bits;
  const Normalizer<Format, kWithRstd> xh(slab);
  const double factor = kWithRstd ? 1.0 : static_cast<double>(slab.rstd);
  for (int64_t r = 0; r < slab.rows; ++r) {
    const Bits* dy = static_cast<const Bits*>(slab.dy) + r * slab.cols;
    const Bits* x = static_cast<const Bits*>(slab.x) + r * slab.cols;
    Sums row = {};
    for (int64_t j = 0; j < slab.cols; j += kBlock) {
      const int64_t left = slab.cols - j;
      AddBlock<Format, kAhead>(dy + j, x + j, left < kBlock ? left : kBlock, xh, factor, slab.ahead,
                               &row);
    }
    sums[r] = row;
  }
}

template <class Format>
void SumProducts(const Slab& slab, Sums* sums) {
  if (!LeavesRstdOut(slab.rstd)) {
    SumRows<Format, true, false>(slab, sums);
  } else if (slab.ahead == 0) {
    SumRows<Format, false, false>(slab, sums);
  } else {
    SumRows<Format, false, true>(slab, sums);
  }
}

// Writes a row. Results come from row.First(j) and row.Second(j), the halves of the elements from j
// on, and row.Some(j, n), the first n of them; row.Prefetch(j) asks for what is wanted next.
template <class Format, bool kPastCaches, class Row>
void WriteRow(const Row& row, typename Format::Bits* out, int64_t count) {
  int64_t j = 0;
  if (kPastCaches) {
    j = ToAlignment(out, count);
    if (j > 0) StorePair<Format>(out, row.Some(0, static_cast<size_t>(j)), static_cast<size_t>(j));
  }
  for (; j + kStep <= count; j += kStep) {
    if (kPastCaches) row.Prefetch(j);
    const VecF32 first = row.First(j);
    const VecF32 second = row.Second(j);
    if (kPastCaches) {
      StorePairPastCaches(Format(), out + j, {first, second});
    } else {
      StorePair(Format(), out + j, {first, second});
    }
  }
  if (j < count) {
    const auto left = static_cast<size_t>(count - j);
    StorePair<Format>(out + j, row.Some(j, left), left);
  }
}

template <class Format, class Row>
void WriteRow(const Row& row, typename Format::Bits* out, int64_t count, bool past_caches) {
  if (past_caches) {
    WriteRow<Format, true>(row, out, count);
  } else {
    WriteRow<Format, false>(row, out, count);
  }
}

// dx of one row.
template <class Format, bool kWithRstd>
struct RowGradient {
  const typename Format::Bits* dy;
  const typename Format::Bits* x;
  Normalizer<Format, kWithRstd> xh;
  VecF32 scale, minus_c1, minus_c2;
  int64_t ahead;

  [[gnu::always_inline]] void Prefetch(int64_t j) const {
    PrefetchStep(dy + j, ahead);
    PrefetchStep(x + j, ahead);
  }

  VecF32 Of(VecF32 dys, VecF32 xs) const {
    // The mean of dy first: what is left is small where dy is nearly constant.
    return Fma(xh(xs), minus_c2, Fma(scale, dys, minus_c1));
  }
  VecF32 First(int64_t j) const {
    return Of(LoadFirst(Format(), dy + j), LoadFirst(Format(), x + j));
  }
  VecF32 Second(int64_t j) const {
    return Of(LoadSecond(Format(), dy + j), LoadSecond(Format(), x + j));
  }
  Pair Some(int64_t j, size_t n) const {
    const Pair dys = LoadPair<Format>(dy + j, n);
    const Pair xs = LoadPair<Format>(x + j, n);
    return {Of(dys.a, xs.a), Of(dys.b, xs.b)};
  }
};

template <class Format, bool kWithRstd>
void WriteRows(const Slab& slab, const Gradient& gradient) {
  using Bits = typename Format::Bits;
  const float c2 = kWithRstd ? gradient.c2 : gradient.c2 * slab.rstd;
  for (int64_t r = slab.rows; r-- > 0;) {
    const RowGradient<Format, kWithRstd> row = {static_cast<const Bits*>(slab.dy) + r * slab.cols,
                                                static_cast<const Bits*>(slab.x) + r * slab.cols,
                                                Normalizer<Format, kWithRstd>(slab),
                                                SetF32(gradient.gamma[r] * slab.rstd),
                                                SetF32(-gradient.c1),
                                                SetF32(-c2),
                                                slab.ahead};
    WriteRow<Format>(row, static_cast<Bits*>(gradient.dx) + r * slab.cols, slab.cols,
                     gradient.past_caches);
  }
}

template <class Format>
void WriteGradient(const Slab& slab, const Gradient& gradient) {
  if (LeavesRstdOut(slab.rstd)) {
    WriteRows<Format, false>(slab, gradient);
  } else {
    WriteRows<Format, true>(slab, gradient);
  }
  if (gradient.past_caches) FencePastCaches();
}

// In two passes over a block, which stays in L1: its mean, then the deviations from that, which
// need not be exact as their own mean is taken out again.
template <class Format, bool kAhead>
Moments BlockMoments(const typename Format::Bits* x, int64_t count, int64_t ahead) {
  VecF32 a = SetF32(0.0f), b = a;
  int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if (kAhead) PrefetchStep(x + j, ahead);
    a = Add(a, LoadFirst(Format(), x + j));
    b = Add(b, LoadSecond(Format(), x + j));
  }
  const auto left = static_cast<size_t>(count - j);
  const size_t first = left < kLanes ? left : kLanes;
  const Pair tail = LoadPair<Format>(x + j, left);
  const auto n = static_cast<double>(count);
  const auto mean =
      static_cast<float>(static_cast<double>(ReduceSum(Add(Add(a, tail.a), Add(b, tail.b)))) / n);

  const VecF32 minus_mean = SetF32(-mean);
  BlockSums<Format> c, d;
  for (j = 0; j + kStep <= count; j += kStep) {
    const VecF32 u = Add(LoadFirst(Format(), x + j), minus_mean);
    const VecF32 v = Add(LoadSecond(Format(), x + j), minus_mean);
    c.Add(u, u);
    d.Add(v, v);
  }
  const VecF32 zero = SetF32(0.0f);
  const VecF32 u = Select(FirstN(first), Add(tail.a, minus_mean), zero);
  const VecF32 v = Select(FirstN(left - first), Add(tail.b, minus_mean), zero);
  c.Add(u, u);
  d.Add(v, v);
  const double off = static_cast<double>(ReduceSum(Add(c.sum, d.sum))) / n;
  const auto squares = static_cast<double>(ReduceSum(Add(c.products, d.products)));
  return {static_cast<double>(mean) + off, squares - off * off * n};
}

template <class Format, bool kAhead>
void FindMomentsOfRows(const Slab& slab, Moments* moments) {
  for (int64_t r = 0; r < slab.rows; ++r) {
    const auto* x = static_cast<const typename Format::Bits*>(slab.x) + r * slab.cols;
    const auto block = [&](int64_t j, int64_t count) {
      return BlockMoments<Format, kAhead>(x + j, count, slab.ahead);
    };
    Moments row = block(0, slab.cols < kBlock ? slab.cols : kBlock);
    for (int64_t j = kBlock; j < slab.cols; j += kBlock) {
      const int64_t count = slab.cols - j < kBlock ? slab.cols - j : kBlock;
      group_norm::Merge(row, static_cast<double>(j), block(j, count), static_cast<double>(count));
    }
    moments[r] = row;
  }
}

template <class Format>
void FindMoments(const Slab& slab, Moments* moments) {
  if (slab.ahead == 0) {
    FindMomentsOfRows<Format, false>(slab, moments);
  } else {
    FindMomentsOfRows<Format, true>(slab, moments);
  }
}

template <class Format>
struct RowOutput {
  const typename Format::Bits* x;
  VecF32 minus_mean, scale, offset;
  int64_t ahead;

  [[gnu::always_inline]] void Prefetch(int64_t j) const { PrefetchStep(x + j, ahead); }
  VecF32 Of(VecF32 xs) const { return Fma(Add(xs, minus_mean), scale, offset); }
  VecF32 First(int64_t j) const { return Of(LoadFirst(Format(), x + j)); }
  VecF32 Second(int64_t j) const { return Of(LoadSecond(Format(), x + j)); }
  Pair Some(int64_t j, size_t n) const {
    const Pair xs = LoadPair<Format>(x + j, n);
    return {Of(xs.a), Of(xs.b)};
  }
};

template <class Format>
void Normalize(const Slab& slab, const Output& output) {
  using Bits = typename Format::Bits;
  for (int64_t r = slab.rows; r-- > 0;) {
    const float scale = output.gamma[r] * slab.rstd;
    const RowOutput<Format> row = {static_cast<const Bits*>(slab.x) + r * slab.cols,
                                   SetF32(-slab.mean), SetF32(scale),
                                   SetF32(output.beta[r] - output.residual * scale), slab.ahead};
    WriteRow<Format>(row, static_cast<Bits*>(output.out) + r * slab.cols, slab.cols,
                     output.past_caches);
  }
  if (output.past_caches) FencePastCaches();
}

template <class Format>
constexpr Kernels kKernels = {SumProducts<Format>, WriteGradient<Format>, FindMoments<Format>,
                              Normalize<Format>};

}  // namespace

extern constinit const group_norm::KernelSet kGroupNormKernels;
constinit const group_norm::KernelSet kGroupNormKernels = {
    .fp32 = kKernels<Fp32>, .fp16 = kKernels<Fp16>, .bf16 = kKernels<Bf16>};

}  // namespace anyacl::ANYACL_ISA
