// SPDX-License-Identifier: Apache-2.0
// Sums over taps for one channel at a time.
#include "ops/convolution/kernel.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using convolution::CorrelateArgs;
using convolution::DotArgs;

constexpr auto kOneVector = static_cast<int64_t>(kLanes);

template <int kVectors>
[[gnu::always_inline]] inline void CorrelateVectors(const CorrelateArgs& args, int64_t j) {
  VecF32 sums[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) sums[v] = SetF32(args.bias);
  for (int64_t t = 0; t < args.taps; ++t) {
    const VecF32 weight = SetF32(args.weights[t]);
    const float* const from = args.from + args.offsets[t] + j;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[v] = Fma(weight, Load(from + 16 * v), sums[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) Store(args.to + j + 16 * v, sums[v]);
}

template <int kTaps>
[[gnu::always_inline]] inline void DotTaps(const DotArgs& args, int64_t t) {
  VecF32 sums[kTaps];
#pragma GCC unroll 8
  for (int i = 0; i < kTaps; ++i) sums[i] = Load(args.sums + (t + i) * kOneVector);
  int64_t j = 0;
  for (; j + kOneVector <= args.count; j += kOneVector) {
    const VecF32 y = Load(args.y + j);
#pragma GCC unroll 8
    for (int i = 0; i < kTaps; ++i) {
      sums[i] = Fma(y, Load(args.from + args.offsets[t + i] + j), sums[i]);
    }
  }
  if (j < args.count) {
    const auto rest = static_cast<size_t>(args.count - j);
    const VecF32 y = Load(args.y + j, rest);
#pragma GCC unroll 8
    for (int i = 0; i < kTaps; ++i) {
      sums[i] = Fma(y, Load(args.from + args.offsets[t + i] + j, rest), sums[i]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kTaps; ++i) Store(args.sums + (t + i) * kOneVector, sums[i]);
}

}  // namespace

void ConvolutionCorrelate(const CorrelateArgs& args) {
  int64_t j = 0;
  for (; args.count - j >= 4 * kOneVector; j += 4 * kOneVector) CorrelateVectors<4>(args, j);
  for (; j < args.count; j += kOneVector) CorrelateVectors<1>(args, j);
}

void ConvolutionDot(const DotArgs& args) {
  int64_t t = 0;
  for (; t + 8 <= args.taps; t += 8) DotTaps<8>(args, t);
  for (; t + 3 <= args.taps; t += 3) DotTaps<3>(args, t);
  for (; t < args.taps; ++t) DotTaps<1>(args, t);
}

float ConvolutionSum(const float* from, int64_t count) {
  VecF32 sums[4] = {SetF32(0.0f), SetF32(0.0f), SetF32(0.0f), SetF32(0.0f)};
  int64_t j = 0;
  for (; j + 4 * kOneVector <= count; j += 4 * kOneVector) {
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) sums[v] = Add(sums[v], Load(from + j + 16 * v));
  }
  for (; j < count; j += kOneVector) {
    const auto rest = static_cast<size_t>(count - j < kOneVector ? count - j : kOneVector);
    sums[0] = Add(sums[0], Load(from + j, rest));
  }
  return ReduceSum(Add(Add(sums[0], sums[1]), Add(sums[2], sums[3])));
}

}  // namespace anyacl::ANYACL_ISA
