// SPDX-License-Identifier: Apache-2.0
// Singular values and vectors by divide and conquer (of fewer than 16 rows or columns by Jacobi's
// rotations), computed in fp64: of all that Eigen has, this takes longest to compile, and is
// compiled for one type. A matrix with an element that is no finite number has none: everything is
// NaN.
#include <Eigen/SVD>
#include <limits>

#include "nnop/operands.h"
#include "ops/linalg/matrices.h"
#include "ops/linalg/operators.h"
#include "runtime/parallel.h"

namespace anyacl::linalg {
namespace {

using Numbers = Matrix<double>;

template <class E>
class SvdPlan final : public Plan {
 public:
  SvdPlan(const TensorView& x, const TensorView& sigma, const TensorView& u, const TensorView& v,
          bool vectors)
      : x_(x), sigma_(sigma), u_(u), v_(v), vectors_(vectors) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(BatchOf(x_), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Decompose(bindings, i);
    });
    return {};
  }

 private:
  void Decompose(const Bindings& bindings, int64_t index) const {
    const Numbers x = MatrixInMemory<E>(x_, bindings, index).Read().template cast<double>();
    if (!x.allFinite()) {
      const auto nan = std::numeric_limits<double>::quiet_NaN();
      Write(bindings, index, Numbers::Constant(ColumnsOf(sigma_), 1, nan),
            Numbers::Constant(RowsOf(u_), ColumnsOf(u_), nan),
            Numbers::Constant(RowsOf(v_), ColumnsOf(v_), nan));
      return;
    }
    const unsigned options =
        !vectors_ ? 0u
                  : (ColumnsOf(u_) == RowsOf(u_) ? Eigen::ComputeFullU : Eigen::ComputeThinU) |
                        (ColumnsOf(v_) == RowsOf(v_) ? Eigen::ComputeFullV : Eigen::ComputeThinV);
    const Eigen::BDCSVD<Numbers> svd(x, options);
    if (vectors_) {
      Write(bindings, index, svd.singularValues(), svd.matrixU(), svd.matrixV());
    } else {
      Write(bindings, index, svd.singularValues(), {}, {});
    }
  }

  void Write(const Bindings& bindings, int64_t index, const Numbers& sigma, const Numbers& u,
             const Numbers& v) const {
    MatrixInMemory<E>(sigma_, bindings, index).Write(sigma.transpose().template cast<E>());
    if (!vectors_) return;
    MatrixInMemory<E>(u_, bindings, index).Write(u.template cast<E>());
    MatrixInMemory<E>(v_, bindings, index).Write(v.template cast<E>());
  }

  const TensorView x_, sigma_, u_, v_;
  const bool vectors_;
};

// As a batch of matrices with one row.
TensorView AsRows(TensorView view) {
  view.sizes[view.rank] = view.sizes[view.rank - 1];
  view.strides[view.rank] = view.strides[view.rank - 1];
  view.sizes[view.rank - 1] = 1;
  view.strides[view.rank - 1] = 0;
  ++view.rank;
  return view;
}

}  // namespace

Status PrepareSvd(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool vectors = operands.Flag(kVectors), full = operands.Flag(kFull);
  Dims shape = operands[kSelf].shape();
  const size_t last = shape.rank() - 1;
  const int64_t rows = shape[last - 1], columns = shape[last];
  const int64_t least = rows < columns ? rows : columns;
  Dims sigma = shape, u = shape, v = shape;
  sigma = Dims(shape.begin(), last);
  sigma[last - 1] = least;
  u[last] = vectors && !full ? least : rows;
  v[last - 1] = columns;
  v[last] = vectors && !full ? least : columns;
  if (Status s = CheckShapeIs(operands, kQ, sigma); !s.ok()) return s;
  if (vectors) {
    if (Status s = CheckShapeIs(operands, kR, u); !s.ok()) return s;
    if (Status s = CheckShapeIs(operands, kX, v); !s.ok()) return s;
  }
  if (operands[kSelf].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "x.shape = {}, expected elements", shape.ToString());
  }
  const TensorView x = ViewOf(operands, kSelf), values = AsRows(ViewOf(operands, kQ));
  const TensorView left = ViewOf(operands, kR), right = ViewOf(operands, kX);
  if (x.dtype == ACL_DOUBLE) {
    call->plan = std::make_shared<SvdPlan<double>>(x, values, left, right, vectors);
  } else {
    call->plan = std::make_shared<SvdPlan<float>>(x, values, left, right, vectors);
  }
  return {};
}

}  // namespace anyacl::linalg
