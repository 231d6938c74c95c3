// SPDX-License-Identifier: Apache-2.0
// CrossEntropyLoss: the logarithm of each row's softmax in fp32, and what it costs at the row's
// target, which is not rounded on the way; and the gradient of that. Threads share rows; sums over
// rows are in double, in their order.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/loss/operators.h"
#include "ops/loss/reduction.h"
#include "ops/loss/targets.h"
#include "runtime/parallel.h"

namespace anyacl::loss {
namespace {

using elementwise::Op;

struct Params {
  TensorView rows{};                   // [N, C]: input, or logProb
  TensorView weight{}, loss{}, out{};  // out: logProbOut, or the gradient
  Targets targets;
  Reduced reduction = Reduced::kMean;
  double smoothing = 0;

  int64_t count() const { return rows.sizes[0]; }
  int64_t classes() const { return rows.sizes[1]; }
};

constexpr int64_t kWorth = 1 << 12;  // numbers: some 5 us

void LoadRow(const Bindings& bindings, const TensorView& view, int64_t row, int64_t column,
             int64_t count, float* to) {
  const int64_t at = row * view.strides[0] + column * view.strides[1];
  blocks::LoadRow(view.dtype, view.Address(bindings) + at * BytesOf(view), view.strides[1], count,
                  to);
}
void StoreRow(const Bindings& bindings, const float* from, const TensorView& view, int64_t row,
              int64_t column, int64_t count) {
  const int64_t at = row * view.strides[0] + column * view.strides[1];
  blocks::StoreRow(from, count, view.dtype, view.Address(bindings) + at * BytesOf(view),
                   view.strides[1]);
}

class CrossEntropyPlan : public BookedPlan {
 protected:
  explicit CrossEntropyPlan(const Params& params) : p_(params) {
    targets_ = book_.Book<int64_t>(static_cast<size_t>(std::max<int64_t>(1, p_.count())));
  }

  double WeightOf(const Bindings& bindings, int64_t target) const {
    if (target < 0) return 0;
    if (!p_.weight.given()) return 1;
    return double{
        LoadElement<float>(p_.weight.Address(bindings) + target * p_.weight.strides[0] * 4)};
  }
  double WeightOfAll(const Bindings& bindings) const {
    double sum = 0;
    for (int64_t row = 0; row < p_.count(); ++row) {
      sum += WeightOf(bindings, targets_.In(bindings)[row]);
    }
    return sum;
  }
  // Of a row's loss, or of the one of all.
  char* LossAt(const Bindings& bindings, int64_t row) const {
    const int64_t step = p_.reduction == Reduced::kNone ? p_.loss.strides[0] : 0;
    return p_.loss.Address(bindings) + row * step * BytesOf(p_.loss);
  }

  const Params p_;
  WorkspaceSlot<int64_t> targets_;
};

class LossPlan final : public CrossEntropyPlan {
 public:
  explicit LossPlan(const Params& params) : CrossEntropyPlan(params) {
    const auto classes = static_cast<size_t>(p_.classes());
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), p_.count()));
    losses_ = book_.Book<double>(static_cast<size_t>(p_.count()));
    numbers_ = book_.Book<float>(slots, classes);
    weights_ = book_.Book<float>(Smooths() ? classes : 0);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = p_.targets.Read(bindings, targets_.In(bindings)); !s.ok()) return s;
    if (Smooths()) LoadWeights(bindings);
    double* const losses = losses_.In(bindings);
    ParallelFor(p_.count(), std::max<int64_t>(1, kWorth / p_.classes()),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * p_.classes();
                  for (int64_t row = begin; row < end; ++row) {
                    losses[row] = RunRow(bindings, row, numbers);
                    if (p_.reduction == Reduced::kNone) {
                      blocks::StoreOne(losses[row], p_.loss.dtype, LossAt(bindings, row));
                    }
                  }
                });
    if (p_.reduction == Reduced::kNone) return {};
    double sum = 0;
    for (int64_t row = 0; row < p_.count(); ++row) sum += losses[row];
    if (p_.reduction == Reduced::kMean) sum /= WeightOfAll(bindings);
    blocks::StoreOne(sum, p_.loss.dtype, LossAt(bindings, 0));
    return {};
  }

 private:
  bool Smooths() const { return p_.smoothing != 0; }

  void LoadWeights(const Bindings& bindings) const {
    float* const weights = weights_.In(bindings);
    if (!p_.weight.given()) return void(std::fill_n(weights, p_.classes(), 1.0f));
    blocks::LoadRow(ACL_FLOAT, p_.weight.Address(bindings), p_.weight.strides[0], p_.classes(),
                    weights);
  }

  // Rows of one type whose logarithms nobody needs unrounded are computed where they lie.
  bool IsDirect() const {
    return p_.rows.dtype == p_.out.dtype && p_.rows.strides[1] == 1 && p_.out.strides[1] == 1 &&
           !Smooths();
  }

  // Writes the logarithms; the row's loss.
  double RunRow(const Bindings& bindings, int64_t row, float* numbers) const {
    const bool direct = IsDirect();
    const int64_t n = p_.classes();
    const rowwise::RowKernels& kernels =
        Kernels().rowwise.Of(direct ? ElementOf(p_.rows.dtype) : Element::kFp32);
    const char* const from =
        p_.rows.Address(bindings) + row * p_.rows.strides[0] * BytesOf(p_.rows);
    if (!direct) LoadRow(bindings, p_.rows, row, 0, n, numbers);
    const void* const x = direct ? static_cast<const void*>(from) : numbers;
    void* const to = direct ? static_cast<void*>(p_.out.Address(bindings) +
                                                 row * p_.out.strides[0] * BytesOf(p_.out))
                            : numbers;
    const float most = kernels.softmax.max(x, n);
    const float max = most == -INFINITY ? 0 : most;
    const auto log = static_cast<float>(std::log(kernels.softmax.exp_sum(x, n, max, nullptr)));
    const int64_t target = targets_.In(bindings)[row];
    float of_target = 0;
    if (target >= 0) {
      of_target = blocks::LoadOne<float>(p_.rows.dtype,
                                         from + target * p_.rows.strides[1] * BytesOf(p_.rows));
    }
    kernels.softmax.shift(x, n, max, log, {to, false});
    if (!direct) StoreRow(bindings, numbers, p_.out, row, 0, n);
    if (target < 0) return 0;
    double loss = -WeightOf(bindings, target) * double{(of_target - max) - log};
    if (Smooths()) {
      const double all = -kernels.dot(weights_.In(bindings), numbers, n);
      loss = (1 - p_.smoothing) * loss + p_.smoothing / static_cast<double>(n) * all;
    }
    return loss;
  }

  WorkspaceSlot<double> losses_;
  WorkspaceSlot<float> numbers_, weights_;
};

class GradientPlan final : public CrossEntropyPlan {
 public:
  explicit GradientPlan(const Params& params) : CrossEntropyPlan(params) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = p_.targets.Read(bindings, targets_.In(bindings)); !s.ok()) return s;
    const double of_all = p_.reduction == Reduced::kMean ? WeightOfAll(bindings) : 1;
    ParallelFor(p_.count(), std::max<int64_t>(1, kWorth / p_.classes()),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, of_all);
                });
    return {};
  }

 private:
  void RunRow(const Bindings& bindings, int64_t row, double of_all) const {
    constexpr int64_t kTile = 1024;
    alignas(64) float v[kTile] = {};
    const int64_t target = targets_.In(bindings)[row];
    const double loss = blocks::LoadOne<double>(p_.loss.dtype, LossAt(bindings, row));
    const auto factor = static_cast<float>(loss / of_all * WeightOf(bindings, target));
    for (int64_t column = 0; column < p_.classes(); column += kTile) {
      const int64_t n = std::min(kTile, p_.classes() - column);
      if (target >= 0) {
        const blocks::Rows numbers(n);
        LoadRow(bindings, p_.rows, row, column, n, v);
        numbers(Op::kExp, v, v);
        numbers(Op::kMulScalar, v, v, nullptr, nullptr, factor);
        if (target >= column && target < column + n) v[target - column] -= factor;
      }
      StoreRow(bindings, v, p_.out, row, column, n);
    }
  }
};

// What both have; `rows` is the row of the tensor with a number for each class, `loss` that of the
// losses.
Status Build(Operands& operands, int rows, int loss, Params* params) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  constexpr Reduced kReductions[] = {Reduced::kMean, Reduced::kSum, Reduced::kNone};
  size_t reduction = 0;
  if (Status s = operands.CheckText(kReductionText, {"mean", "sum", "none"}, &reduction); !s.ok()) {
    return s;
  }
  params->reduction = kReductions[reduction];
  const Dims& shape = operands[rows].shape();
  if (shape[1] == 0) {
    return Fail(code, "{}.shape[1] = 0, expected 1 class or more", operands.NameOf(rows));
  }
  const Dims& losses = operands[loss].shape();
  if (params->reduction == Reduced::kNone) {
    if (Status s = CheckShapeIs(operands, loss, {shape[0]}); !s.ok()) return s;
  } else if (!(losses == Dims{1} || losses.rank() == 0)) {
    return Fail(code, "{}.shape = {}, expected [1] or [] as reductionOptional is \"{}\"",
                operands.NameOf(loss), losses.ToString(), reduction);
  }
  params->rows = ViewOf(operands, rows);
  if (operands.Given(kWeight)) params->weight = ViewOf(operands, kWeight);
  params->loss = ViewOf(operands, loss);
  params->targets = {.view = ViewOf(operands, kTarget),
                     .name = operands.NameOf(kTarget),
                     .classes = shape[1],
                     .ignore = operands.Int(kIgnoreIndex)};
  params->smoothing = operands.Real(kSmoothing);
  return {};
}

void WarnOfZloss(const Operands& operands) {
  if (operands.Given(kReturnZloss) && operands.Flag(kReturnZloss)) {
    Warn("returnZloss = true: there is no zloss, as on devices");
  }
  if (operands.Real(kZlossScale) != 0) {
    Warn("lseSquareScaleForZloss = {}: there is no zloss, as on devices",
         operands.Real(kZlossScale));
  }
}

}  // namespace

Status PrepareCrossEntropyLoss(Operands& operands, PreparedCall* call) {
  Params params;
  if (Status s = Build(operands, kSelf, kOut, &params); !s.ok()) return s;
  if (!(params.smoothing >= 0 && params.smoothing <= 1)) {
    return Fail(operands.spec().codes.shape, "labelSmoothing = {}, expected 0 to 1",
                params.smoothing);
  }
  WarnOfZloss(operands);
  params.out = ViewOf(operands, kLogProb);
  if (!operands[kOut].IsEmpty()) call->plan = std::make_shared<LossPlan>(params);
  return {};
}

Status PrepareCrossEntropyLossGradient(Operands& operands, PreparedCall* call) {
  Params params;
  if (Status s = Build(operands, kLogProb, kGradOutput, &params); !s.ok()) return s;
  if (params.smoothing != 0) {
    return Fail(operands.spec().codes.shape, "labelSmoothing = {}, expected 0", params.smoothing);
  }
  WarnOfZloss(operands);
  params.out = ViewOf(operands, kOut);
  if (!operands[kOut].IsEmpty()) call->plan = std::make_shared<GradientPlan>(params);
  return {};
}

}  // namespace anyacl::loss
