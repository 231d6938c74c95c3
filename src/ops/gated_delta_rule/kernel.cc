// SPDX-License-Identifier: Apache-2.0
// Rows of a state, each twice over its vectors: a row of 128 numbers stays in L1 in between.
#include "ops/gated_delta_rule/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using gated_delta_rule::KernelSet;
using gated_delta_rule::kVector;
using gated_delta_rule::StepArgs;

template <bool kDecays>
void StepRows(const StepArgs& args) {
  const VecF32 alpha = SetF32(args.alpha);
  float* row = args.state;
  for (int64_t r = 0; r < args.rows; ++r, row += args.depth) {
    VecF32 known = SetF32(0.0f);
    for (int64_t k = 0; k < args.depth; k += kVector) {
      VecF32 s = Mul(Load(row + k), alpha);
      if constexpr (kDecays) s = Mul(s, Load(args.decay + k));
      Store(row + k, s);
      known = Fma(s, Load(args.key + k), known);
    }
    const VecF32 news = SetF32((args.value[r] - ReduceSum(known)) * args.beta);
    VecF32 seen = SetF32(0.0f);
    for (int64_t k = 0; k < args.depth; k += kVector) {
      const VecF32 s = Fma(news, Load(args.key + k), Load(row + k));
      Store(row + k, s);
      seen = Fma(s, Load(args.query + k), seen);
    }
    args.out[r] = ReduceSum(seen);
  }
}

void Step(const StepArgs& args) {
  args.decay != nullptr ? StepRows<true>(args) : StepRows<false>(args);
}

}  // namespace

extern constinit const KernelSet kGatedDeltaRuleKernels;
constinit const KernelSet kGatedDeltaRuleKernels = {.step = Step};

}  // namespace anyacl::ANYACL_ISA
