// SPDX-License-Identifier: Apache-2.0
// Members whose index says where along one dimension: IndexAdd, IndexFill, IndexCopy, the gradient
// of an embedding.
#include "nnop/scalar.h"
#include "ops/blocks/convert.h"
#include "ops/indexing/plan.h"

namespace anyacl::indexing {
namespace {

Status CheckVector(const Operands& operands) {
  const Dims& index = operands[kIndex].shape();
  if (index.rank() <= 1) return {};
  return Fail(operands.spec().codes.shape, "index.shape = {} has rank {}, expected 0 or 1",
              index.ToString(), index.rank());
}

// One position for each index; the box is everything but `dim`. Without a plain tensor its steps
// are 0.
void AddAlongDim(IndexedPlan* plan, const TensorView& index, int dim) {
  const int64_t bytes = plan->access.element_bytes;
  const TensorView& target = plan->target;
  const auto plain = [&](int i) {
    return plan->plain.given() ? plan->plain.strides[i] * bytes : int64_t{0};
  };
  Axis along{.size = index.sizes[0], .plain = plain(dim)};
  along.index[0] = index.strides[0] * (BitsOf(index.dtype) / 8);
  plan->access.positions.push_back(along);
  for (int i = 0; i < target.rank; ++i) {
    if (i == dim) continue;
    plan->access.inner.push_back(
        {.size = target.sizes[i], .target = target.strides[i] * bytes, .plain = plain(i)});
  }
  plan->AddIndex(index, target.sizes[dim], target.strides[dim]);
}

// What the members have in common: target, index and the dimension.
Status MakePlan(Operands& operands, std::shared_ptr<IndexedPlan>* plan, TensorView* index,
                int* dim) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckVector(operands); !s.ok()) return s;
  const int written = operands.Given(kOut) ? kOut : kSelf;
  const TensorView target = AtLeastVector(ViewOf(operands, written));
  *index = AtLeastVector(ViewOf(operands, kIndex));
  if (Status s = CheckDimOf(operands, target, dim); !s.ok()) return s;
  if (Status s = CheckTableSize(operands, index->elements()); !s.ok()) return s;
  *plan = std::make_shared<IndexedPlan>(target);
  (*plan)->names = {operands.NameOf(kIndex), operands.NameOf(written)};
  (*plan)->scattering.dtype = target.dtype;
  (*plan)->access.wraps = false;
  if (written == kOut) (*plan)->CopyFirst(AtLeastVector(ViewOf(operands, kSelf)));
  return {};
}

// The source has self's shape, but along `dim` as many entries as there are indices.
Status AddSource(const Operands& operands, IndexedPlan* plan, const TensorView& index, int dim) {
  plan->plain = AtLeastVector(ViewOf(operands, kSource));
  Dims expected = ShapeOf(plan->target);
  expected[static_cast<size_t>(dim)] = index.sizes[0];
  if (ShapeOf(plan->plain) == expected) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape = {}, expected {}: {}.shape = {}, dim = {} and {} indices",
              operands.NameOf(kSource), operands[kSource].shape().ToString(), expected.ToString(),
              operands.NameOf(kSelf), operands[kSelf].shape().ToString(), dim, index.sizes[0]);
}

// Coordinates and values of the same entries, in the workspace one after the other.
class CoalescePlan final : public Plan {
 public:
  CoalescePlan(std::shared_ptr<const IndexedPlan> coordinates,
               std::shared_ptr<const IndexedPlan> values)
      : coordinates_(std::move(coordinates)), values_(std::move(values)) {}

  uint64_t workspace_size() const override {
    return std::max(coordinates_->workspace_size(), values_->workspace_size());
  }
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (Status s = coordinates_->Run(bindings, stop); !s.ok()) return s;
    return values_->Run(bindings, stop);
  }

 private:
  std::shared_ptr<const IndexedPlan> coordinates_, values_;
};

// Rows of `from` go to those of `to` that uniqueIndices names.
std::shared_ptr<IndexedPlan> RowsTo(const Operands& operands, int from, int to) {
  auto plan = std::make_shared<IndexedPlan>(ViewOf(operands, to));
  plan->plain = ViewOf(operands, from);
  plan->names = {operands.NameOf(kIndex), operands.NameOf(to)};
  plan->scattering.dtype = plan->target.dtype;
  plan->access.wraps = false;
  AddAlongDim(plan.get(), ViewOf(operands, kIndex), 0);
  return plan;
}

// Of mode 0, a device's fast one.
Status CheckFast(const Operands& operands, int dim) {
  const OpSpec& spec = operands.spec();
  const Dims& self = operands[kSelf].shape();
  static constexpr DTypeSet kFast = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT16};
  if (!kFast.Contains(operands[kSelf].dtype())) {
    return Fail(spec.codes.dtype,
                "self.dtype = {}, expected FLOAT, FLOAT16, BF16, INT32 or INT16 as mode is 0",
                NameOf(operands[kSelf].dtype()));
  }
  if (self.rank() != 2) {
    return Fail(spec.codes.shape, "self.shape = {}, expected rank 2 as mode is 0", self.ToString());
  }
  if (dim == 0) return {};
  return Fail(spec.codes.shape, "dim = {}, expected 0 or -2 as mode is 0", operands.Int(kDim));
}

// `fast`: alpha does not count, as the document says of a device's fast mode.
Status PrepareAdd(Operands& operands, bool fast, PreparedCall* call) {
  std::shared_ptr<IndexedPlan> plan;
  TensorView index;
  int dim = 0;
  if (Status s = MakePlan(operands, &plan, &index, &dim); !s.ok()) return s;
  if (fast) {
    if (Status s = CheckFast(operands, dim); !s.ok()) return s;
  }
  if (Status s = AddSource(operands, plan.get(), index, dim); !s.ok()) return s;
  Scattering& how = plan->scattering;
  how.reduce = Reduce::kAdd;
  const aclDataType type = Grouped(how.dtype, how.reduce, false) ? ACL_FLOAT : how.dtype;
  if (Status s = ReadElement(operands, kAlpha, type, &how.factor); !s.ok()) return s;
  ScalarValue alpha;
  if (Status s = ReadComplexScalar(operands, kAlpha, &alpha); !s.ok()) return s;
  how.scaled = !fast && (alpha.real != 1 || alpha.imaginary != 0);
  AddAlongDim(plan.get(), index, dim);
  plan->Finish();
  if (plan->target.elements() > 0 || index.elements() > 0) call->plan = std::move(plan);
  return {};
}

}  // namespace

Status PrepareIndexAdd(Operands& operands, PreparedCall* call) {
  return PrepareAdd(operands, false, call);
}

Status PrepareIndexAddV2(Operands& operands, PreparedCall* call) {
  return PrepareAdd(operands, operands.Int(kMode) == 0, call);
}

Status PrepareIndexFill(Operands& operands, PreparedCall* call) {
  std::shared_ptr<IndexedPlan> plan;
  TensorView index;
  int dim = 0;
  if (Status s = MakePlan(operands, &plan, &index, &dim); !s.ok()) return s;
  if (Status s = ReadElement(operands, kValue, plan->target.dtype, &plan->constant); !s.ok()) {
    return s;
  }
  plan->access.wraps = true;
  plan->access.skips_outside = true;
  AddAlongDim(plan.get(), index, dim);
  plan->Finish();
  if (plan->target.elements() > 0) call->plan = std::move(plan);
  return {};
}

// Of indices that phase 1 knows: those out of range are refused there.
Status PrepareIndexFillList(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int written = operands.Given(kOut) ? kOut : kSelf;
  const TensorView target = AtLeastVector(ViewOf(operands, written));
  int dim = 0;
  if (Status s = CheckDimOf(operands, target, &dim); !s.ok()) return s;
  auto plan = std::make_shared<IndexedPlan>(target);
  plan->list = operands.IntArrayAt(kIndex);
  for (int64_t i : *plan->list) {
    if (target.elements() == 0 || (i >= -target.sizes[dim] && i < target.sizes[dim])) continue;
    return Fail(operands.spec().codes.shape,
                "index has {}, expected {} to {} in dimension {} of {}", i, -target.sizes[dim],
                target.sizes[dim] - 1, dim, ShapeOf(target).ToString());
  }
  if (Status s = ReadElement(operands, kValue, target.dtype, &plan->constant); !s.ok()) return s;
  plan->names = {operands.NameOf(kIndex), operands.NameOf(written)};
  plan->scattering.dtype = target.dtype;
  if (written == kOut) plan->CopyFirst(AtLeastVector(ViewOf(operands, kSelf)));
  TensorView index;
  index.dtype = ACL_INT64;
  index.rank = 1;
  index.sizes[0] = static_cast<int64_t>(plan->list->size());
  index.strides[0] = 1;
  AddAlongDim(plan.get(), index, dim);
  plan->Finish();
  if (target.elements() > 0) call->plan = std::move(plan);
  return {};
}

Status PrepareIndexCopy(Operands& operands, PreparedCall* call) {
  std::shared_ptr<IndexedPlan> plan;
  TensorView index;
  int dim = 0;
  if (Status s = MakePlan(operands, &plan, &index, &dim); !s.ok()) return s;
  if (Status s = AddSource(operands, plan.get(), index, dim); !s.ok()) return s;
  AddAlongDim(plan.get(), index, dim);
  plan->Finish();
  if (plan->target.elements() > 0 || index.elements() > 0) call->plan = std::move(plan);
  return {};
}

Status PrepareEmbeddingBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView out = ViewOf(operands, kOut);
  const TensorView grad = ViewOf(operands, kGrad);
  TensorView index = ViewOf(operands, kIndices);
  Dims expected = ShapeOf(index);
  if (expected.rank() < Dims::kMaxRank) expected.push_back(out.sizes[1]);
  // A vector of indices may come with a gradient of more dimensions: what counts is rows.
  const bool rows = grad.rank > 0 && grad.sizes[grad.rank - 1] == out.sizes[1] &&
                    grad.elements() == index.elements() * out.sizes[1];
  if (!rows) {
    return Fail(operands.spec().codes.shape, "grad.shape = {}, expected {}: indices.shape = {}",
                ShapeOf(grad).ToString(), expected.ToString(), ShapeOf(index).ToString());
  }
  if (Status s = CheckTableSize(operands, index.elements()); !s.ok()) return s;
  if (!(ShapeOf(grad) == expected)) {
    TensorView views[] = {index, WithoutDim(grad, grad.rank - 1)};
    CoalesceInOrder(std::span(views, 1));
    CoalesceInOrder(std::span(views + 1, 1));
    if (views[0].rank > 1 || views[1].rank > 1) {
      return Fail(operands.spec().codes.shape,
                  "grad.shape = {} and indices.shape = {} differ and are not both contiguous",
                  ShapeOf(grad).ToString(), ShapeOf(index).ToString());
    }
  }
  auto plan = std::make_shared<IndexedPlan>(out);
  plan->names = {operands.NameOf(kIndices), operands.NameOf(kOut)};
  plan->plain = grad;
  plan->access.wraps = false;
  // Of a size as unsigned: a negative one comes as a large number, and is no index.
  plan->access.skipped = operands.Int(kPaddingIdx) < 0 ? -1 : operands.Int(kPaddingIdx);
  plan->scattering = {.reduce = Reduce::kAdd,
                      .dtype = grad.dtype,
                      .by_frequency = operands.Flag(kScaleByFrequency)};
  plan->ZeroFirst();
  const int64_t bytes = plan->access.element_bytes;
  const int64_t index_bytes = BytesOf(index);
  const bool wide = index.dtype != ACL_INT64 && index.dtype != ACL_INT32;
  const Dims dense = ContiguousStrides(ShapeOf(index));
  const bool same = ShapeOf(grad) == expected;
  const int64_t row = same ? 0 : grad.rank > 1 ? grad.strides[grad.rank - 2] : 0;
  for (int i = 0; i < index.rank; ++i) {
    const int64_t count = dense[static_cast<size_t>(i)];
    Axis axis{.size = index.sizes[i]};
    axis.plain = (same ? grad.strides[i] : count * row) * bytes;
    axis.index[0] = wide ? count * int64_t{sizeof(int64_t)} : index.strides[i] * index_bytes;
    plan->access.positions.push_back(axis);
  }
  plan->access.inner.push_back({.size = out.sizes[1],
                                .target = out.strides[1] * bytes,
                                .plain = grad.strides[grad.rank - 1] * bytes});
  plan->AddIndex(index, out.sizes[0], out.strides[0]);
  plan->Finish();
  if (out.elements() > 0 || index.elements() > 0) call->plan = std::move(plan);
  return {};
}

Status PrepareCoalesceSparse(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& indices = operands[kIndices].shape();
  if (indices[1] >= 64) {
    return Fail(operands.spec().codes.shape,
                "indices.shape = {}, expected fewer than 64 dimensions", indices.ToString());
  }
  if (Status s = CheckTableSize(operands, indices[0]); !s.ok()) return s;
  const auto coordinates = RowsTo(operands, kIndices, kNewIndices);
  coordinates->Finish();
  const auto values = RowsTo(operands, kValues, kNewValues);
  values->scattering.reduce = Reduce::kAdd;
  values->ZeroFirst();
  values->Finish();
  if (operands[kNewValues].IsEmpty() && indices[0] == 0) return {};
  call->plan = std::make_shared<CoalescePlan>(coordinates, values);
  return {};
}

}  // namespace anyacl::indexing
