// SPDX-License-Identifier: Apache-2.0
// The epilogue: a row of fp32 to SwiGLU of its halves, quantised.
#include "ops/grouped_matmul/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using grouped_matmul::KernelSet;
using grouped_matmul::RowArgs;

// SwiGLU of 16 columns.
VecF32 SwigluLanes(VecF32 activated, VecF32 gate) {
  // The formula's quotient at -inf has no value; Silu would give its limit.
  const Mask lowest = Less(activated, SetF32(-__FLT_MAX__));
  const VecF32 silu = Select(lowest, SetF32(__builtin_nanf("")), Silu(activated));
  return Mul(silu, gate);
}

// The largest |s|, written over c; NaN if there is one, since the bits of NaN are larger than all
// others.
template <bool kSmooth>
float Swiglu(const RowArgs& args) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  float* const c = args.c;
  const float* const next = args.next;
  const int64_t half = args.half;
  VecI32 largest = SetI32(0);
  int64_t j = 0;
  for (; j + kStep <= half; j += kStep) {
    PrefetchL1(next + j);
    PrefetchL1(next + half + j);
    VecF32 s = SwigluLanes(Load(c + j), Load(c + half + j));
    if constexpr (kSmooth) s = Mul(s, Load(args.smooth + j));
    largest = Max(largest, BitsOf(Abs(s)));
    Store(c + j, s);
  }
  if (j < half) {
    const auto left = static_cast<size_t>(half - j);
    VecF32 s = SwigluLanes(Load(c + j, left), Load(c + half + j, left));
    if constexpr (kSmooth) s = Mul(s, Load(args.smooth + j, left));
    largest = Max(largest, BitsOf(Abs(s)));
    Store(c + j, s, left);
  }
  return __builtin_bit_cast(float, ReduceMax(largest));
}

// rint(s / scale). The product with the reciprocal is within 4 * 2^-24 * 127 = 3.1e-5 of the
// quotient, so it rounds to the same integer unless it is closer than that to a half.
VecI32 Quotients(VecF32 s, VecF32 reciprocal, VecF32 scale) {
  VecF32 quotient = Mul(s, reciprocal);
  const Mask near_half = Less(SetF32(0.49996f), Abs(Fraction(quotient)));
  if (__builtin_expect(Any(near_half), 0)) quotient = Div(s, scale);
  return RoundToI32(quotient);
}

void StoreQ(const RowArgs& args, int64_t j, VecI8 q) {
  const int64_t left = args.half - j;
  if (args.q_step == 1) {
    left >= 64 ? Store(args.q + j, q) : Store(args.q + j, q, static_cast<size_t>(left));
    return;
  }
  int8_t bytes[64];
  Store(bytes, q);
  for (int64_t i = 0; i < (left < 64 ? left : 64); ++i) args.q[(j + i) * args.q_step] = bytes[i];
}

VecF32 LoadUpTo(const float* p, int64_t n) {
  constexpr auto kAll = static_cast<int64_t>(kLanes);
  return n >= kAll ? Load(p) : n > 0 ? Load(p, static_cast<size_t>(n)) : SetF32(0.0f);
}

void FinishRow(const RowArgs& args) {
  const float largest = args.smooth == nullptr ? Swiglu<false>(args) : Swiglu<true>(args);
  const float scale = largest / 127.0f;
  *args.scale = scale;
  const bool has_quotients = scale > 0.0f && scale <= __FLT_MAX__;
  // Below, the reciprocal of the scale would be infinite.
  const bool has_reciprocal = scale > 0x1p-120f;
  const VecF32 reciprocal = SetF32(has_reciprocal ? 1.0f / scale : __builtin_inff());
  const VecF32 divisor = SetF32(scale);
  for (int64_t j = 0; j < args.half; j += 64) {
    VecI32 q[4];
    for (int i = 0; i < 4; ++i) {
      const VecF32 s = LoadUpTo(args.c + j + 16 * i, args.half - j - 16 * i);
      q[i] = !has_quotients    ? SetI32(0)
             : !has_reciprocal ? RoundToI32(Div(s, divisor))
                               : Quotients(s, reciprocal, divisor);
    }
    StoreQ(args, j, PackI8(q[0], q[1], q[2], q[3]));
  }
}

}  // namespace

extern constinit const KernelSet kGroupedMatmulKernels;
constinit const KernelSet kGroupedMatmulKernels = {.finish_row = FinishRow};

}  // namespace anyacl::ANYACL_ISA
