// SPDX-License-Identifier: Apache-2.0
// Elementary and special functions beyond those of kernel_functions.cc.
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

// clang-format off
struct Exp2Op : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Exp2(a); } };
struct Expm1Op : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Expm1(a); } };
struct Log2Op : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Log2(a); } };
struct Log10Op : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Log10(a); } };
struct Log1pOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Log1p(a); } };
struct TanOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Tan(a); } };
struct SincOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Sinc(a); } };
struct AsinOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Asin(a); } };
struct AcosOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Acos(a); } };
struct AtanOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Atan(a); } };
struct SinhOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Sinh(a); } };
struct CoshOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Cosh(a); } };
struct AsinhOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Asinh(a); } };
struct AcoshOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Acosh(a); } };
struct AtanhOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Atanh(a); } };
struct Atan2Op : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return Atan2(a, b); } };
struct ErfOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Erf(a); } };
struct ErfcOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Erfc(a); } };
struct ErfinvOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Erfinv(a); } };
struct LogAddExpOp : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return LogAddExp(a, b); } };
struct LgammaOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Lgamma(a); } };
struct DigammaOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Digamma(a); } };
struct LogAddExp2Op : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return LogAddExp2(a, b); } };
// clang-format on

// 0 of a = 0, but for b = NaN.
struct XLogYOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const V zero = Constant<V>(0);
    const V product = Mul(a, Log(b));
    return Select(And(Equal(a, zero), Equal(b, b)), zero, product);
  }
};
struct XLogYScalarOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    return XLogYOp::Of(a, s.p, s);
  }
};
struct XScalarLogYOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    return XLogYOp::Of(s.p, a, s);
  }
};
struct LogitOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    const V one = Constant<V>(1);
    const V held = Min(Sub(one, s.p), Max(s.p, a));
    const V z = Select(Less(s.p, Constant<V>(0)), a, held);
    return Log(Div(z, Sub(one, z)));
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseElementary[];
constinit const elementwise::Row kElementwiseElementary[] = {
    kRareFunction<Exp2Op>,  kRareFunction<Expm1Op>,       kRareFunction<Log2Op>,
    kRareFunction<Log10Op>, kRareFunction<Log1pOp>,       kRareFunction<TanOp>,
    kRareFunction<SincOp>,  kRareFunction<AsinOp>,        kRareFunction<AcosOp>,
    kRareFunction<AtanOp>,  kRareFunction<SinhOp>,        kRareFunction<CoshOp>,
    kRareFunction<AsinhOp>, kRareFunction<AcoshOp>,       kRareFunction<AtanhOp>,
    kRareFunction<Atan2Op>, kRareFunction<ErfOp>,         kRareFunction<ErfcOp>,
    kFp32Form<ErfinvOp>,    kRareFunction<LogAddExpOp>,   kRareFunction<LogAddExp2Op>,
    kRareFunction<XLogYOp>, kRareFunction<XLogYScalarOp>, kRareFunction<XScalarLogYOp>,
    kRareFunction<LogitOp>, kInDoubles<LgammaOp>,         kInDoubles<DigammaOp>,
};
static_assert(sizeof(kElementwiseElementary) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(6));

}  // namespace anyacl::ANYACL_ISA
