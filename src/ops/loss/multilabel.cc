// SPDX-License-Identifier: Apache-2.0
// Margins between the classes that a row's target names and all others. Targets are the client's:
// those beyond the classes fail the task before anything is written.
#include <algorithm>
#include <vector>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/loss/operators.h"
#include "ops/loss/reduction.h"
#include "runtime/parallel.h"

namespace anyacl::loss {
namespace {

struct MultilabelProblem {
  TensorView self, target, named;  // rows of classes
  TensorView out;                  // a number for each row, or one
  int64_t rows = 1, classes = 0;
  int64_t reduction = kNone;
  bool by_row = false;
};

blocks::Tile RowOf(const Bindings& bindings, const TensorView& view, int64_t row) {
  const int last = view.rank - 1;
  return {view.Address(bindings) + (last > 0 ? row * view.strides[0] : 0) * BytesOf(view),
          1,
          view.sizes[last],
          0,
          view.strides[last],
          false};
}

class MultilabelPlan final : public BookedPlan {
 public:
  explicit MultilabelPlan(const MultilabelProblem& x) : x_(x) {
    losses_ = book_.Book<double>(static_cast<size_t>(std::max<int64_t>(x.rows, 1)));
    targets_ = book_.Book<int64_t>(static_cast<size_t>(std::max<int64_t>(x.rows * x.classes, 1)));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = ReadTargets(bindings); !s.ok()) return s;
    double* losses = losses_.In(bindings);
    const int64_t grain = std::max<int64_t>(1, 4096 / (x_.classes + 1));
    ParallelFor(x_.rows, grain, [&](int64_t begin, int64_t end) {
      std::vector<double> x(static_cast<size_t>(x_.classes)), named(x.size());
      for (int64_t row = begin; row < end; ++row) losses[row] = Row(bindings, row, &x, &named);
    });
    const auto store = blocks::Storer(Element::kFp64, x_.out.dtype);
    char* out = x_.out.Address(bindings);
    if (x_.by_row) {
      store(losses, {out, 1, x_.rows, 0, x_.out.strides[0], false});
      return {};
    }
    double sum = 0;
    for (int64_t row = 0; row < x_.rows; ++row) sum += losses[row];
    if (x_.reduction == kMean && x_.rows > 0) sum /= static_cast<double>(x_.rows);
    store(&sum, {out, 1, 1, 0, 1, false});
    return {};
  }

 private:
  Status ReadTargets(const Bindings& bindings) const {
    int64_t* targets = targets_.In(bindings);
    const auto load = blocks::Loader(Element::kInt64, x_.target.dtype);
    for (int64_t row = 0; row < x_.rows; ++row) {
      load(RowOf(bindings, x_.target, row), targets + row * x_.classes);
    }
    for (int64_t i = 0; i < x_.rows * x_.classes; ++i) {
      if (targets[i] >= -1 && targets[i] < x_.classes) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "target[{}, {}] = {}, expected -1 to {}: self has {} classes", i / x_.classes,
                  i % x_.classes, targets[i], x_.classes - 1, x_.classes);
    }
    return {};
  }

  // The loss of a row, and which classes are named before the first -1.
  double Row(const Bindings& bindings, int64_t row, std::vector<double>* x,
             std::vector<double>* named) const {
    const int64_t* targets = targets_.In(bindings) + row * x_.classes;
    const int64_t count = std::find(targets, targets + x_.classes, -1) - targets;
    std::fill(named->begin(), named->end(), 0);
    for (int64_t i = 0; i < count; ++i) (*named)[static_cast<size_t>(targets[i])] = 1;
    blocks::Loader(Element::kFp64, x_.self.dtype)(RowOf(bindings, x_.self, row), x->data());
    blocks::Storer(Element::kFp64, x_.named.dtype)(named->data(), RowOf(bindings, x_.named, row));
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double bound = 1 - (*x)[static_cast<size_t>(targets[i])];
      for (size_t k = 0; k < x->size(); ++k) {
        const double margin = bound + (*x)[k];
        if ((*named)[k] == 0 && !(margin <= 0)) sum += margin;  // NaN too
      }
    }
    return sum / static_cast<double>(x_.classes);
  }

  const MultilabelProblem x_;
  WorkspaceSlot<double> losses_;
  WorkspaceSlot<int64_t> targets_;
};

}  // namespace

Status PrepareMultilabelMargin(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& self = operands[kSelf].shape();
  const size_t rank = self.rank();
  if (rank > 2 || (rank > 0 && self[rank - 1] == 0)) {
    return Fail(operands.spec().codes.shape,
                "self.shape = {}, expected [N, C], [C] or [], C above 0", self.ToString());
  }
  if (Status s = CheckShapeIs(operands, kTarget, self); !s.ok()) return s;
  // Without rows torch_npu has no classes either.
  const Dims& named = operands[kIsTarget].shape();
  const bool none = rank == 2 && self[0] == 0 && named.rank() == 1 && named[0] == 0;
  if (Status s = none ? Status() : CheckShapeIs(operands, kIsTarget, self); !s.ok()) return s;
  MultilabelProblem x;
  x.reduction = operands.Int(kReduction);
  x.classes = rank > 0 ? self[rank - 1] : 1;
  x.rows = rank == 2 ? self[0] : 1;
  x.by_row = rank == 2 && x.reduction == kNone;
  const bool single = !x.by_row && operands[kOut].shape() == Dims({1});
  const Dims expected = x.by_row ? Dims({x.rows}) : Dims();
  if (Status s = single ? Status() : CheckShapeIs(operands, kOut, expected); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  x.self = AtLeastVector(ViewOf(operands, kSelf));
  x.target = AtLeastVector(ViewOf(operands, kTarget));
  x.named = AtLeastVector(ViewOf(operands, kIsTarget));
  x.out = ViewOf(operands, kOut);
  call->plan = std::make_shared<MultilabelPlan>(x);
  return {};
}

}  // namespace anyacl::loss
