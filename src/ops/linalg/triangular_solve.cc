// SPDX-License-Identifier: Apache-2.0
// Substitution, row after row. As in BLAS, a right side of 0 is not divided: 0 / 0 stays 0.
#include <optional>

#include "nnop/operands.h"
#include "ops/linalg/matrices.h"
#include "ops/linalg/operators.h"
#include "runtime/parallel.h"

namespace anyacl::linalg {
namespace {

struct Triangle {
  bool upper, transpose, unit;
};

template <class E>
class SolvePlan final : public Plan {
 public:
  SolvePlan(const TensorView& b, const TensorView& a, const TensorView& x, const TensorView& copy,
            Triangle triangle)
      : b_(b), a_(a), x_(x), copy_(copy), triangle_(triangle) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(BatchOf(x_), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Solve(bindings, i);
    });
    return {};
  }

 private:
  void Solve(const Bindings& bindings, int64_t index) const {
    Matrix<E> a = MatrixInMemory<E>(a_, bindings, index).Read();
    MatrixInMemory<E>(copy_, bindings, index).Write(a);
    if (b_.elements() == 0) return;
    Matrix<E> x = MatrixInMemory<E>(b_, bindings, index).Read();
    if (triangle_.transpose) a.transposeInPlace();
    Substitute(a, triangle_.upper != triangle_.transpose, &x);
    MatrixInMemory<E>(x_, bindings, index).Write(x);
  }

  void Substitute(const Matrix<E>& a, bool upper, Matrix<E>* x) const {
    if (triangle_.unit) {
      if (upper) {
        a.template triangularView<Eigen::UnitUpper>().solveInPlace(*x);
      } else {
        a.template triangularView<Eigen::UnitLower>().solveInPlace(*x);
      }
    } else if (upper) {
      a.template triangularView<Eigen::Upper>().solveInPlace(*x);
    } else {
      a.template triangularView<Eigen::Lower>().solveInPlace(*x);
    }
  }

  const TensorView b_, a_, x_, copy_;
  const Triangle triangle_;
};

std::shared_ptr<const Plan> MakePlan(const TensorView& b, const TensorView& a, const TensorView& x,
                                     const TensorView& copy, Triangle triangle) {
  switch (b.dtype) {
    case ACL_DOUBLE:
      return std::make_shared<SolvePlan<double>>(b, a, x, copy, triangle);
    case ACL_COMPLEX64:
      return std::make_shared<SolvePlan<std::complex<float>>>(b, a, x, copy, triangle);
    case ACL_COMPLEX128:
      return std::make_shared<SolvePlan<std::complex<double>>>(b, a, x, copy, triangle);
    default:
      return std::make_shared<SolvePlan<float>>(b, a, x, copy, triangle);
  }
}

}  // namespace

Status PrepareTriangularSolve(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Triangle triangle = {operands.Flag(kUpper), operands.Flag(kTranspose),
                             operands.Flag(kUnitriangular)};
  if (triangle.unit && operands[kSelf].dtype() != ACL_FLOAT) {
    return Fail(operands.spec().codes.dtype, "self.dtype = {}, expected FLOAT with unitriangular",
                NameOf(operands[kSelf].dtype()));
  }
  const TensorView b = ViewOf(operands, kSelf), a = ViewOf(operands, kOther);
  const auto batch = [](const TensorView& view) {
    return Dims(view.sizes, static_cast<size_t>(view.rank - 2));
  };
  const std::optional<Dims> shared = BroadcastShape(batch(b), batch(a));
  if (!shared) {
    return Fail(operands.spec().codes.shape,
                "self.shape = {} and A.shape = {}, expected leading sizes that broadcast",
                operands[kSelf].shape().ToString(), operands[kOther].shape().ToString());
  }
  Dims x = *shared;
  Dims copy = x;
  x.push_back(RowsOf(b));
  x.push_back(ColumnsOf(b));
  copy.push_back(RowsOf(a));
  copy.push_back(RowsOf(a));
  if (Status s = CheckShapeIs(operands, kX, x); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kCopy, copy); !s.ok()) return s;
  if (operands[kCopy].IsEmpty()) return {};
  call->plan =
      MakePlan(*Broadcast(b, {x.begin(), x.rank()}), *Broadcast(a, {copy.begin(), copy.rank()}),
               ViewOf(operands, kX), ViewOf(operands, kCopy), triangle);
  return {};
}

}  // namespace anyacl::linalg
