// SPDX-License-Identifier: Apache-2.0
// Householder reflections: R's diagonal is real and has the signs that LAPACK gives it. Computed in
// fp64: Eigen's code of each type takes GCC ten seconds and 90 KB.
#include <Eigen/QR>
#include <type_traits>

#include "nnop/operands.h"
#include "ops/linalg/converted.h"
#include "ops/linalg/matrices.h"
#include "ops/linalg/operators.h"
#include "runtime/parallel.h"

namespace anyacl::linalg {
namespace {

// Double, or complex double.
template <class Number>
using Wide = std::conditional_t<Eigen::NumTraits<Number>::IsComplex, std::complex<double>, double>;

template <class Number>
struct Factors {
  Matrix<Number> q;  // of as many columns as are asked for
  Matrix<Number> r;  // as many rows as a
};
template <class Number>
Factors<Number> FactorsOf(const Matrix<Number>& a, int64_t q_columns) {
  const Eigen::HouseholderQR<Matrix<Number>> qr(a);
  Factors<Number> factors;
  factors.r = qr.matrixQR().template triangularView<Eigen::Upper>();
  if (q_columns > 0) {
    factors.q = qr.householderQ() * Matrix<Number>::Identity(a.rows(), q_columns);
  }
  return factors;
}

template <class E>
class QrPlan final : public Plan {
 public:
  QrPlan(const TensorView& a, const TensorView& q, const TensorView& r) : a_(a), q_(q), r_(r) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(BatchOf(a_), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Factor(bindings, i);
    });
    return {};
  }

 private:
  void Factor(const Bindings& bindings, int64_t index) const {
    const Matrix<E> a = MatrixInMemory<E>(a_, bindings, index).Read();
    if (a.size() == 0) {  // R has no elements or no rows with any
      if (q_.given()) {
        MatrixInMemory<E>(q_, bindings, index)
            .Write(Matrix<E>::Identity(RowsOf(q_), ColumnsOf(q_)));
      }
      return;
    }
    using Number = NumberOf<E>;
    const auto factors =
        FactorsOf<Wide<Number>>(a.template cast<Wide<Number>>(), q_.given() ? ColumnsOf(q_) : 0);
    MatrixInMemory<E>(r_, bindings, index)
        .Write(factors.r.topRows(RowsOf(r_)).template cast<Number>());
    if (q_.given()) MatrixInMemory<E>(q_, bindings, index).Write(factors.q.template cast<Number>());
  }

  const TensorView a_, q_, r_;
};

std::shared_ptr<const Plan> MakePlan(const TensorView& a, const TensorView& q,
                                     const TensorView& r) {
  switch (a.dtype) {
    case ACL_FLOAT16:
      return std::make_shared<QrPlan<Fp16>>(a, q, r);
    case ACL_DOUBLE:
      return std::make_shared<QrPlan<double>>(a, q, r);
    case ACL_COMPLEX64:
      return std::make_shared<QrPlan<std::complex<float>>>(a, q, r);
    case ACL_COMPLEX128:
      return std::make_shared<QrPlan<std::complex<double>>>(a, q, r);
    default:
      return std::make_shared<QrPlan<float>>(a, q, r);
  }
}

// As LinalgQr has it.
int64_t ModeOf(const Operands& operands) {
  if (operands.HasRow(kMode)) return operands.Int(kMode);
  return operands.Flag(kSome) ? 0 : 1;
}

}  // namespace

Status PrepareQr(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckResultTypes(operands); !s.ok()) return s;
  const Dims& shape = operands[kSelf].shape();
  const size_t last = shape.rank() - 1;
  const int64_t rows = shape[last - 1], columns = shape[last];
  const int64_t least = rows < columns ? rows : columns;
  const int64_t mode = ModeOf(operands);
  const bool complete = mode == 1, without_q = mode == 2;
  Dims q = shape, r = shape;
  q[last] = complete ? rows : least;
  r[last - 1] = complete ? rows : least;
  // torch_npu has an empty tensor of one dimension there.
  if (without_q && !operands[kQ].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "Q.shape = {}, expected an empty tensor for mode 2",
                operands[kQ].shape().ToString());
  }
  if (!without_q) {
    if (Status s = CheckShapeIs(operands, kQ, q); !s.ok()) return s;
  }
  if (Status s = CheckShapeIs(operands, kR, r); !s.ok()) return s;
  const bool no_q = without_q || operands[kQ].IsEmpty();
  if (no_q && operands[kR].IsEmpty()) return {};
  if (HasOtherResults(operands)) {
    return PrepareConverted(operands, call, "aclnnLinalgQr", mode);
  }
  call->plan = MakePlan(ViewOf(operands, kSelf), no_q ? TensorView() : ViewOf(operands, kQ),
                        ViewOf(operands, kR));
  return {};
}

}  // namespace anyacl::linalg
