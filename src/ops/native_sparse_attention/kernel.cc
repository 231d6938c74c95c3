// SPDX-License-Identifier: Apache-2.0
#include "ops/native_sparse_attention/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using native_sparse_attention::Differential;
using native_sparse_attention::KernelSet;

constexpr int64_t kStep = kLanes;

// Calls visit(i, n) for the whole vectors of a row, and then for what is left of it.
template <class Visit>
[[gnu::always_inline]] inline void ForVectors(int64_t count, const Visit& visit) {
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) visit(i, kLanes);
  if (i < count) visit(i, static_cast<size_t>(count - i));
}

void AddWeighted(float weight, const float* from, int64_t count, float* to) {
  const VecF32 factor = SetF32(weight);
  ForVectors(count, [&](int64_t i, size_t n) {
    Store(to + i, Fma(factor, Load(from + i, n), Load(to + i, n)), n);
  });
}

float Dot(const float* a, const float* b, int64_t count) {
  VecF32 sum = SetF32(0.0f);
  ForVectors(count, [&](int64_t i, size_t n) { sum = Fma(Load(a + i, n), Load(b + i, n), sum); });
  return ReduceSum(sum);
}

void AddProbabilities(float* scores, const int8_t* masked, float scale, int64_t count, float* to) {
  const VecF32 factor = SetF32(scale), none = SetF32(-__builtin_inff());
  VecF32 most = none;
  ForVectors(count, [&](int64_t i, size_t n) {
    VecF32 s = Mul(Load(scores + i, n), factor);
    if (masked != nullptr) s = Select(Equal(LoadI8(masked + i, n), SetI32(0)), s, none);
    Store(scores + i, s, n);
    most = Max(Select(FirstN(n), s, none), most);
  });
  const float largest = ReduceMax(most);
  if (largest == -__builtin_inff()) return;
  VecF32 sum = SetF32(0.0f);
  ForVectors(count, [&](int64_t i, size_t n) {
    const VecF32 e = Exp(Sub(Load(scores + i, n), SetF32(largest)));
    Store(scores + i, e, n);
    sum = Add(sum, Select(FirstN(n), e, SetF32(0.0f)));
  });
  AddWeighted(1 / ReduceSum(sum), scores, count, to);
}

void Differentiate(const Differential& row) {
  const VecF32 scale = SetF32(row.scale), max = SetF32(row.max), delta = SetF32(row.delta);
  const VecF32 inverse = SetF32(1 / row.sum), zero = SetF32(0.0f);
  ForVectors(row.count, [&](int64_t j, size_t n) {
    const VecF32 p = Mul(Exp(Sub(Mul(Load(row.p + j, n), scale), max)), inverse);
    Store(row.p + j, p, n);
    Store(row.ds + j, Mul(Mul(p, Sub(Load(row.ds + j, n), delta)), scale), n);
  });
  const int64_t left = row.all - row.count;
  ForVectors(left, [&](int64_t j, size_t n) {
    Store(row.p + row.count + j, zero, n);
    Store(row.ds + row.count + j, zero, n);
  });
}

}  // namespace

extern constinit const KernelSet kNativeSparseAttentionKernels;
constinit const KernelSet kNativeSparseAttentionKernels = {
    .add_weighted = AddWeighted,
    .dot = Dot,
    .add_probabilities = AddProbabilities,
    .differentiate = Differentiate,
};

}  // namespace anyacl::ANYACL_ISA
