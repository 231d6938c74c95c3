// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say, and the plans: problems of the matrix engine.
#include <optional>

#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/numbers.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/weight.h"

namespace anyacl::matmul {
namespace {

bool IsOfEngine(const TensorView& view) { return !view.given() || kFloats.Contains(view.dtype); }

// The engine's threads share rows and columns, and there are none.
bool IsDot(const Matrices& m) {
  return m.out.elements() == 1 && !m.summand.given() && !m.panels.given();
}

// The documents of Matmul and MatmulWeightNz for Atlas A2 and A3 keep bf16 from other types. fp32
// is let through: ggml multiplies it by weights of bf16.
Status CheckTypePair(const Operands& operands) {
  const aclDataType left = operands[kLeft].dtype();
  const aclDataType right = operands[kRight].dtype();
  const bool mixed =
      (left == ACL_BF16 && right == ACL_FLOAT16) || (left == ACL_FLOAT16 && right == ACL_BF16);
  if (!mixed) return {};
  return Fail(operands.spec().codes.dtype,
              "{}.dtype = {} and {}.dtype = {}, expected no BF16 beside FLOAT16",
              operands.NameOf(kLeft), NameOf(left), operands.NameOf(kRight), NameOf(right));
}

// The documents of WeightNz rule out a row or a column in FRACTAL_NZ, and a device does so for
// BatchMatMul, too.
Status CheckNzSizes(const Operands& operands) {
  const Operand& weight = operands[kRight];
  const Dims& shape = weight.shape();
  const size_t rank = shape.rank();
  if (weight.layout->format != ACL_FORMAT_FRACTAL_NZ) return {};
  if (shape[rank - 2] != 1 && shape[rank - 1] != 1) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape = {}, expected no row and no column as it is FRACTAL_NZ", weight.Name(),
              shape.ToString());
}

// Plain weights are those that aclnnTransMatmulWeight has left as they are.
Status CheckNzWeight(const Operands& operands) {
  const TensorLayout& weight = *operands[kRight].layout;
  const size_t rank = weight.shape.rank(), storage = weight.storage_shape.rank();
  if (weight.format == ACL_FORMAT_FRACTAL_NZ && storage != rank + 2) {
    return Fail(operands.spec().codes.format,
                "{} is FRACTAL_NZ with storageShape = {}, expected {} sizes",
                operands.NameOf(kRight), weight.storage_shape.ToString(), rank + 2);
  }
  return CheckNzSizes(operands);
}

Status ReadFactor(const Operands& operands, int id, ScalarValue* factor) {
  *factor = {ACL_INT64, 1, 1};
  if (const ParamSpec* row = operands.RowOf(id); row != nullptr && row->kind == Kind::kFloat) {
    *factor = {ACL_FLOAT, operands.Real(id), 0};
    return {};
  }
  return operands.Given(id) ? ReadScalar(operands, id, factor) : Status();
}

// The document of Addr: factors of bool go with bool alone, and fractions not with integers.
Status CheckFactor(const Operands& operands, int id, const ScalarValue& factor) {
  bool bools = true, integers = true;
  for (int tensor : {kSummand, kLeft, kRight, kOut}) {
    if (!operands.Given(tensor)) continue;
    bools &= operands[tensor].dtype() == ACL_BOOL;
    integers &= CategoryOf(operands[tensor].dtype()) != Category::kFloating;
  }
  if (factor.dtype == ACL_BOOL && !bools && operands.Given(id)) {
    return Fail(operands.spec().codes.dtype, "{} is a BOOL, expected a number beside tensors of {}",
                operands.NameOf(id), NameOf(operands[kLeft].dtype()));
  }
  if (CategoryOf(factor.dtype) == Category::kFloating && integers) {
    return Fail(operands.spec().codes.dtype, "{} is a {}, expected an integer beside tensors of {}",
                operands.NameOf(id), NameOf(factor.dtype), NameOf(operands[kLeft].dtype()));
  }
  return {};
}

// The type that the inputs promote to must fit into the output's.
Status CheckResultType(const Operands& operands) {
  aclDataType type = Promote(operands[kLeft].dtype(), operands[kRight].dtype());
  if (operands.Given(kSummand)) type = Promote(type, operands[kSummand].dtype());
  return CheckResultCast(operands, kOut, type);
}

// cubeMathType: FLOAT may be taken down, to FP16, or to HF32, which has 11 bits.
bool AllowsFewerBits(const Operands& operands) {
  return operands.Given(kCubeMathType) && operands.Int(kCubeMathType) >= 1 &&
         operands.Int(kCubeMathType) <= 3;
}

// A vector as a row or a column.
TensorView AsMatrix(const TensorView& view, bool row) {
  return view.rank > 1 ? view : WithDim(view, row ? 0 : 1);
}

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

// Vectors are a row on the left and a column on the right, for outer products the reverse; a
// dimension of 1 that they bring is not the output's.
Status MatricesOf(const Operands& operands, Form form, Matrices* matrices) {
  Matrices& m = *matrices;
  const bool outer = form == Form::kOuter;
  const bool left_vector = !outer && operands[kLeft].shape().rank() == 1;
  const bool right_vector = !outer && operands[kRight].shape().rank() == 1;
  m.left = AsMatrix(ViewOf(operands, kLeft), !outer);
  m.right = m.panels.given() ? m.panels.view : AsMatrix(ViewOf(operands, kRight), outer);
  Dims product;
  if (Status s = Product(operands, m.left, m.right, &product); !s.ok()) return s;
  Dims left = product, right = product;
  left[left.rank() - 1] = right[right.rank() - 2] = m.left.sizes[m.left.rank - 1];
  m.left = *Broadcast(m.left, SpanOf(left));
  m.right = *Broadcast(m.right, SpanOf(right));
  if (form == Form::kSum) product = Dims(product.begin() + 1, 2);
  const Dims out = OutShape(product, left_vector, right_vector);
  if (Status s = CheckShapeIs(operands, kOut, out); !s.ok()) return s;
  const auto as_matrix = [&](TensorView view) {
    if (right_vector) view = WithDim(view, view.rank);
    return left_vector ? WithDim(view, view.rank - 1) : view;
  };
  m.out = as_matrix(ViewOf(operands, kOut));
  const bool in_place = operands.spec().params[0].direction == Direction::kInOut;
  if (!in_place && !operands.Given(kSummand)) return {};
  m.summand = ViewOf(operands, in_place ? kOut : kSummand);
  const std::optional<TensorView> wide = Broadcast(m.summand, SpanOf(out));
  if (!wide) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one that broadcasts to {}",
                operands.NameOf(kSummand), ShapeOf(m.summand).ToString(), out.ToString());
  }
  m.summand = as_matrix(*wide);
  return {};
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
  m.panels.Put(p.b);
  p.has_d = m.summand.given();
  if (p.has_d) p.d = MatrixOf(m.summand, batches[3]);
  p.alpha = alpha;
  p.beta = beta;
  p.allows_16_bits = m.allows_16_bits;
  JoinBatchToRows(p);
  return p;
}

gemm::Addresses AddressesOf(const Matrices& m, const Bindings& bindings) {
  gemm::Addresses addresses;
  addresses.a = AddressOf(m.left, bindings);
  addresses.b = AddressOf(m.right, bindings);
  addresses.d = AddressOf(m.summand, bindings);
  addresses.c = AddressOf(m.out, bindings);
  return addresses;
}

class MatmulPlan final : public BookedPlan {
 public:
  MatmulPlan(const Matrices& matrices, float alpha, float beta)
      : m_(matrices), gemm_(ProblemOf(matrices, alpha, beta)) {
    workspace_ = book_.Book<char>(gemm_.workspace_bytes());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    gemm_.Run(AddressesOf(m_, bindings), workspace_.In(bindings));
    return {};
  }

 private:
  const Matrices m_;
  const gemm::Plan gemm_;
  WorkspaceSlot<char> workspace_;
};

// The sum of a batch's products: one after the other, added up in fp32 and rounded once.
class SumPlan final : public BookedPlan {
 public:
  SumPlan(const Matrices& matrices, float alpha, float beta)
      : m_(matrices),
        batch_(m_.left.sizes[0]),
        only_(Part(batch_ > 0 ? alpha : 0, beta, false, false)),
        first_(Part(alpha, beta, false, true)),
        next_(Part(alpha, 1, true, true)),
        last_(Part(alpha, 1, true, false)) {
    sums_ = book_.Book<float>(static_cast<uint64_t>(m_.out.sizes[0] * m_.out.sizes[1]));
    workspace_ = book_.Book<char>(std::max({only_.workspace_bytes(), first_.workspace_bytes(),
                                            next_.workspace_bytes(), last_.workspace_bytes()}));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const gemm::Addresses whole = AddressesOf(m_, bindings);
    const int64_t parts = std::max<int64_t>(batch_, 1);
    for (int64_t i = 0; i < parts; ++i) {
      const bool first = i == 0, last = i + 1 == parts;
      gemm::Addresses part = whole;
      part.a = At(whole.a, m_.left, i);
      part.b = At(whole.b, m_.right, i);
      if (!first) part.d = sums_.In(bindings);
      if (!last) part.c = sums_.In(bindings);
      const gemm::Plan& plan = first ? (last ? only_ : first_) : (last ? last_ : next_);
      plan.Run(part, workspace_.In(bindings));
    }
    return {};
  }

 private:
  static const void* At(const void* data, const TensorView& view, int64_t i) {
    return data == nullptr
               ? data
               : static_cast<const char*>(data) + i * view.strides[0] * BitsOf(view.dtype) / 8;
  }

  // One matrix of the batch; alpha of 0 leaves the batch unread, as the document has it.
  gemm::Problem Part(float alpha, float beta, bool from_sums, bool to_sums) const {
    gemm::Problem p;
    p.rows = m_.out.sizes[0];
    p.columns = m_.out.sizes[1];
    p.depth = alpha == 0 ? 0 : m_.left.sizes[2];
    const gemm::Matrix sums = {.row_step = p.columns};
    p.a = MatrixOf(m_.left, {});
    p.b = MatrixOf(m_.right, {});
    p.c = to_sums ? sums : MatrixOf(m_.out, {});
    p.has_d = true;
    p.d = from_sums ? sums : MatrixOf(m_.summand, {});
    p.alpha = alpha;
    p.beta = beta;
    p.allows_16_bits = m_.allows_16_bits;
    return p;
  }

  const Matrices m_;
  const int64_t batch_;
  const gemm::Plan only_, first_, next_, last_;
  WorkspaceSlot<float> sums_;
  WorkspaceSlot<char> workspace_;
};

// What has passed the table.
Status PrepareChecked(Form form, Operands& operands, PreparedCall* call) {
  if (form == Form::kAny) {
    if (Status s = CheckTypePair(operands); !s.ok()) return s;
  }
  ScalarValue alpha, beta;
  if (Status s = ReadFactor(operands, kAlpha, &alpha); !s.ok()) return s;
  if (Status s = ReadFactor(operands, kBeta, &beta); !s.ok()) return s;
  if (form == Form::kOuter) {
    if (Status s = CheckFactor(operands, kBeta, beta); !s.ok()) return s;
    if (Status s = CheckFactor(operands, kAlpha, alpha); !s.ok()) return s;
  }
  Matrices m;
  if (Status s = ReadPanels(operands, kRight, &m.panels); !s.ok()) return s;
  if (Status s = MatricesOf(operands, form, &m); !s.ok()) return s;
  SeeStorage(operands, kRight, m.panels);
  m.allows_16_bits = AllowsFewerBits(operands);
  if (operands[kOut].IsEmpty()) return {};
  const float alpha_fp32 = static_cast<float>(alpha.real);
  const float beta_fp32 = static_cast<float>(beta.real);
  if (form == Form::kSum) {
    call->plan = std::make_shared<SumPlan>(m, alpha_fp32, beta_fp32);
  } else if (IsOfEngine(m.left) && IsOfEngine(m.right) && IsOfEngine(m.summand) &&
             IsOfEngine(m.out)) {
    call->plan = alpha_fp32 == 1 && IsDot(m)
                     ? MakeDotPlan(m)
                     : std::make_shared<MatmulPlan>(m, alpha_fp32, beta_fp32);
  } else {
    if (Status s = CheckResultType(operands); !s.ok()) return s;
    // Ger's alone: no other product has complex numbers.
    call->plan = CategoryOf(m.out.dtype) == Category::kComplex ? MakeComplexOuterPlan(m)
                                                               : MakeNumbersPlan(m, alpha, beta);
  }
  return {};
}

Status PrepareProduct(Form form, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return PrepareChecked(form, operands, call);
}

// One of two orders of three dimensions, the second with two of them swapped; true: that one.
Status ReadOrder(const Operands& operands, int id, std::initializer_list<int64_t> swapped,
                 bool* is_swapped) {
  const std::span<const int64_t> order = operands.Ints(id);
  constexpr int64_t kSame[] = {0, 1, 2};
  *is_swapped = std::ranges::equal(order, swapped);
  if (*is_swapped || (id != kPermOut && std::ranges::equal(order, kSame))) return {};
  return Fail(operands.spec().codes.shape, "{} = [{}], expected {}[{}]", operands.NameOf(id),
              Joined(order), id == kPermOut ? "" : "[0, 1, 2] or ",
              Joined({swapped.begin(), swapped.size()}));
}

// The layout with its dimensions in another order.
TensorLayout InOrder(const TensorLayout& layout, std::initializer_list<size_t> order) {
  TensorLayout other = layout;
  other.shape = other.strides = {};
  for (size_t dim : order) {
    other.shape.push_back(layout.shape[dim]);
    other.strides.push_back(layout.strides[dim]);
  }
  return other;
}

// The first dimension as `parts` and what is in each.
TensorLayout FirstSplit(const TensorLayout& layout, int64_t parts) {
  TensorLayout split = layout;
  const int64_t inner = layout.shape[0] / parts;
  split.shape = {parts, inner, layout.shape[1], layout.shape[2]};
  split.strides = {inner * layout.strides[0], layout.strides[0], layout.strides[1],
                   layout.strides[2]};
  return split;
}

// The limits that the document has for Atlas A2. `left`, `right`: permX1 and permX2 turn.
Status CheckTransposeBatchLimits(const Operands& operands, bool left, bool right, int64_t batch,
                                 int64_t n, int64_t k) {
  constexpr int64_t kMost = 65535;
  const int code = operands.spec().codes.shape;
  const int64_t parts = operands.Int(kBatchSplit);
  if (batch > kMost || n > kMost) {
    return Fail(code, "x1 has B = {} and x2 N = {}, expected up to {} of each", batch, n, kMost);
  }
  if (!left && k > kMost) {
    return Fail(code, "x1 has K = {}, expected up to {} as permX1 is [0, 1, 2]", k, kMost);
  }
  if (left && parts != 1 && batch > 0 && k > kMost / batch) {
    return Fail(code, "batchSplitFactor = {}, expected 1 as B * K of B = {} and K = {} is above {}",
                parts, batch, k, kMost);
  }
  if (right && (!left || parts != 1)) {
    return Fail(code,
                "permX2 = [0, 2, 1], expected [0, 1, 2] where permX1 is not [1, 0, 2] or "
                "batchSplitFactor = {} is not 1",
                parts);
  }
  return {};
}

}  // namespace

// Where the product has no elements, out is any matrix without some, as devices have it.
Status PrepareGemm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  for (const auto& [id, turn] : {std::pair(kLeft, kTransposeLeft), {kRight, kTransposeRight}}) {
    if (operands.Int(turn) != 0) operands.Relabel(id, InOrder(*operands[id].layout, {1, 0}));
  }
  const Dims product = {operands[kLeft].shape()[0], operands[kRight].shape()[1]};
  if (ElementCount(product) == 0 && operands[kOut].IsEmpty()) {
    TensorLayout none = *operands[kOut].layout;
    none.shape = product;
    operands.Relabel(kOut, none);
  }
  return PrepareChecked(Form::kMatrix, operands, call);
}

// Batches in parts, [f, B / f, M, N], are seen in the output wherever they lie.
Status PrepareTransposeBatch(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  for (int id : {kSummand, kScale}) {
    if (!operands.Given(id)) continue;
    return Fail(code, "{} is given, expected null: it is not offered", operands.NameOf(id));
  }
  bool left = false, right = false, out = false;
  if (Status s = ReadOrder(operands, kPermLeft, {1, 0, 2}, &left); !s.ok()) return s;
  if (Status s = ReadOrder(operands, kPermRight, {0, 2, 1}, &right); !s.ok()) return s;
  if (Status s = ReadOrder(operands, kPermOut, {1, 0, 2}, &out); !s.ok()) return s;
  const TensorLayout& x1 = *operands[kLeft].layout;
  const TensorLayout& x2 = *operands[kRight].layout;
  const TensorLayout a = left ? InOrder(x1, {1, 0, 2}) : x1;
  const TensorLayout b = right ? InOrder(x2, {0, 2, 1}) : x2;
  const int64_t batch = a.shape[0], m = a.shape[1], n = b.shape[2];
  if (b.shape[0] != batch || b.shape[1] != a.shape[2]) {
    return Fail(code, "x2.shape = {} in the order of permX2, expected [{}, {}, N] as x1.shape = {}",
                b.shape.ToString(), batch, a.shape[2], a.shape.ToString());
  }
  if (Status s = CheckTransposeBatchLimits(operands, left, right, batch, n, a.shape[2]); !s.ok()) {
    return s;
  }
  const int64_t parts = operands.Int(kBatchSplit);
  if (batch > 0 && (parts > batch || batch % parts != 0)) {
    return Fail(code, "batchSplitFactor = {}, expected a divisor of B = {}", parts, batch);
  }
  const int64_t inner = batch / parts;
  const Dims expected = parts == 1 ? Dims{m, batch, n} : Dims{parts, m, inner * n};
  if (Status s = CheckShapeIs(operands, kOut, expected); !s.ok()) return s;
  TensorLayout result = *operands[kOut].layout;
  // One part lies as [M, B, N]; more as [f, M, B / f * N].
  if (parts == 1) {
    result = FirstSplit(InOrder(result, {1, 0, 2}), 1);
  } else {
    const Dims strides = result.strides;
    result.shape = {parts, inner, m, n};
    result.strides = {strides[0], n * strides[2], strides[1], strides[2]};
  }
  operands.Relabel(kLeft, FirstSplit(a, parts));
  operands.Relabel(kRight, FirstSplit(b, parts));
  operands.Relabel(kOut, result);
  return PrepareChecked(Form::kAny, operands, call);
}

template <Form kForm>
Status Prepare(Operands& operands, PreparedCall* call) {
  return PrepareProduct(kForm, operands, call);
}
template Status Prepare<Form::kMatrix>(Operands&, PreparedCall*);
template Status Prepare<Form::kBatch>(Operands&, PreparedCall*);
template Status Prepare<Form::kAny>(Operands&, PreparedCall*);
template Status Prepare<Form::kSum>(Operands&, PreparedCall*);
template Status Prepare<Form::kOuter>(Operands&, PreparedCall*);

Status PrepareBatch(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckNzSizes(operands); !s.ok()) return s;
  return PrepareChecked(Form::kBatch, operands, call);
}

template <Form kForm>
Status PrepareWeightNz(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypePair(operands); !s.ok()) return s;
  const aclDataType type = operands[kLeft].dtype(), out = operands[kOut].dtype();
  if (kForm == Form::kBatch && out != ACL_FLOAT && out != type) {
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as {}.dtype, or FLOAT",
                operands.NameOf(kOut), NameOf(out), NameOf(type), operands.NameOf(kLeft));
  }
  if (Status s = CheckNzWeight(operands); !s.ok()) return s;
  return PrepareChecked(kForm, operands, call);
}
template Status PrepareWeightNz<Form::kMatrix>(Operands&, PreparedCall*);
template Status PrepareWeightNz<Form::kBatch>(Operands&, PreparedCall*);

}  // namespace anyacl::matmul
