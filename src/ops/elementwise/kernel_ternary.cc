// SPDX-License-Identifier: Apache-2.0
// Operations of three inputs, and of two with a weight.
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

struct AddcmulOp : Ternary {
  template <class V>
  static V Of(V a, V b, V c, ScalarsRef<V> s) {
    return Fma(Mul(s.p, b), c, a);
  }
};
struct AddcdivOp : Ternary {
  template <class V>
  static V Of(V a, V b, V c, ScalarsRef<V> s) {
    if constexpr (__is_same(V, int32_t) || __is_same(V, int64_t)) {
      const V product = Mul(s.p, b);
      return Add(a, c == 0 ? V{0} : c == -1 ? Neg(product) : static_cast<V>(product / c));
    } else {
      return Add(a, Div(Mul(s.p, b), c));
    }
  }
};
struct ClampTensorOp : Ternary {
  template <class V>
  static V Of(V a, V b, V c, ScalarsRef<V>) {
    const V above = Select(Equal(a, a), Max(a, b), a);
    return Select(Equal(above, above), Min(above, c), above);
  }
};
// From the end that is nearer, so that weights of 0 and 1 give the ends.
template <class V>
inline V Between(V a, V b, V weight) {
  const V difference = Sub(b, a), one = Constant<V>(1);
  return Select(Less(Abs(weight), Constant<V>(0.5)), Fma(weight, difference, a),
                Fma(Sub(weight, one), difference, b));
}
struct LerpOp : Ternary {
  template <class V>
  static V Of(V a, V b, V c, ScalarsRef<V>) {
    return Between(a, b, c);
  }
};
struct LerpScalarOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    return Between(a, b, s.p);
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseTernary[];
constinit const elementwise::Row kElementwiseTernary[] = {
    kEveryForm<AddcmulOp>, kEveryForm<AddcdivOp>,        kRareEveryForm<ClampTensorOp>,
    kRareFunction<LerpOp>, kFloatingForms<LerpScalarOp>,
};
static_assert(sizeof(kElementwiseTernary) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(2));

}  // namespace anyacl::ANYACL_ISA
