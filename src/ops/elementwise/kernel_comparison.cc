// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic: bytes of 0 and 1. Every comparison with NaN but != is false.
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

struct EqualOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    return Equal(a, b);
  }
};
struct NotEqualOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    return Not(Equal(a, b));
  }
};
struct LessOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    return Less(a, b);
  }
};
struct LessEqualOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    return LessEqual(a, b);
  }
};
struct AndOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    return And(Not(Equal(a, Constant<V>(0))), Not(Equal(b, Constant<V>(0))));
  }
};
struct OrOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    return Or(Not(Equal(a, Constant<V>(0))), Not(Equal(b, Constant<V>(0))));
  }
};
struct XorOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>&) {
    const auto yes = Not(Equal(a, Constant<V>(0))), no = Equal(b, Constant<V>(0));
    return Or(And(yes, no), Not(Or(yes, no)));
  }
};

struct IsNegInfOp {
  static constexpr int kInputs = 1;
  template <class V>
  static auto Of(V a, V, const Scalars<V>&) {
    return IsInfinite(a, -1);
  }
};
struct IsPosInfOp {
  static constexpr int kInputs = 1;
  template <class V>
  static auto Of(V a, V, const Scalars<V>&) {
    return IsInfinite(a, 1);
  }
};
struct IsInfOp {
  static constexpr int kInputs = 1;
  template <class V>
  static auto Of(V a, V, const Scalars<V>&) {
    return Or(IsInfinite(a, 1), IsInfinite(a, -1));
  }
};
struct IsFiniteOp {
  static constexpr int kInputs = 1;
  template <class V>
  static auto Of(V a, V, const Scalars<V>&) {
    return IsFinite(a);
  }
};
struct SignbitOp {
  static constexpr int kInputs = 1;
  template <class V>
  static auto Of(V a, V, const Scalars<V>&) {
    return IsNegative(a);
  }
};
struct IsCloseOp {
  static constexpr int kInputs = 2;
  template <class V>
  static auto Of(V a, V b, const Scalars<V>& s) {
    const V allowed = Add(s.q, Abs(Mul(s.p, b))), difference = Abs(Sub(a, b));
    const auto near = And(IsFinite(difference), LessEqual(difference, allowed));
    const auto both_nan = And(Not(Equal(a, a)), Not(Equal(b, b)));
    return Or(Or(Equal(a, b), near), And(both_nan, Less(Constant<V>(0), s.r)));
  }
};

// The second operand of every element is p; kSwapped: the first one.
template <class Op, bool kSwapped = false>
struct WithScalar {
  static constexpr int kInputs = 1;
  template <class V>
  static auto Of(V a, V, const Scalars<V>& s) {
    return kSwapped ? Op::Of(s.p, a, s) : Op::Of(a, s.p, s);
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseComparison[];
constinit const elementwise::Row kElementwiseComparison[] = {
    kComparison<EqualOp>,
    kComparison<NotEqualOp>,
    kComparison<LessOp>,
    kComparison<LessEqualOp>,
    kComparison<AndOp>,
    kComparison<OrOp>,
    kComparison<XorOp>,
    kComparison<WithScalar<EqualOp>>,
    kComparison<WithScalar<NotEqualOp>>,
    kComparison<WithScalar<LessOp>>,
    kComparison<WithScalar<LessEqualOp>>,
    kComparison<WithScalar<LessOp, true>>,
    kComparison<WithScalar<LessEqualOp, true>>,
    kComparison<IsNegInfOp>,
    kComparison<IsPosInfOp>,
    kComparison<IsInfOp>,
    kComparison<IsFiniteOp>,
    kComparison<SignbitOp>,
    kFloatingComparison<IsCloseOp>,
};
static_assert(sizeof(kElementwiseComparison) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(4));

}  // namespace anyacl::ANYACL_ISA
