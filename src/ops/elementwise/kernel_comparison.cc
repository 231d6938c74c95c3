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
};
static_assert(sizeof(kElementwiseComparison) / sizeof(elementwise::Row) ==
              static_cast<int>(elementwise::kFirstFunction) -
                  static_cast<int>(elementwise::kFirstComparison));

}  // namespace anyacl::ANYACL_ISA
