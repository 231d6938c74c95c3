// SPDX-License-Identifier: Apache-2.0
#include "ops/sorting/kernel.h"

#include "simd/ordered.h"

namespace anyacl::ANYACL_ISA {
namespace {

using sorting::Beyond;
using sorting::kBlock;
using sorting::Places;

constexpr auto kStep = static_cast<int64_t>(kLanes);

template <bool kAbove>
[[gnu::always_inline]] inline uint64_t BitsBeyond(VecF32 x, VecF32 bound) {
  return BitsOf(Not(kAbove ? LessEqual(x, bound) : LessEqual(bound, x)));
}

template <class F, bool kAbove>
Places FindBeyond(const Beyond& args) {
  const auto* const row = static_cast<const typename F::Bits*>(args.row);
  const VecF32 bound = SetF32(args.bound);
  int64_t at = args.begin;
  for (; at + kBlock <= args.end; at += kBlock) {
    uint64_t places = 0;
#pragma GCC unroll 4
    for (int64_t v = 0; v < kBlock; v += kStep) {
      places |= BitsBeyond<kAbove>(Read<F>(row + at + v, kLanes), bound) << v;
    }
    if (places != 0) return {at, places};
  }
  uint64_t places = 0;
  for (int64_t v = 0; at + v < args.end; v += kStep) {
    const int64_t rest = args.end - at - v;
    const auto n = static_cast<size_t>(rest < kStep ? rest : kStep);
    const uint64_t mask = BitsOf(FirstN(n));
    places |= (BitsBeyond<kAbove>(Read<F>(row + at + v, n), bound) & mask) << v;
  }
  return {places != 0 ? at : args.end, places};
}

template <class F>
Places FindBeyondOf(const Beyond& args) {
  return args.above ? FindBeyond<F, true>(args) : FindBeyond<F, false>(args);
}

}  // namespace

extern constinit const sorting::KernelSet kSortingKernels;
constinit const sorting::KernelSet kSortingKernels = {
    {FindBeyondOf<Fp32>, FindBeyondOf<Fp16>, FindBeyondOf<Bf16>}};

}  // namespace anyacl::ANYACL_ISA
