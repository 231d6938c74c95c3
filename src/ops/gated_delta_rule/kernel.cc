// SPDX-License-Identifier: Apache-2.0
// Rows of a state, some at a time, twice over their vectors: rows of 128 numbers stay in L1 in
// between.
#include "ops/gated_delta_rule/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using gated_delta_rule::KernelSet;
using gated_delta_rule::kVector;
using gated_delta_rule::StepArgs;

// Rows that are worked on together: a sum waits for its last term, and meanwhile others go on. 512
// tokens of 32 heads of 128 by 128 took 114 ms one by one, 39 ms by four (AVX2, two cores).
constexpr int kTogether = 4;

template <bool kDecays, int kRows>
void StepTogether(const StepArgs& args, int64_t first) {
  const VecF32 alpha = SetF32(args.alpha);
  float* const rows = args.state + first * args.depth;
  VecF32 known[kRows], news[kRows], seen[kRows];
  for (int r = 0; r < kRows; ++r) known[r] = seen[r] = SetF32(0.0f);
  for (int64_t k = 0; k < args.depth; k += kVector) {
    const VecF32 key = Load(args.key + k);
    for (int r = 0; r < kRows; ++r) {
      float* const at = rows + r * args.depth + k;
      VecF32 s = Mul(Load(at), alpha);
      if constexpr (kDecays) s = Mul(s, Load(args.decay + k));
      Store(at, s);
      known[r] = Fma(s, key, known[r]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    news[r] = SetF32((args.value[first + r] - ReduceSum(known[r])) * args.beta);
  }
  for (int64_t k = 0; k < args.depth; k += kVector) {
    const VecF32 key = Load(args.key + k), query = Load(args.query + k);
    for (int r = 0; r < kRows; ++r) {
      float* const at = rows + r * args.depth + k;
      const VecF32 s = Fma(news[r], key, Load(at));
      Store(at, s);
      seen[r] = Fma(s, query, seen[r]);
    }
  }
  for (int r = 0; r < kRows; ++r) args.out[first + r] = ReduceSum(seen[r]);
}

template <bool kDecays>
void StepRows(const StepArgs& args) {
  int64_t r = 0;
  for (; r + kTogether <= args.rows; r += kTogether) StepTogether<kDecays, kTogether>(args, r);
  for (; r < args.rows; ++r) StepTogether<kDecays, 1>(args, r);
}

void Step(const StepArgs& args) {
  args.decay != nullptr ? StepRows<true>(args) : StepRows<false>(args);
}

}  // namespace

extern constinit const KernelSet kGatedDeltaRuleKernels;
constinit const KernelSet kGatedDeltaRuleKernels = {.step = Step};

}  // namespace anyacl::ANYACL_ISA
