// SPDX-License-Identifier: Apache-2.0
// Negative log likelihoods: one element of each row of classes counts. Targets are the client's:
// those beyond the classes fail the task before anything is written.
#include "base/element_width.h"
#include "base/half.h"
#include "nnop/copy.h"
#include "nnop/workspace.h"
#include "ops/blocks/walk.h"
#include "ops/loss/operators.h"
#include "ops/loss/reduction.h"
#include "ops/loss/targets.h"
#include "runtime/parallel.h"

namespace anyacl::loss {
namespace {

// Rows, of one shape in every view; elements by their row's number.
struct NllProblem {
  TensorView self;    // without its classes
  TensorView target;  // of the same sizes
  TensorView rows;    // out of the loss, or gradOutput: a row each, or one number
  TensorView weight, total, gradient;
  int64_t classes = 0, self_step = 0, gradient_step = 0;
  int64_t ignore = 0;
  int64_t reduction = 0;
  bool by_row = false;
  const char* target_name = "";
};

char* AddressOf(const Bindings& bindings, const TensorView& view, int64_t row) {
  return view.Address(bindings) + view.OffsetOf(row) * BytesOf(view);
}

// Single elements, without a kernel's call, which takes 20 ns.
double Load(aclDataType dtype, const char* from) {
  if (dtype == ACL_FLOAT) return double{LoadElement<float>(from)};
  if (dtype == ACL_FLOAT16) return double{FloatFromFp16(LoadElement<uint16_t>(from))};
  if (dtype == ACL_BF16) return double{FloatFromBf16(LoadElement<uint16_t>(from))};
  return blocks::LoadOne<double>(dtype, from);
}

void Store(double number, aclDataType dtype, char* to) {
  if (dtype == ACL_FLOAT) return StoreElement(to, static_cast<float>(number));
  if (dtype == ACL_FLOAT16) return StoreElement(to, Fp16FromDouble(number));
  if (dtype == ACL_BF16) return StoreElement(to, Bf16FromDouble(number));
  blocks::StoreOne(number, dtype, to);
}

constexpr int64_t kChunk = 1024;  // rows

class NllPlan : public BookedPlan {
 protected:
  explicit NllPlan(const NllProblem& problem)
      : p_(Simplified(problem)), count_(p_.target.elements()) {
    targets_ = book_.Book<int64_t>(static_cast<size_t>(std::max<int64_t>(1, count_)));
  }

  Status ReadTargets(const Bindings& bindings, int64_t* targets) const {
    return Targets{p_.target, p_.target_name, p_.classes, p_.ignore}.Read(bindings, targets);
  }

  double WeightOf(const Bindings& bindings, int64_t target) const {
    char* first = p_.weight.Address(bindings);
    return Load(p_.weight.dtype,
                first + target * p_.weight.strides[0] * blocks::BytesOf(p_.weight.dtype));
  }

  // With as few dimensions as the order of the rows allows.
  static NllProblem Simplified(NllProblem p) {
    TensorView views[] = {p.target, p.self, p.gradient, p.by_row ? p.rows : TensorView()};
    CoalesceInOrder(views);
    p.target = views[0];
    p.self = views[1];
    p.gradient = views[2];
    if (p.by_row) p.rows = views[3];
    return p;
  }

  const NllProblem p_;
  const int64_t count_;
  WorkspaceSlot<int64_t> targets_;
};

class NllForwardPlan final : public NllPlan {
 public:
  explicit NllForwardPlan(const NllProblem& problem) : NllPlan(problem) {
    sums_ = book_.Book<double>(2 * static_cast<size_t>((count_ + kChunk - 1) / kChunk));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* targets = targets_.In(bindings);
    if (Status s = ReadTargets(bindings, targets); !s.ok()) return s;
    double* sums = sums_.In(bindings);
    const int64_t bytes = blocks::BytesOf(p_.self.dtype);
    ParallelFor(count_, kChunk, [&](int64_t begin, int64_t end) {
      double loss = 0, weights = 0;
      for (int64_t row = begin; row < end; ++row) {
        const int64_t target = targets[row];
        double one = 0;
        if (target >= 0) {
          const double weight = WeightOf(bindings, target);
          char* from = AddressOf(bindings, p_.self, row) + target * p_.self_step * bytes;
          one = -weight * Load(p_.self.dtype, from);
          weights += weight;
        }
        loss += one;
        if (p_.by_row) Store(one, p_.rows.dtype, AddressOf(bindings, p_.rows, row));
      }
      sums[begin / kChunk * 2] = loss;
      sums[begin / kChunk * 2 + 1] = weights;
    });
    double loss = 0, weights = 0;
    for (int64_t i = 0; i * kChunk < count_; ++i) {
      loss += sums[2 * i];
      weights += sums[2 * i + 1];
    }
    if (!p_.by_row) {
      if (p_.reduction == kMean) loss /= weights;
      blocks::StoreOne(loss, p_.rows.dtype, p_.rows.Address(bindings));
    }
    blocks::StoreOne(p_.by_row ? 0 : weights, p_.total.dtype, p_.total.Address(bindings));
    return {};
  }

 private:
  WorkspaceSlot<double> sums_;
};

class BackwardPlan final : public NllPlan {
 public:
  BackwardPlan(const NllProblem& problem, const TensorView& out)
      : NllPlan(problem), zeros_(FillLoopsOf(out)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* targets = targets_.In(bindings);
    if (Status s = ReadTargets(bindings, targets); !s.ok()) return s;
    constexpr char kZero[16] = {};
    // The fill counts from the tensor's address, not from the view's first element.
    char* out = bindings.data[static_cast<size_t>(p_.gradient.slot)];
    ParallelFor(zeros_.chunks(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) zeros_.RunChunk(i, out, kZero);
    });
    const double scale =
        p_.reduction == kMean ? 1 / Load(p_.total.dtype, p_.total.Address(bindings)) : 1;
    const int64_t bytes = blocks::BytesOf(p_.gradient.dtype);
    constexpr int64_t kGrain = 256;  // rows, each of which waits for memory
    ParallelFor(count_, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t target = targets[row];
        if (target < 0) continue;
        char* from = p_.by_row ? AddressOf(bindings, p_.rows, row) : p_.rows.Address(bindings);
        const double g = Load(p_.rows.dtype, from) * scale;
        Store(-g * WeightOf(bindings, target), p_.gradient.dtype,
              AddressOf(bindings, p_.gradient, row) + target * p_.gradient_step * bytes);
      }
    });
    return {};
  }

 private:
  const StridedCopy zeros_;
};

Status CheckOneNumber(const Operands& operands, int id) {
  const Dims& shape = operands[id].shape();
  if (ElementCount(shape) == 1 && shape.rank() <= 1) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [] or [1]", operands.NameOf(id),
              shape.ToString());
}

// Checks shapes, and takes the classes out of self. `rows_id`: the tensor that has a number for
// each row, or one.
Status Build(Operands& operands, bool plane, int rows_id, NllProblem* problem) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& self = operands[kSelf].shape();
  const int dim = plane || self.rank() > 1 ? 1 : 0;
  const bool single = self.rank() == 1;
  Dims rows;
  for (size_t i = 0; i < self.rank(); ++i) {
    if (static_cast<int>(i) != dim) rows.push_back(self[i]);
  }
  const Dims& target = operands[kTarget].shape();
  if (target != rows) {
    return Fail(operands.spec().codes.shape, "target.shape = {}, expected {} as self.shape = {}",
                target.ToString(), rows.ToString(), self.ToString());
  }
  problem->reduction = operands.Int(kReduction);
  problem->by_row = problem->reduction == kNone && !single;
  if (problem->by_row) {
    if (Status s = CheckShapeIs(operands, rows_id, rows); !s.ok()) return s;
  } else if (Status s = CheckOneNumber(operands, rows_id); !s.ok()) {
    return s;
  }
  if (Status s = CheckOneNumber(operands, kTotalWeight); !s.ok()) return s;
  const TensorView view = ViewOf(operands, kSelf);
  problem->self = WithoutDim(view, dim);
  problem->classes = self[static_cast<size_t>(dim)];
  problem->self_step = view.strides[dim];
  problem->target = ViewOf(operands, kTarget);
  problem->target_name = operands.NameOf(kTarget);
  problem->rows = ViewOf(operands, rows_id);
  problem->weight = ViewOf(operands, kWeight);
  problem->total = ViewOf(operands, kTotalWeight);
  problem->ignore = operands.Int(kIgnoreIndex);
  return {};
}

}  // namespace

Status PrepareNll(Operands& operands, PreparedCall* call, bool plane) {
  NllProblem problem;
  if (Status s = Build(operands, plane, kOut, &problem); !s.ok()) return s;
  call->plan = std::make_shared<NllForwardPlan>(problem);
  return {};
}

Status PrepareNllGradient(Operands& operands, PreparedCall* call, bool plane) {
  NllProblem problem;
  if (Status s = Build(operands, plane, kGradOutput, &problem); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, operands[kSelf].shape()); !s.ok()) return s;
  const TensorView out = ViewOf(operands, kOut);
  const int dim = plane || out.rank > 1 ? 1 : 0;
  problem.gradient = WithoutDim(out, dim);
  problem.gradient_step = out.strides[dim];
  if (!operands[kOut].IsEmpty()) call->plan = std::make_shared<BackwardPlan>(problem, out);
  return {};
}

}  // namespace anyacl::loss
