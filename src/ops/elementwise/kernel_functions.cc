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

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseFunctions[];
constinit const elementwise::Row kElementwiseFunctions[] = {
    kWideForms<ExpOp>,           kWideForms<LogOp>,
    kWideForms<SigmoidOp>,       kWideForms<SiluOp>,
    kWideForms<GeluOp>,          kWideForms<TanhOp>,
    kWideForms<SinOp>,           kWideForms<CosOp>,
    kWideAndIntegerForms<PowOp>, kWideAndIntegerForms<PowScalarOp>,
};
static_assert(sizeof(kElementwiseFunctions) / sizeof(elementwise::Row) ==
              static_cast<int>(elementwise::Op::kCount) -
                  static_cast<int>(elementwise::kFirstFunction));

}  // namespace anyacl::ANYACL_ISA
