// SPDX-License-Identifier: Apache-2.0
#include "ops/resampling/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using resampling::AcrossArgs;
using resampling::AlongArgs;

constexpr auto kAll = static_cast<int64_t>(kLanes);

void Across(const AcrossArgs& args) {
  for (int64_t j = 0; j < args.count; j += kAll) {
    const auto n = static_cast<size_t>(args.count - j < kAll ? args.count - j : kAll);
    VecF32 sum = SetF32(0.0f);
    for (int64_t t = 0; t < args.taps; ++t) {
      const VecF32 weight = SetF32(args.weights[t]);
      const VecF32 x = n == kLanes ? Load(args.rows[t] + j) : Load(args.rows[t] + j, n);
      sum = t == 0 ? Mul(weight, x) : Fma(weight, x, sum);
    }
    n == kLanes ? Store(args.to + j, sum) : Store(args.to + j, sum, n);
  }
}

void Along(const AlongArgs& args) {
  for (int64_t j = 0; j < args.count; ++j) {
    int64_t t = args.begins[j];
    const int64_t end = args.begins[j + 1];
    float sum = 0;
    if (t < end) {
      sum = args.weights[t] * args.from[args.at[t]];
      for (++t; t < end; ++t) {
        sum = __builtin_fmaf(args.weights[t], args.from[args.at[t]], sum);
      }
    }
    args.to[j] = sum;
  }
}

void Divide(float* to, const float* divisors, float divisor, int64_t count) {
  const VecF32 all = SetF32(divisor);
  for (int64_t j = 0; j < count; j += kAll) {
    const auto n = static_cast<size_t>(count - j < kAll ? count - j : kAll);
    Store(to + j, Div(Load(to + j, n), Mul(all, Load(divisors + j, n))), n);
  }
}

}  // namespace

extern constinit const resampling::KernelSet kResamplingKernels;
constinit const resampling::KernelSet kResamplingKernels = {
    .across = Across,
    .along = Along,
    .divide = Divide,
};

}  // namespace anyacl::ANYACL_ISA
