// SPDX-License-Identifier: Apache-2.0
// What memory bounds: one loop per form.
#include "ops/elementwise/kernel_loop.h"
#include "ops/elementwise/kernel_turn.h"

namespace anyacl::ANYACL_ISA {
namespace {

struct AddOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Add(a, b);
  }
};
struct AddScaledOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>& s) {
    return Fma(s.p, b, a);
  }
};
struct SubOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Sub(a, b);
  }
};
struct MulOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Mul(a, b);
  }
};
struct DivOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Div(a, b);
  }
};
// Max gives b if either is NaN.
struct MaximumOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Select(Equal(a, a), Max(a, b), a);
  }
};
struct MinimumOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Select(Equal(a, a), Min(a, b), a);
  }
};
struct AddScalarOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Add(a, s.p);
  }
};
struct MulScalarOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Mul(a, s.p);
  }
};
struct DivScalarOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Div(a, s.p);
  }
};
struct NegOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Neg(a);
  }
};
struct AbsOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Abs(a);
  }
};
struct ReluOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Max(Constant<V>(0), a);
  }
};
struct LeakyReluOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Select(Less(a, Constant<V>(0)), Mul(a, s.p), a);
  }
};
// NaN stays NaN.
struct ClampOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Min(s.q, Max(s.p, a));
  }
};
struct SquareOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Mul(a, a);
  }
};
struct CubeOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Mul(Mul(a, a), a);
  }
};
struct SqrtOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Sqrt(a);
  }
};
struct RsqrtOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Div(Constant<V>(1), Sqrt(a));
  }
};
struct ReciprocalOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Div(Constant<V>(1), a);
  }
};
struct SignOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    const V zero = Constant<V>(0), one = Constant<V>(1);
    return Sub(Select(Less(zero, a), one, zero), Select(Less(a, zero), one, zero));
  }
};

struct ScaleAddOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Fma(s.q, a, s.p);
  }
};

template <class Element>
void Where(const uint8_t* c, const void* a, const void* b, int64_t count, void* out) {
  const auto* yes = static_cast<const Element*>(a);
  const auto* no = static_cast<const Element*>(b);
  auto* to = static_cast<Element*>(out);
  for (int64_t i = 0; i < count; ++i) {
    const Element first = yes[i], second = no[i];
    to[i] = c[i] != 0 ? first : second;
  }
}
template <class Element>
void MaskedFill(const uint8_t* c, const void* a, const void* value, int64_t count, void* out) {
  const auto* from = static_cast<const Element*>(a);
  auto* to = static_cast<Element*>(out);
  const Element filled = *static_cast<const Element*>(value);
  for (int64_t i = 0; i < count; ++i) {
    const Element kept = from[i];
    to[i] = c[i] != 0 ? filled : kept;
  }
}

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseArithmetic[];
constinit const elementwise::Row kElementwiseArithmetic[] = {
    kEveryForm<AddOp>,       kEveryForm<AddScaledOp>,
    kEveryForm<SubOp>,       kEveryForm<MulOp>,
    kFloatingForms<DivOp>,   kEveryForm<MaximumOp>,
    kEveryForm<MinimumOp>,   kEveryForm<AddScalarOp>,
    kEveryForm<MulScalarOp>, kFloatingForms<DivScalarOp>,
    kEveryForm<NegOp>,       kEveryForm<AbsOp>,
    kEveryForm<ReluOp>,      kFloatingForms<LeakyReluOp>,
    kEveryForm<ClampOp>,     kEveryForm<SquareOp>,
    kEveryForm<CubeOp>,      kFloatingForms<SqrtOp>,
    kFloatingForms<RsqrtOp>, kFloatingForms<ReciprocalOp>,
    kEveryForm<SignOp>,      kEveryForm<ScaleAddOp>,
};
static_assert(sizeof(kElementwiseArithmetic) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(0));

extern constinit const elementwise::KernelSet kElementwiseKernels;
constinit const elementwise::KernelSet kElementwiseKernels = {
    {kElementwiseArithmetic, kElementwiseRounding, kElementwiseTernary, kElementwisePiecewise,
     kElementwiseComparison, kElementwiseFunctions, kElementwiseElementary, kElementwiseActivation},
    {Where<uint8_t>, Where<uint16_t>, Where<uint32_t>, Where<uint64_t>},
    {MaskedFill<uint8_t>, MaskedFill<uint16_t>, MaskedFill<uint32_t>, MaskedFill<uint64_t>},
    {TurnHalves<Fp32>, TurnHalves<Fp16>, TurnHalves<Bf16>},
    {TurnNeighbours<Fp32>, TurnNeighbours<Fp16>, TurnNeighbours<Bf16>},
};

}  // namespace anyacl::ANYACL_ISA
