// SPDX-License-Identifier: Apache-2.0
// Two passes over a group. Between them lies the sum over all its channels, so the second reads dy
// and x again: from the channel that the first one read last, which the caches still hold.
//
// Products and sums are rounded separately: the passes are bound by memory and conversions, and
// machines without a fused multiply-add compute the same bits at full speed.
#include "ops/group_norm/kernel.h"

#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {
namespace {

using group_norm::BackwardKernels;
using group_norm::Element;
using group_norm::Gradient;
using group_norm::kBlock;
using group_norm::Slab;
using group_norm::Sums;

constexpr int64_t kStep = kPairElements;

// The running sums over one block.
struct BlockSums {
  Pair dy = {SetF32(0.0f), SetF32(0.0f)};
  Pair dy_xh = {SetF32(0.0f), SetF32(0.0f)};

  void Add(Pair dys, Pair products) {
    dy = {ANYACL_ISA::Add(dy.a, dys.a), ANYACL_ISA::Add(dy.b, dys.b)};
    dy_xh = {ANYACL_ISA::Add(dy_xh.a, products.a), ANYACL_ISA::Add(dy_xh.b, products.b)};
  }
};

inline VecF32 Normalized(VecF32 x, VecF32 mean, VecF32 rstd) { return Mul(Sub(x, mean), rstd); }

template <class Format>
void AddBlock(const typename Format::Bits* dy, const typename Format::Bits* x, int64_t count,
              VecF32 mean, VecF32 rstd, Sums* sums) {
  BlockSums block;
  int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    const Pair dys = LoadPair(Format(), dy + j);
    const Pair xs = LoadPair(Format(), x + j);
    block.Add(dys,
              {Mul(dys.a, Normalized(xs.a, mean, rstd)), Mul(dys.b, Normalized(xs.b, mean, rstd))});
  }
  if (j < count) {
    const auto left = static_cast<size_t>(count - j);
    const Pair dys = LoadPair<Format>(dy + j, left);
    const Pair xs = LoadPair<Format>(x + j, left);
    // No infinite rstd may turn the zeros beyond the end into NaN.
    const auto product = [&](VecF32 d, VecF32 v, size_t n) {
      return Select(FirstN(n), Mul(d, Normalized(v, mean, rstd)), SetF32(0.0f));
    };
    const size_t first = left < kLanes ? left : kLanes;
    block.Add(dys, {product(dys.a, xs.a, first), product(dys.b, xs.b, left - first)});
  }
  sums->dy += static_cast<double>(ReduceSum(Add(block.dy.a, block.dy.b)));
  sums->dy_xh += static_cast<double>(ReduceSum(Add(block.dy_xh.a, block.dy_xh.b)));
}

template <class Format>
void SumProducts(const Slab& slab, Sums* sums) {
  using Bits = typename Format::Bits;
  const VecF32 mean = SetF32(slab.mean);
  const VecF32 rstd = SetF32(slab.rstd);
  for (int64_t r = 0; r < slab.rows; ++r) {
    const Bits* dy = static_cast<const Bits*>(slab.dy) + r * slab.cols;
    const Bits* x = static_cast<const Bits*>(slab.x) + r * slab.cols;
    Sums row = {};
    for (int64_t j = 0; j < slab.cols; j += kBlock) {
      const int64_t left = slab.cols - j;
      AddBlock<Format>(dy + j, x + j, left < kBlock ? left : kBlock, mean, rstd, &row);
    }
    sums[r] = row;
  }
}

// dx of one row.
struct RowGradient {
  VecF32 mean, rstd, scale, c1, c2;

  VecF32 operator()(VecF32 dy, VecF32 x) const {
    return Sub(Mul(scale, dy), Add(c1, Mul(Normalized(x, mean, rstd), c2)));
  }
  Pair operator()(Pair dy, Pair x) const { return {(*this)(dy.a, x.a), (*this)(dy.b, x.b)}; }
};

template <class Format, class Bits>
void WritePart(const Bits* dy, const Bits* x, Bits* dx, size_t count, const RowGradient& gradient) {
  const Pair result = gradient(LoadPair<Format>(dy, count), LoadPair<Format>(x, count));
  StorePair<Format>(dx, result, count);
}

template <class Format, bool kStream, class Bits>
void WriteRow(const Bits* dy, const Bits* x, Bits* dx, int64_t count, const RowGradient& gradient) {
  int64_t j = 0;
  if (kStream) {  // up to the first whole cache line
    const size_t beyond = reinterpret_cast<uintptr_t>(dx) % kVectorBytes / sizeof(Bits);
    const auto before =
        static_cast<int64_t>(beyond == 0 ? 0 : kVectorBytes / sizeof(Bits) - beyond);
    j = before < count ? before : count;
    if (j > 0) WritePart<Format>(dy, x, dx, static_cast<size_t>(j), gradient);
  }
  for (; j + kStep <= count; j += kStep) {
    const Pair result = gradient(LoadPair(Format(), dy + j), LoadPair(Format(), x + j));
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

template <class Format>
void WriteGradient(const Slab& slab, const Gradient& gradient) {
  using Bits = typename Format::Bits;
  for (int64_t r = slab.rows; r-- > 0;) {
    const Bits* dy = static_cast<const Bits*>(slab.dy) + r * slab.cols;
    const Bits* x = static_cast<const Bits*>(slab.x) + r * slab.cols;
    Bits* dx = static_cast<Bits*>(gradient.dx) + r * slab.cols;
    const RowGradient row = {SetF32(slab.mean), SetF32(slab.rstd),
                             SetF32(gradient.gamma[r] * slab.rstd), SetF32(gradient.c1),
                             SetF32(gradient.c2)};
    if (gradient.stream) {
      WriteRow<Format, true>(dy, x, dx, slab.cols, row);
    } else {
      WriteRow<Format, false>(dy, x, dx, slab.cols, row);
    }
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
      return kBackward<Fp16>;
    case Element::kBf16:
      return kBackward<Bf16>;
  }
  return {};
}

}  // namespace anyacl::ANYACL_ISA
