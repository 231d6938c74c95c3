// SPDX-License-Identifier: Apache-2.0
// Members whose index tensors have an entry for each element: Gather, Scatter, Take, Put.
#include <algorithm>

#include "base/format.h"
#include "ops/indexing/plan.h"
#include "ops/indexing/scatter_buckets.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

// Positions of index's shape; along `dim` the index says where in target.
void AddElements(IndexedPlan* plan, const TensorView& index, int dim) {
  const int64_t bytes = plan->access.element_bytes;
  const int64_t index_bytes = BitsOf(index.dtype) / 8;
  for (int i = 0; i < index.rank; ++i) {
    Axis axis{.size = index.sizes[i]};
    axis.target = i == dim ? 0 : plan->target.strides[i] * bytes;
    axis.plain = plan->plain.given() ? plan->plain.strides[i] * bytes : 0;
    axis.index[0] = index.strides[i] * index_bytes;
    axis.apart = i != dim;
    plan->access.positions.push_back(axis);
  }
  plan->AddIndex(index, plan->target.sizes[dim], plan->target.strides[dim]);
}

// No size of index beyond that of another tensor, but along `except`.
Status CheckWithin(const Operands& operands, const TensorView& index, const TensorView& other,
                   int id, int except) {
  bool fits = index.rank == other.rank;
  for (int i = 0; fits && i < index.rank; ++i) {
    fits = i == except || index.sizes[i] <= other.sizes[i];
  }
  if (fits) return {};
  const std::string besides =
      except >= 0 ? Format(" (but for dimension {})", except) : std::string();
  return Fail(operands.spec().codes.shape,
              "index.shape = {}, expected as many dimensions as {}.shape = {} and no larger "
              "sizes{}",
              operands[kIndex].shape().ToString(), operands.NameOf(id),
              operands[id].shape().ToString(), besides);
}

// Take and Put: a tensor as a vector. One that is no vector in memory is copied into the workspace.
class FlatPlan final : public BookedPlan {
 public:
  FlatPlan(const TensorView& flat, const TensorView& index, const TensorView& plain, bool gathers,
           Scattering scattering, Names names)
      : flat_(flat),
        index_(index),
        plain_(plain),
        gathers_(gathers),
        how_(scattering),
        names_(names) {
    TensorView views[] = {flat_};
    CoalesceInOrder(views);
    direct_ = views[0].rank <= 1;
    count_ = flat_.elements();
    step_ = BytesOf(flat_);
    if (direct_) {
      step_ *= views[0].rank == 1 ? views[0].strides[0] : 1;
    } else {
      copy_ = book_.Book<char>(static_cast<size_t>(count_ * BytesOf(flat_)));
    }
    if (gathers_) return;
    const auto positions = static_cast<size_t>(index_.elements());
    if (!(ShapeOf(index_) == ShapeOf(plain_))) {
      dense_plain_ = book_.Book<char>(positions * static_cast<size_t>(BytesOf(plain_)));
      reshapes_ = true;
    }
    table_ = book_.Book<int64_t>(static_cast<size_t>(WordsFor(index_.elements(), BytesOf(flat_))));
    if (Grouped(how_.dtype, how_.reduce, false)) entries_ = book_.Book<Entry>(2 * positions);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Access x;
    x.element_bytes = BytesOf(flat_);
    if (count_ > 0) x.target = direct_ ? flat_.Address(bindings) : copy_.In(bindings);
    if (!direct_) Copy(bindings, flat_, copy_.In(bindings), false);
    x.plain = reshapes_ ? dense_plain_.In(bindings) : plain_.Address(bindings);
    if (reshapes_) Copy(bindings, plain_, x.plain, false);
    x.indices.push_back({.data = index_.Address(bindings),
                         .wide = index_.dtype == ACL_INT64,
                         .limit = count_,
                         .step = step_});
    AddPositions(&x);
    if (gathers_) return indexing::Gather(x, names_);
    Scattering how = how_;
    how.table = table_.In(bindings);
    how.entries = entries_.In(bindings);
    if (Status s = indexing::Scatter(x, how, names_); !s.ok()) return s;
    if (!direct_) Copy(bindings, flat_, copy_.In(bindings), true);
    return {};
  }

 private:
  // Between a tensor and its elements in row-major order.
  static void Copy(const Bindings& bindings, const TensorView& view, char* scratch, bool back) {
    TensorView dense = Reshaped(view, ShapeOf(view));
    dense.offset = 0;
    const StridedCopy copy(back ? LoopsOf(view, dense) : LoopsOf(dense, view));
    char* const tensor = bindings.data[static_cast<size_t>(view.slot)];
    ParallelFor(copy.chunks(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        back ? copy.RunChunk(i, tensor, scratch) : copy.RunChunk(i, scratch, tensor);
      }
    });
  }
  void AddPositions(Access* x) const {
    const Dims dense = ContiguousStrides(ShapeOf(index_));
    const int64_t index_bytes = BytesOf(index_);
    for (int i = 0; i < index_.rank; ++i) {
      Axis axis{.size = index_.sizes[i]};
      axis.plain =
          (reshapes_ ? dense[static_cast<size_t>(i)] : plain_.strides[i]) * BytesOf(plain_);
      axis.index[0] = index_.strides[i] * index_bytes;
      x->positions.push_back(axis);
    }
  }

  const TensorView flat_, index_, plain_;
  const bool gathers_;
  const Scattering how_;
  const Names names_;
  bool direct_ = true;
  int64_t count_ = 0;
  int64_t step_ = 0;       // from element to element of the vector, in bytes
  bool reshapes_ = false;  // plain has another shape than index
  WorkspaceSlot<char> copy_, dense_plain_;
  WorkspaceSlot<int64_t> table_;
  WorkspaceSlot<Entry> entries_;
};

// Without elements an index of any type is one: PyTorch's gather and its gradient take such.
void AcceptEmptyIndex(Operands& operands) {
  const Operand& index = operands[kIndex];
  if (!index.given() || !index.IsEmpty()) return;
  TensorLayout layout = *index.layout;
  layout.dtype = ACL_INT64;
  operands.Relabel(kIndex, std::move(layout));
}

}  // namespace

Status PrepareGather(Operands& operands, PreparedCall* call) {
  AcceptEmptyIndex(operands);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = AtLeastVector(ViewOf(operands, kSelf));
  const TensorView index = AtLeastVector(ViewOf(operands, kIndex));
  int dim = 0;
  if (Status s = CheckDimOf(operands, self, &dim); !s.ok()) return s;
  if (index.elements() == 0 && index.rank != self.rank) return {};
  if (Status s = CheckWithin(operands, index, self, kSelf, dim); !s.ok()) return s;
  if (index.elements() == 0) return {};
  if (self.sizes[dim] == 0) {
    return Fail(
        operands.spec().codes.shape,
        "self.shape = {} has no element along dimension {}, expected some: index.shape = {}",
        ShapeOf(self).ToString(), dim, ShapeOf(index).ToString());
  }
  auto plan = std::make_shared<IndexedPlan>(self);
  plan->plain = AtLeastVector(ViewOf(operands, kOut));
  plan->gathers = true;
  plan->names = {operands.NameOf(kIndex), operands.NameOf(kSelf)};
  AddElements(plan.get(), index, dim);
  plan->Finish();
  call->plan = std::move(plan);
  return {};
}

Status PrepareScatter(Operands& operands, PreparedCall* call) {
  AcceptEmptyIndex(operands);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int written = operands.Given(kOut) ? kOut : kSelf;
  const TensorView target = AtLeastVector(ViewOf(operands, written));
  const TensorView index = AtLeastVector(ViewOf(operands, kIndex));
  int dim = 0;
  if (Status s = CheckDimOf(operands, target, &dim); !s.ok()) return s;
  if (Status s = CheckTableSize(operands, index.elements()); !s.ok()) return s;
  auto plan = std::make_shared<IndexedPlan>(target);
  plan->names = {operands.NameOf(kIndex), operands.NameOf(written)};
  plan->scattering.dtype = target.dtype;
  const bool has_source = operands.Given(kSource);
  const bool any = index.elements() > 0;
  // Without indices there is nothing to compare.
  if (any) {
    if (Status s = CheckWithin(operands, index, target, written, dim); !s.ok()) return s;
  }
  if (has_source) {
    plan->plain = AtLeastVector(ViewOf(operands, kSource));
    if (any) {
      if (Status s = CheckWithin(operands, index, plan->plain, kSource, -1); !s.ok()) return s;
    }
  } else if (Status s = ReadElement(operands, kValue, target.dtype, &plan->constant); !s.ok()) {
    return s;
  }
  constexpr Reduce kReduces[] = {Reduce::kAssign, Reduce::kAdd, Reduce::kMultiply};
  const bool always_adds = has_source && !operands.Given(kReduce);
  plan->scattering.reduce = always_adds ? Reduce::kAdd : kReduces[operands.Int(kReduce)];
  if (written == kOut) plan->CopyFirst(AtLeastVector(ViewOf(operands, kSelf)));
  if (any) {
    AddElements(plan.get(), index, dim);
  } else {
    plan->access.positions.push_back({.size = 0});
  }
  plan->Finish();
  if (target.elements() > 0 || any) call->plan = std::move(plan);
  return {};
}

Status PrepareTake(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  const TensorView index = ViewOf(operands, kIndex);
  if (index.elements() == 0) return {};
  if (self.elements() == 0) {
    return Fail(operands.spec().codes.shape, "self.shape = {} has no elements, index has {}",
                ShapeOf(self).ToString(), index.elements());
  }
  call->plan = std::make_shared<FlatPlan>(self, index, ViewOf(operands, kOut), true, Scattering(),
                                          Names{operands.NameOf(kIndex), operands.NameOf(kSelf)});
  return {};
}

Status PreparePut(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  const TensorView index = ViewOf(operands, kIndex);
  TensorView source = ViewOf(operands, kSource);
  if (index.elements() != source.elements()) {
    return Fail(operands.spec().codes.shape,
                "source.shape = {} has {} elements, expected {}: index.shape = {}",
                ShapeOf(source).ToString(), source.elements(), index.elements(),
                ShapeOf(index).ToString());
  }
  if (Status s = CheckTableSize(operands, index.elements()); !s.ok()) return s;
  if (index.elements() == 0) return {};
  if (self.elements() == 0) {
    return Fail(operands.spec().codes.shape, "selfRef.shape = {} has no elements, index has {}",
                ShapeOf(self).ToString(), index.elements());
  }
  Scattering how;
  how.dtype = self.dtype;
  how.reduce = operands.Flag(kAccumulate) ? Reduce::kAdd : Reduce::kAssign;
  call->plan = std::make_shared<FlatPlan>(self, index, source, false, how,
                                          Names{operands.NameOf(kIndex), operands.NameOf(kSelf)});
  return {};
}

}  // namespace anyacl::indexing
