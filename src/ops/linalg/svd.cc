// SPDX-License-Identifier: Apache-2.0
// Singular values and vectors by divide and conquer (of fewer than 16 rows or columns by Jacobi's
// rotations), computed in fp64: of all that Eigen has, this takes longest to compile, and is
// compiled for real and complex numbers of one precision. A matrix with an element that is no
// finite number has none: everything is NaN.
#include <Eigen/SVD>
#include <complex>
#include <limits>
#include <type_traits>

#include "nnop/operands.h"
#include "ops/linalg/matrices.h"
#include "ops/linalg/operators.h"
#include "runtime/parallel.h"

namespace anyacl::linalg {
namespace {

// E: input's elements; S: those of the singular values.
template <class E, class S>
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
  static constexpr bool kComplex = Eigen::NumTraits<E>::IsComplex;
  using Numbers = Matrix<std::conditional_t<kComplex, std::complex<double>, double>>;

  void Decompose(const Bindings& bindings, int64_t index) const {
    const Numbers x =
        MatrixInMemory<E>(x_, bindings, index).Read().template cast<typename Numbers::Scalar>();
    if (!x.allFinite()) {
      const auto nan = std::numeric_limits<double>::quiet_NaN();
      const auto sigma = Matrix<double>::Constant(ColumnsOf(sigma_), 1, nan);
      if (!vectors_) return Write(bindings, index, sigma, {}, {});
      return Write(bindings, index, sigma, Numbers::Constant(RowsOf(u_), ColumnsOf(u_), nan),
                   Numbers::Constant(RowsOf(v_), ColumnsOf(v_), nan));
    }
    if (!vectors_) {
      const Eigen::BDCSVD<Numbers> svd(x, 0);
      return Write(bindings, index, svd.singularValues(), {}, {});
    }
    const unsigned options =
        (ColumnsOf(u_) == RowsOf(u_) ? Eigen::ComputeFullU : Eigen::ComputeThinU) |
        (ColumnsOf(v_) == RowsOf(v_) ? Eigen::ComputeFullV : Eigen::ComputeThinV);
    const Eigen::BDCSVD<Numbers> svd(x, options);
    // The document has transpose(v), without conjugates.
    Write(bindings, index, svd.singularValues(), svd.matrixU(), svd.matrixV().conjugate());
  }

  void Write(const Bindings& bindings, int64_t index, const Matrix<double>& sigma, const Numbers& u,
             const Numbers& v) const {
    MatrixInMemory<S>(sigma_, bindings, index).Write(sigma.transpose().template cast<S>());
    if (!vectors_) return;
    MatrixInMemory<E>(u_, bindings, index).Write(u.template cast<E>());
    MatrixInMemory<E>(v_, bindings, index).Write(v.template cast<E>());
  }

  const TensorView x_, sigma_, u_, v_;
  const bool vectors_;
};

using Single = std::complex<float>;
using Double = std::complex<double>;

aclDataType RealOf(aclDataType dtype) {
  return dtype == ACL_COMPLEX64 ? ACL_FLOAT : dtype == ACL_COMPLEX128 ? ACL_DOUBLE : dtype;
}

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
  const aclDataType dtype = operands[kSelf].dtype(), real_type = RealOf(dtype);
  if (const aclDataType given = operands[kQ].dtype(); given != dtype && given != real_type) {
    return Fail(operands.spec().codes.dtype, "sigma.dtype = {}, expected {} or {}", NameOf(given),
                NameOf(dtype), NameOf(real_type));
  }
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
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected elements",
                operands.NameOf(kSelf), shape.ToString());
  }
  const TensorView x = ViewOf(operands, kSelf), values = AsRows(ViewOf(operands, kQ));
  const TensorView left = ViewOf(operands, kR), right = ViewOf(operands, kX);
  const auto set = [&]<class E, class S>(E, S) {
    call->plan = std::make_shared<SvdPlan<E, S>>(x, values, left, right, vectors);
  };
  const bool real = values.dtype == real_type;
  switch (x.dtype) {
    case ACL_DOUBLE:
      set(double{}, double{});
      break;
    case ACL_COMPLEX64:
      real ? set(Single{}, float{}) : set(Single{}, Single{});
      break;
    case ACL_COMPLEX128:
      real ? set(Double{}, double{}) : set(Double{}, Double{});
      break;
    default:
      set(float{}, float{});
  }
  return {};
}

}  // namespace anyacl::linalg
