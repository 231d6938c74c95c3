// SPDX-License-Identifier: Apache-2.0
// Inverses and determinants, by Gaussian elimination with pivots from the column; Cholesky's
// factors.
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "nnop/operands.h"
#include "ops/linalg/converted.h"
#include "ops/linalg/matrices.h"
#include "ops/linalg/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::linalg {
namespace {

template <class E>
class InversePlan final : public Plan {
 public:
  InversePlan(const TensorView& self, const TensorView& out) : self_(self), out_(out) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(BatchOf(self_), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Eigen::PartialPivLU<Matrix<E>> lu(MatrixInMemory<E>(self_, bindings, i).Read());
        MatrixInMemory<E>(out_, bindings, i).Write(lu.inverse());
      }
    });
    return {};
  }

 private:
  const TensorView self_, out_;
};

// The sign of a determinant and the logarithm of its magnitude: products would leave the range.
template <class E>
class SlogdetPlan final : public Plan {
 public:
  SlogdetPlan(const TensorView& self, const TensorView& sign, const TensorView& log)
      : self_(self), sign_(sign), log_(log) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(BatchOf(self_), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Compute(bindings, i);
    });
    return {};
  }

 private:
  void Compute(const Bindings& bindings, int64_t index) const {
    E sign(1), log(0);
    const Matrix<E> self = MatrixInMemory<E>(self_, bindings, index).Read();
    if (self.size() > 0) {
      const Eigen::PartialPivLU<Matrix<E>> lu(self);
      sign = E(static_cast<float>(lu.permutationP().determinant()));
      for (int64_t i = 0; i < self.rows(); ++i) {
        const E pivot = lu.matrixLU()(i, i);
        const auto magnitude = std::abs(pivot);
        sign *= magnitude == 0 ? E(0) : pivot / E(magnitude);
        log += std::log(magnitude);
      }
    }
    At(bindings, sign_, index) = sign;
    At(bindings, log_, index) = log;
  }

  static E& At(const Bindings& bindings, const TensorView& view, int64_t index) {
    int64_t at = 0;
    for (int i = view.rank - 1; i >= 0; index /= view.sizes[i--]) {
      at += index % view.sizes[i] * view.strides[i];
    }
    return reinterpret_cast<E*>(view.Address(bindings))[at];
  }

  const TensorView self_, sign_, log_;
};

// In fp64, from one triangle of self.
template <class E>
class CholeskyPlan final : public Plan {
 public:
  CholeskyPlan(const TensorView& self, const TensorView& out, bool upper)
      : self_(self), out_(out), upper_(upper) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(BatchOf(self_), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Factor(bindings, i);
    });
    return {};
  }

 private:
  void Factor(const Bindings& bindings, int64_t index) const {
    Matrix<double> factor =
        MatrixInMemory<E>(self_, bindings, index).Read().template cast<double>();
    if (upper_) factor.transposeInPlace();
    const Eigen::LLT<Matrix<double>, Eigen::Lower> llt(factor);
    // Eigen goes on with a NaN, which the diagonal has then.
    if (llt.info() == Eigen::Success && !llt.matrixLLT().diagonal().hasNaN()) {
      factor = llt.matrixL();
    } else {
      factor.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    if (upper_) factor.transposeInPlace();
    MatrixInMemory<E>(out_, bindings, index).Write(factor.template cast<NumberOf<E>>());
  }

  const TensorView self_, out_;
  const bool upper_;
};

Status CheckSquare(const Operands& operands) {
  const Dims& shape = operands[kSelf].shape();
  const size_t last = shape.rank() - 1;
  if (shape[last] == shape[last - 1]) return {};
  return Fail(operands.spec().codes.shape, "self.shape = {}, expected square matrices",
              shape.ToString());
}

}  // namespace

Status PrepareInverse(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSquare(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf), out = ViewOf(operands, kOut);
  switch (self.dtype) {
    case ACL_FLOAT16:
      call->plan = std::make_shared<InversePlan<Fp16>>(self, out);
      return {};
    case ACL_DOUBLE:
      call->plan = std::make_shared<InversePlan<double>>(self, out);
      return {};
    default:
      call->plan = std::make_shared<InversePlan<float>>(self, out);
      return {};
  }
}

Status PrepareSlogdet(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckResultTypes(operands); !s.ok()) return s;
  if (Status s = CheckSquare(operands); !s.ok()) return s;
  if (operands[kQ].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf);
  if (HasOtherResults(operands)) return PrepareConverted(operands, call, "aclnnSlogdet");
  const TensorView sign = ViewOf(operands, kQ), log = ViewOf(operands, kR);
  switch (self.dtype) {
    case ACL_DOUBLE:
      call->plan = std::make_shared<SlogdetPlan<double>>(self, sign, log);
      return {};
    case ACL_COMPLEX64:
      call->plan = std::make_shared<SlogdetPlan<std::complex<float>>>(self, sign, log);
      return {};
    case ACL_COMPLEX128:
      call->plan = std::make_shared<SlogdetPlan<std::complex<double>>>(self, sign, log);
      return {};
    default:
      call->plan = std::make_shared<SlogdetPlan<float>>(self, sign, log);
      return {};
  }
}

// The sign's logarithm is 0, that of a negative determinant NaN, that of 0 minus infinity.
Status PrepareLogdet(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const InnerTensor self = TensorOf(operands, kSelf), out = TensorOf(operands, kOut);
  const aclDataType dtype = self.layout.dtype;
  if (Status s = CheckResultCast(operands, kOut, dtype); !s.ok()) return s;
  Steps steps(operands);
  const InnerTensor sign = steps.Piece("the sign", dtype, out.layout.shape);
  const InnerTensor log = steps.Piece("the logarithm of the magnitude", dtype, out.layout.shape);
  if (Status s = steps.Call("aclnnSlogdet", {self, sign, log}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnInplaceLog", {sign}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnAdd", {log, sign, 1.0f, out}); !s.ok()) return s;
  return steps.Finish(call);
}

Status PrepareCholesky(Operands& operands, PreparedCall* call) {
  constexpr int64_t kMostRows = 8192;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSquare(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  if (const int64_t rows = operands.Size("N"); rows > kMostRows) {
    return Fail(operands.spec().codes.shape, "self has {} rows, expected up to {}", rows,
                kMostRows);
  }
  const TensorView self = ViewOf(operands, kSelf), out = ViewOf(operands, kOut);
  const bool upper = operands.Flag(kUpper);
  switch (self.dtype) {
    case ACL_FLOAT16:
      call->plan = std::make_shared<CholeskyPlan<Fp16>>(self, out, upper);
      return {};
    case ACL_BF16:
      call->plan = std::make_shared<CholeskyPlan<Bf16>>(self, out, upper);
      return {};
    default:
      call->plan = std::make_shared<CholeskyPlan<float>>(self, out, upper);
      return {};
  }
}

}  // namespace anyacl::linalg
