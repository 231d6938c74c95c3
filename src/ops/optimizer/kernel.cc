// SPDX-License-Identifier: Apache-2.0
#include "ops/optimizer/kernel.h"

#include "simd/ordered.h"
#include "simd/prefetch.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using optimizer::AdamW;
using optimizer::AdamWStateOf;
using optimizer::EmaAdam;
using optimizer::EmaAdamState;
using optimizer::KernelSet;
using optimizer::Sgd;
using optimizer::SgdState;

template <class Format>
void UpdateAdamW(const AdamWStateOf<typename Format::Bits>& s, int64_t n, const AdamW& f) {
  const VecF32 beta1_rest = SetF32(f.beta1_rest), beta2 = SetF32(f.beta2);
  const VecF32 beta2_rest = SetF32(f.beta2_rest), decay = SetF32(f.decay);
  const VecF32 by = SetF32(f.gradient), step = SetF32(f.step_size), spread = SetF32(f.spread),
               eps = SetF32(f.eps);
  ForVectors(n, [&](int64_t i, size_t k) {
    // Ahead of the hardware, which follows fewer streams.
    const typename Format::Bits* const read[] = {s.g + i, s.m + i, s.v + i, s.p + i};
    for (const auto* p : read) PrefetchLines<1>(p, kAheadBytes);
    const VecF32 g = Mul(Read<Format>(s.g + i, k), by);
    const VecF32 before = Read<Format>(s.m + i, k);
    const VecF32 m = Fma(Sub(g, before), beta1_rest, before);
    const VecF32 v = Fma(Mul(g, beta2_rest), g, Mul(Read<Format>(s.v + i, k), beta2));
    Write<Format>(s.new_m + i, m, k);
    Write<Format>(s.new_v + i, v, k);
    VecF32 large = v;
    if (s.most != nullptr) {
      // NaN of either.
      const VecF32 most = Read<Format>(s.most + i, k);
      large = Select(Equal(most, most), Max(most, v), most);
      Write<Format>(s.new_most + i, large, k);
    }
    const VecF32 denominator = Fma(Sqrt(large), spread, eps);
    const VecF32 change = Div(Mul(step, m), denominator);
    Write<Format>(s.new_p + i, Sub(Mul(Read<Format>(s.p + i, k), decay), change), k);
  });
}

void UpdateEmaAdam(const EmaAdamState& s, int64_t n, const EmaAdam& f) {
  const VecF32 l2 = SetF32(f.l2), ema = SetF32(f.ema), ema_rest = SetF32(f.ema_rest);
  // The gradients' sums and what is written stay in the first cache until they are read again.
  constexpr int64_t kPiece = 512;
  alignas(64) float sums[kPiece];
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t count = n - begin < kPiece ? n - begin : kPiece;
    AdamWStateOf<float> adam = s.adam;
    const float** const read[] = {&adam.p, &adam.m, &adam.v, &adam.g};
    float** const written[] = {&adam.new_p, &adam.new_m, &adam.new_v};
    for (const float** at : read) *at += begin;
    for (float** at : written) *at += begin;
    if (f.adds_l2) {
      ForVectors(count, [&](int64_t i, size_t k) {
        Write(sums + i, Fma(l2, Read(adam.p + i, k), Read(adam.g + i, k)), k);
      });
      adam.g = sums;
    }
    UpdateAdamW<Fp32>(adam, count, f.adam);
    ForVectors(count, [&](int64_t i, size_t k) {
      const VecF32 before = Mul(Read(s.ema + begin + i, k), ema);
      Write(s.new_ema + begin + i, Fma(Read(adam.new_p + i, k), ema_rest, before), k);
    });
  }
}

void UpdateSgd(const SgdState& s, int64_t n, const Sgd& f) {
  const VecF32 scale = SetF32(f.scale), by = SetF32(f.gradient), decay = SetF32(f.weight_decay),
               momentum = SetF32(f.momentum), rest = SetF32(f.rest), lr = SetF32(f.lr);
  ForVectors(n, [&](int64_t i, size_t k) {
    VecF32 g = Read(s.g + i, k);
    const VecF32 p = Read(s.p + i, k);
    if (s.new_g != nullptr) {
      g = Div(g, scale);
      Write(s.new_g + i, g, k);
    }
    VecF32 d = Mul(g, by);
    if (f.weight_decay != 0) d = Fma(p, decay, d);
    if (s.v != nullptr) {
      const VecF32 v = f.first ? d : Fma(Read(s.v + i, k), momentum, Mul(d, rest));
      Write(s.new_v + i, v, k);
      d = f.nesterov ? Fma(v, momentum, d) : v;
    }
    Write(s.new_p + i, Sub(p, Mul(d, lr)), k);
  });
}

bool Unscale(const float* x, int64_t n, float factor, float* to) {
  const VecF32 by = SetF32(factor);
  // x - x is 0 of finite numbers and NaN of others, which stays.
  VecF32 seen = SetF32(0.0f);
  ForVectors(n, [&](int64_t i, size_t k) {
    const VecF32 value = Read(x + i, k);
    seen = Add(seen, Sub(value, value));
    Write(to + i, Mul(value, by), k);
  });
  return ReduceSum(seen) == 0.0f;
}

}  // namespace

extern constinit const KernelSet kOptimizerKernels;
constinit const KernelSet kOptimizerKernels = {
    UpdateAdamW<Fp32>, UpdateAdamW<Fp16>, UpdateAdamW<Bf16>, UpdateEmaAdam, UpdateSgd, Unscale};

}  // namespace anyacl::ANYACL_ISA
