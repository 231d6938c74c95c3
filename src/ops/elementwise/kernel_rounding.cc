// SPDX-License-Identifier: Apache-2.0
// Rounding, division with remainder and bits.
#include "ops/elementwise/kernel_integers.h"
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

template <class V>
inline V TruncDivide(V a, V b) {
  return Trunc(Div(a, b));
}
template <Integral N>
inline N TruncDivide(N a, N b) {
  return Quotient(a, b);
}

// To multiples of p > 1, half to even.
template <Integral N>
inline N RoundDecimals(N a, ScalarsRef<N> s) {
  const N r = Remainder(a, s.p), below = Sub(a, r);
  const N rest = static_cast<N>(s.p - r);
  const bool up = r > rest || (r == rest && Quotient(below, s.p) % 2 != 0);
  return up ? Add(below, s.p) : below;
}
template <class V>
inline V RoundDecimals(V a, ScalarsRef<V> s) {
  const V decimals = Div(RoundEven(Mul(a, s.p)), s.p), tens = Mul(RoundEven(Div(a, s.p)), s.p);
  return Select(Equal(s.q, Constant<V>(0)), decimals, tens);
}

// clang-format off
struct FloorOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Floor(a); } };
struct CeilOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Ceil(a); } };
struct RoundOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return RoundEven(a); } };
struct TruncOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Trunc(a); } };
struct FracOp : Unary { template <class V> static V Of(V a, V, ScalarsRef<V>) { return Sub(a, Trunc(a)); } };
struct RoundDecimalsOp : Unary {
  template <class V> static V Of(V a, V, ScalarsRef<V> s) { return RoundDecimals(a, s); }
};
struct TruncDivideOp : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return TruncDivide(a, b); } };
struct FloorDivideOp : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return FloorDivide(a, b); } };
struct FmodOp : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return Fmod(a, b); } };
struct RemainderOp : Binary { template <class V> static V Of(V a, V b, ScalarsRef<V>) { return Remainder(a, b); } };
struct GcdOp : Binary { template <class N> static N Of(N a, N b, ScalarsRef<N>) { return Gcd(a, b); } };
struct BitAndOp : Binary { template <class N> static N Of(N a, N b, ScalarsRef<N>) { return a & b; } };
struct BitOrOp : Binary { template <class N> static N Of(N a, N b, ScalarsRef<N>) { return a | b; } };
struct BitXorOp : Binary { template <class N> static N Of(N a, N b, ScalarsRef<N>) { return a ^ b; } };
struct BitNotOp : Unary { template <class N> static N Of(N a, N, ScalarsRef<N>) { return ~a; } };
// clang-format on

// The second operand of every element is p; kSwapped: the first one.
template <class Op, bool kSwapped = false>
struct ByScalar : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    return kSwapped ? Op::Of(s.p, a, s) : Op::Of(a, s.p, s);
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseRounding[];
constinit const elementwise::Row kElementwiseRounding[] = {
    kEveryForm<FloorOp>,
    kEveryForm<CeilOp>,
    kEveryForm<RoundOp>,
    kEveryForm<TruncOp>,
    kRareEveryForm<FracOp>,
    kRareEveryForm<RoundDecimalsOp>,
    kRareEveryForm<TruncDivideOp>,
    kRareEveryForm<FloorDivideOp>,
    kRareEveryForm<FmodOp>,
    kRareEveryForm<RemainderOp>,
    kRareEveryForm<ByScalar<TruncDivideOp>>,
    kRareEveryForm<ByScalar<FloorDivideOp>>,
    kRareEveryForm<ByScalar<FmodOp>>,
    kRareEveryForm<ByScalar<RemainderOp>>,
    kRareEveryForm<ByScalar<RemainderOp, true>>,
    kIntegerForms<GcdOp>,
    kIntegerForms<BitAndOp>,
    kIntegerForms<BitOrOp>,
    kIntegerForms<BitXorOp>,
    kIntegerForms<BitNotOp>,
    kIntegerForms<ByScalar<BitAndOp>>,
    kIntegerForms<ByScalar<BitOrOp>>,
    kIntegerForms<ByScalar<BitXorOp>>,
};
static_assert(sizeof(kElementwiseRounding) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(1));

}  // namespace anyacl::ANYACL_ISA
