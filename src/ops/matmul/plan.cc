// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say, and the plan: one problem of the matrix engine.
#include <optional>

#include "gemm/gemm.h"
#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {
namespace {

gemm::Type TypeOf(aclDataType dtype) {
  return dtype == ACL_FLOAT     ? gemm::Type::kFp32
         : dtype == ACL_FLOAT16 ? gemm::Type::kFp16
                                : gemm::Type::kBf16;
}

// The operands as batches of matrices: the last two dimensions are those of the matrix.
struct Matrices {
  TensorView left, right, summand, out;
};

// The document of Matmul for Atlas A2 and A3: bf16 goes with bf16 alone.
Status CheckTypePair(const Operands& operands, Rank rank) {
  const aclDataType left = operands[kLeft].dtype();
  const aclDataType right = operands[kRight].dtype();
  if (rank != Rank::kAny || (left == ACL_BF16) == (right == ACL_BF16)) return {};
  return Fail(operands.spec().codes.dtype,
              "{}.dtype = {} and {}.dtype = {}, expected both BF16 or none", operands.NameOf(kLeft),
              NameOf(left), operands.NameOf(kRight), NameOf(right));
}

// A factor as the fp32 that the engine multiplies with.
Status ReadFactor(const Operands& operands, int id, float* factor) {
  if (!operands.Given(id)) return {};
  ScalarValue value;
  if (Status s = ReadScalar(operands, id, &value); !s.ok()) return s;
  *factor = static_cast<float>(value.real);
  return {};
}

// A vector is a row on the left and a column on the right.
TensorView AsMatrix(TensorView view, bool left) {
  if (view.rank > 1) return view;
  const int dim = left ? 1 : 0;
  const int other = 1 - dim;
  view.sizes[dim] = view.sizes[0];
  view.strides[dim] = view.strides[0];
  view.sizes[other] = 1;
  view.strides[other] = 0;
  view.rank = 2;
  return view;
}

TensorView WithDim(const TensorView& view, int dim) {
  TensorView wide = view;
  ++wide.rank;
  for (int i = wide.rank - 1; i > dim; --i) {
    wide.sizes[i] = view.sizes[i - 1];
    wide.strides[i] = view.strides[i - 1];
  }
  wide.sizes[dim] = 1;
  wide.strides[dim] = 0;
  return wide;
}

Dims SizesOf(const TensorView& view) { return {view.sizes, static_cast<size_t>(view.rank)}; }
std::span<const int64_t> SpanOf(const Dims& dims) { return {dims.begin(), dims.rank()}; }

// The shape of the product as the output has it, without the dimensions that vectors lack.
Dims OutShape(const Dims& product, bool left_vector, bool right_vector) {
  Dims shape;
  for (size_t i = 0; i < product.rank(); ++i) {
    if (left_vector && i + 2 == product.rank()) continue;
    if (right_vector && i + 1 == product.rank()) continue;
    shape.push_back(product[i]);
  }
  return shape;
}

// Leading dimensions broadcast; the inner sizes must agree.
Status Product(const Operands& operands, const TensorView& left, const TensorView& right,
               Dims* product) {
  const int code = operands.spec().codes.shape;
  const int64_t inner = left.sizes[left.rank - 1];
  if (inner != right.sizes[right.rank - 2]) {
    return Fail(code, "{} has {} columns and {} has {} rows, expected as many",
                operands.NameOf(kLeft), inner, operands.NameOf(kRight),
                right.sizes[right.rank - 2]);
  }
  const Dims left_batch(left.sizes, static_cast<size_t>(left.rank - 2));
  const Dims right_batch(right.sizes, static_cast<size_t>(right.rank - 2));
  const std::optional<Dims> batch = BroadcastShape(left_batch, right_batch);
  if (!batch) {
    return Fail(code, "{}.shape = {} and {}.shape = {}, expected leading sizes that broadcast",
                operands.NameOf(kLeft), operands[kLeft].shape().ToString(), operands.NameOf(kRight),
                operands[kRight].shape().ToString());
  }
  *product = *batch;
  product->push_back(left.sizes[left.rank - 2]);
  product->push_back(right.sizes[right.rank - 1]);
  return {};
}

Status MatricesOf(const Operands& operands, Matrices* matrices) {
  Matrices& m = *matrices;
  const bool left_vector = operands[kLeft].shape().rank() == 1;
  const bool right_vector = operands[kRight].shape().rank() == 1;
  m.left = AsMatrix(ViewOf(operands, kLeft), true);
  m.right = AsMatrix(ViewOf(operands, kRight), false);
  Dims product;
  if (Status s = Product(operands, m.left, m.right, &product); !s.ok()) return s;
  const Dims out = OutShape(product, left_vector, right_vector);
  if (Status s = CheckShapeIs(operands, kOut, out); !s.ok()) return s;
  m.out = ViewOf(operands, kOut);
  if (right_vector) m.out = WithDim(m.out, m.out.rank);
  if (left_vector) m.out = WithDim(m.out, m.out.rank - 1);
  Dims left = product, right = product;
  left[left.rank() - 1] = right[right.rank() - 2] = m.left.sizes[m.left.rank - 1];
  m.left = *Broadcast(m.left, SpanOf(left));
  m.right = *Broadcast(m.right, SpanOf(right));
  if (!operands.Given(kBeta)) return {};
  m.summand = ViewOf(operands, operands.Given(kSummand) ? kSummand : kOut);
  const std::optional<TensorView> wide = Broadcast(m.summand, SpanOf(product));
  if (!wide) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one that broadcasts to {}",
                operands.NameOf(kSummand), SizesOf(m.summand).ToString(), product.ToString());
  }
  m.summand = *wide;
  return {};
}

gemm::Matrix MatrixOf(const TensorView& view, const TensorView& batch) {
  gemm::Matrix matrix;
  matrix.type = TypeOf(view.dtype);
  matrix.row_step = view.strides[view.rank - 2];
  matrix.column_step = view.strides[view.rank - 1];
  std::copy(batch.strides, batch.strides + batch.rank, matrix.batch_step);
  return matrix;
}

TensorView BatchOf(TensorView view) {
  if (view.given()) view.rank -= 2;
  return view;
}

// A batch of the left alone whose matrices follow each other is one taller matrix, and the right is
// packed once for all of it.
void JoinBatchToRows(gemm::Problem& p) {
  if (p.batch_rank != 1 || p.b.batch_step[0] != 0) return;
  const auto follows = [&](const gemm::Matrix& m) {
    return m.batch_step[0] == p.rows * m.row_step;
  };
  if (!follows(p.a) || !follows(p.c) || (p.has_d && !follows(p.d))) return;
  p.rows *= p.batch[0];
  p.batch_rank = 0;
}

gemm::Problem ProblemOf(const Matrices& m, float alpha, float beta) {
  TensorView batches[] = {BatchOf(m.out), BatchOf(m.left), BatchOf(m.right), BatchOf(m.summand)};
  CoalesceInOrder(batches);
  gemm::Problem p;
  p.rows = m.out.sizes[m.out.rank - 2];
  p.columns = m.out.sizes[m.out.rank - 1];
  p.depth = m.left.sizes[m.left.rank - 1];
  p.batch_rank = batches[0].rank;
  std::copy(batches[0].sizes, batches[0].sizes + p.batch_rank, p.batch);
  p.c = MatrixOf(m.out, batches[0]);
  p.a = MatrixOf(m.left, batches[1]);
  p.b = MatrixOf(m.right, batches[2]);
  p.has_d = m.summand.given();
  if (p.has_d) p.d = MatrixOf(m.summand, batches[3]);
  p.alpha = alpha;
  p.beta = beta;
  JoinBatchToRows(p);
  return p;
}

class MatmulPlan final : public BookedPlan {
 public:
  MatmulPlan(const Matrices& matrices, float alpha, float beta)
      : m_(matrices), gemm_(ProblemOf(matrices, alpha, beta)) {
    workspace_ = book_.Book<char>(gemm_.workspace_bytes());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    gemm::Addresses addresses;
    addresses.a = AddressOf(m_.left, bindings);
    addresses.b = AddressOf(m_.right, bindings);
    if (m_.summand.given()) addresses.d = AddressOf(m_.summand, bindings);
    addresses.c = AddressOf(m_.out, bindings);
    gemm_.Run(addresses, workspace_.In(bindings));
    return {};
  }

 private:
  // Null for an operand without elements, which the engine does not look at.
  static char* AddressOf(const TensorView& view, const Bindings& bindings) {
    return bindings.data[static_cast<size_t>(view.slot)] == nullptr ? nullptr
                                                                    : view.Address(bindings);
  }

  const Matrices m_;
  const gemm::Plan gemm_;
  WorkspaceSlot<char> workspace_;
};

Status PrepareProduct(Rank rank, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypePair(operands, rank); !s.ok()) return s;
  float alpha = 1;
  float beta = 1;
  if (Status s = ReadFactor(operands, kAlpha, &alpha); !s.ok()) return s;
  if (Status s = ReadFactor(operands, kBeta, &beta); !s.ok()) return s;
  Matrices matrices;
  if (Status s = MatricesOf(operands, &matrices); !s.ok()) return s;
  if (!operands[kOut].IsEmpty()) {
    call->plan = std::make_shared<MatmulPlan>(matrices, alpha, beta);
  }
  return {};
}

}  // namespace

template <Rank kRank>
Status Prepare(Operands& operands, PreparedCall* call) {
  return PrepareProduct(kRank, operands, call);
}
template Status Prepare<Rank::kMatrix>(Operands&, PreparedCall*);
template Status Prepare<Rank::kBatch>(Operands&, PreparedCall*);
template Status Prepare<Rank::kAny>(Operands&, PreparedCall*);

}  // namespace anyacl::matmul
