// SPDX-License-Identifier: Apache-2.0
// What takes longer to compute than to convert.
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

struct ExpOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Exp(a);
  }
};
struct LogOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Log(a);
  }
};
struct SigmoidOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Sigmoid(a);
  }
};
struct SiluOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Silu(a);
  }
};
struct GeluOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return GeluTanh(a);
  }
  // x / (1 + e^-2u), as GeluTanh, with e^-2u to 2^-18: a polynomial of degree 4, minimax in the
  // relative error, and ln 2 in one part. 16 bits show no loss where e^-2u has few bits left.
  static VecF32 Narrow(VecF32 x) {
    const VecF32 square = Mul(x, x);
    const VecF32 twice = Mul(x, Fma(square, SetF32(0x1.2444f2p-4f), SetF32(0x1.988454p+0f)));
    const VecF32 t = Max(SetF32(-120.0f), NegAbs(twice));
    const VecF32 n = RoundEven(Mul(t, SetF32(0x1.715476p+0f)));
    const VecF32 r = Fma(n, SetF32(-0x1.62e43p-1f), t);
    VecF32 p = SetF32(0x1.5414ccp-5f);
    p = Fma(p, r, SetF32(0x1.57cecep-3f));
    p = Fma(p, r, SetF32(0x1.0003f4p-1f));
    p = Fma(p, r, SetF32(0x1.fffba6p-1f));
    p = Fma(p, r, SetF32(1.0f));
    const VecF32 e = ScalePositiveByPowerOf2(p, n);
    // Below -20 the result is 0, for -infinity too.
    const VecF32 scaled = Mul(Max(SetF32(-20.0f), x), e);
    return Div(Select(Less(x, SetF32(0.0f)), scaled, x), Add(SetF32(1.0f), e));
  }
};
struct TanhOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Tanh(a);
  }
};
struct SinOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Sin(a);
  }
};
struct CosOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>&) {
    return Cos(a);
  }
};
struct PowOp {
  static constexpr int kInputs = 2;
  template <class V>
  static V Of(V a, V b, const Scalars<V>&) {
    return Pow(a, b);
  }
};
struct PowScalarOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Pow(a, s.p);
  }
};
struct PowOfScalarOp {
  static constexpr int kInputs = 1;
  template <class V>
  static V Of(V a, V, const Scalars<V>& s) {
    return Pow(s.p, a);
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseFunctions[];
constinit const elementwise::Row kElementwiseFunctions[] = {
    kFloatingForms<ExpOp>,         kFloatingForms<LogOp>,
    kFloatingForms<SigmoidOp>,     kFloatingForms<SiluOp>,
    kFloatingForms<GeluOp>,        kFloatingForms<TanhOp>,
    kFloatingForms<SinOp>,         kFloatingForms<CosOp>,
    kWideAndIntegerForms<PowOp>,   kWideAndIntegerForms<PowScalarOp>,
    kRareEveryForm<PowOfScalarOp>,
};
static_assert(sizeof(kElementwiseFunctions) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(5));

}  // namespace anyacl::ANYACL_ISA
