// SPDX-License-Identifier: Apache-2.0
// Two passes over a group. Between them lies the sum over all its channels, so the second reads dy
// and x again: from the channel that the first one read last, which the caches still hold.
#include "ops/group_norm/kernel.h"

#include "simd/pair.h"

#if defined(__AVX512BW__)
namespace anyacl::avx2 {
group_norm::BackwardKernels SelectGroupNormBackward(group_norm::Element element);
}
#endif

namespace anyacl::ANYACL_ISA {
namespace {

using group_norm::BackwardKernels;
using group_norm::Element;
using group_norm::Gradient;
using group_norm::kBlock;
using group_norm::Slab;
using group_norm::Sums;

constexpr int64_t kStep = kPairElements;

// The running sums over one half of the elements of a block.
struct BlockSums {
  VecF32 dy = SetF32(0.0f);
  VecF32 dy_xh = SetF32(0.0f);

  void Add(VecF32 dys, VecF32 xhs) {
    dy = ANYACL_ISA::Add(dy, dys);
    dy_xh = Fma(dys, xhs, dy_xh);
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

template <class Format, class Xh>
void AddBlock(const typename Format::Bits* dy, const typename Format::Bits* x, int64_t count,
              const Xh& xh, double factor, Sums* sums) {
  BlockSums a, b;
  int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
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
  sums->dy += static_cast<double>(ReduceSum(Add(a.dy, b.dy)));
  sums->dy_xh += factor * static_cast<double>(ReduceSum(Add(a.dy_xh, b.dy_xh)));
}

template <class Format, bool kWithRstd>
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
      AddBlock<Format>(dy + j, x + j, left < kBlock ? left : kBlock, xh, factor, &row);
    }
    sums[r] = row;
  }
}

template <class Format>
void SumProducts(const Slab& slab, Sums* sums) {
  if (LeavesRstdOut(slab.rstd)) {
    SumRows<Format, false>(slab, sums);
  } else {
    SumRows<Format, true>(slab, sums);
  }
}

// dx of one row.
template <class Xh>
struct RowGradient {
  Xh xh;
  VecF32 scale, minus_c1, minus_c2;

  VecF32 operator()(VecF32 dy, VecF32 x) const {
    // The mean of dy first: what is left is small where dy is nearly constant.
    return Fma(xh(x), minus_c2, Fma(scale, dy, minus_c1));
  }
};

template <class Format, class Bits, class Row>
void WritePart(const Bits* dy, const Bits* x, Bits* dx, size_t count, const Row& gradient) {
  const Pair dys = LoadPair<Format>(dy, count);
  const Pair xs = LoadPair<Format>(x, count);
  StorePair<Format>(dx, {gradient(dys.a, xs.a), gradient(dys.b, xs.b)}, count);
}

template <class Format, bool kStream, class Bits, class Row>
void WriteRow(const Bits* dy, const Bits* x, Bits* dx, int64_t count, const Row& gradient) {
  int64_t j = 0;
  if (kStream) {  // up to the first whole cache line
    const size_t beyond = reinterpret_cast<uintptr_t>(dx) % kVectorBytes / sizeof(Bits);
    const auto before =
        static_cast<int64_t>(beyond == 0 ? 0 : kVectorBytes / sizeof(Bits) - beyond);
    j = before < count ? before : count;
    if (j > 0) WritePart<Format>(dy, x, dx, static_cast<size_t>(j), gradient);
  }
  for (; j + kStep <= count; j += kStep) {
    const VecF32 first = gradient(LoadFirst(Format(), dy + j), LoadFirst(Format(), x + j));
    const VecF32 second = gradient(LoadSecond(Format(), dy + j), LoadSecond(Format(), x + j));
    const Pair result = {first, second};
    if (kStream) {
      StreamPair(Format(), dx + j, result);
    } else {
      StorePair(Format(), dx + j, result);
    }
  }
  if (j < count) {
    WritePart<Format>(dy + j, x + j, dx + j, static_cast<size_t>(count - j), gradient);
  }
}

template <class Format, bool kWithRstd>
void WriteRows(const Slab& slab, const Gradient& gradient) {
  using Bits = typename Format::Bits;
  using Xh = Normalizer<Format, kWithRstd>;
  const float c2 = kWithRstd ? gradient.c2 : gradient.c2 * slab.rstd;
  for (int64_t r = slab.rows; r-- > 0;) {
    const Bits* dy = static_cast<const Bits*>(slab.dy) + r * slab.cols;
    const Bits* x = static_cast<const Bits*>(slab.x) + r * slab.cols;
    Bits* dx = static_cast<Bits*>(gradient.dx) + r * slab.cols;
    const RowGradient<Xh> row = {Xh(slab), SetF32(gradient.gamma[r] * slab.rstd),
                                 SetF32(-gradient.c1), SetF32(-c2)};
    if (gradient.stream) {
      WriteRow<Format, true>(dy, x, dx, slab.cols, row);
    } else {
      WriteRow<Format, false>(dy, x, dx, slab.cols, row);
    }
  }
}

template <class Format>
void WriteGradient(const Slab& slab, const Gradient& gradient) {
  if (LeavesRstdOut(slab.rstd)) {
    WriteRows<Format, false>(slab, gradient);
  } else {
    WriteRows<Format, true>(slab, gradient);
  }
  if (gradient.stream) StreamFence();
}

template <class Format>
constexpr BackwardKernels kBackward = {SumProducts<Format>, WriteGradient<Format>};

}  // namespace

BackwardKernels SelectGroupNormBackward(Element element) {
  switch (element) {
    case Element::kFp32:
      return kBackward<Fp32>;
    case Element::kFp16:
#if defined(__AVX512BW__)
      // Conversions of 64 bytes cost more than two of 32: 10.3 against 8.0 cycles for 16 elements
      // of both passes on Zen 4. The bits are the same.
      return avx2::SelectGroupNormBackward(element);
#else
      return kBackward<Fp16>;
#endif
    case Element::kBf16:
      return kBackward<Bf16>;
  }
  return {};
}

}  // namespace anyacl::ANYACL_ISA
