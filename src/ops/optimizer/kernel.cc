// SPDX-License-Identifier: Apache-2.0
#include "ops/optimizer/kernel.h"

#include "simd/ordered.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using optimizer::AdamW;
using optimizer::AdamWStateOf;
using optimizer::KernelSet;

constexpr auto kStep = static_cast<int64_t>(kLanes);

[[gnu::always_inline]] inline VecF32 Read(const float* p, size_t k) {
  return k == kLanes ? Load(p) : Load(p, k);
}
[[gnu::always_inline]] inline void Write(float* p, VecF32 v, size_t k) {
  if (k == kLanes) return Store(p, v);
  Store(p, v, k);
}
// Elements of one format.
template <class Format>
struct Access {
  using Bits = typename Format::Bits;
  [[gnu::always_inline]] static VecF32 Read(const Bits* p, size_t k) {
    return k == kLanes ? LoadElements(Format(), p) : LoadElements(Format(), p, k);
  }
  [[gnu::always_inline]] static void Write(Bits* p, VecF32 v, size_t k) {
    if (k == kLanes) return StoreElements(Format(), p, v);
    StoreElements(Format(), p, v, k);
  }
};

template <class Body>
[[gnu::always_inline]] inline void ForVectors(int64_t n, const Body& body) {
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) body(i, kLanes);
  if (i < n) body(i, static_cast<size_t>(n - i));
}

template <class Format>
void UpdateAdamW(const AdamWStateOf<typename Format::Bits>& s, int64_t n, const AdamW& f) {
  using A = Access<Format>;
  const VecF32 beta1_rest = SetF32(f.beta1_rest), beta2 = SetF32(f.beta2);
  const VecF32 beta2_rest = SetF32(f.beta2_rest), decay = SetF32(f.decay);
  const VecF32 by = SetF32(f.gradient), step = SetF32(f.step_size), spread = SetF32(f.spread),
               eps = SetF32(f.eps);
  ForVectors(n, [&](int64_t i, size_t k) {
    const VecF32 g = Mul(A::Read(s.g + i, k), by);
    const VecF32 before = A::Read(s.m + i, k);
    const VecF32 m = Fma(Sub(g, before), beta1_rest, before);
    const VecF32 v = Fma(Mul(g, beta2_rest), g, Mul(A::Read(s.v + i, k), beta2));
    A::Write(s.new_m + i, m, k);
    A::Write(s.new_v + i, v, k);
    VecF32 large = v;
    if (s.most != nullptr) {
      // NaN of either.
      const VecF32 most = A::Read(s.most + i, k);
      large = Select(Equal(most, most), Max(most, v), most);
      A::Write(s.new_most + i, large, k);
    }
    const VecF32 denominator = Fma(Sqrt(large), spread, eps);
    const VecF32 change = Div(Mul(step, m), denominator);
    A::Write(s.new_p + i, Sub(Mul(A::Read(s.p + i, k), decay), change), k);
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
constinit const KernelSet kOptimizerKernels = {UpdateAdamW<Fp32>, UpdateAdamW<Fp16>,
                                               UpdateAdamW<Bf16>, Unscale};

}  // namespace anyacl::ANYACL_ISA
