// SPDX-License-Identifier: Apache-2.0
// Adam beside an average of the parameters.
#include <cmath>
#include <vector>

#include "ops/blocks/walk.h"
#include "ops/optimizer/operators.h"
#include "runtime/parallel.h"

namespace anyacl::optimizer {
namespace {

struct EmaAdamNumbers {
  double lr, ema_decay, beta1, beta2, eps, weight_decay;
  bool adds_l2, corrects;

  EmaAdam FactorsAt(double step) const {
    const double c1 = corrects ? 1 - std::pow(beta1, step) : 1;
    const double c2 = corrects ? 1 - std::pow(beta2, step) : 1;
    EmaAdam f = {};
    f.adam = {
        static_cast<float>(1 - beta1), static_cast<float>(beta2),
        static_cast<float>(1 - beta2), static_cast<float>(adds_l2 ? 1 : 1 - lr * weight_decay),
        static_cast<float>(lr / c1),   static_cast<float>(1 / std::sqrt(c2)),
        static_cast<float>(eps),       1};
    f.l2 = static_cast<float>(weight_decay);
    f.adds_l2 = adds_l2;
    f.ema = static_cast<float>(ema_decay);
    f.ema_rest = static_cast<float>(1 - ema_decay);
    return f;
  }
};

class EmaAdamPlan final : public Plan {
 public:
  EmaAdamPlan(const EmaAdamNumbers& numbers, const TensorView& step, std::vector<TensorView> views)
      : numbers_(numbers), step_(step), walk_(std::move(views)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const EmaAdam factors =
        numbers_.FactorsAt(blocks::LoadOne<double>(step_.dtype, step_.Address(bindings)));
    constexpr int64_t kGrain = 4;  // blocks, as Adam's
    ParallelFor(walk_.blocks(), kGrain, [&](int64_t begin, int64_t end) {
      alignas(64) float buffers[kViews][blocks::kWalkBlock];
      for (int64_t b = begin; b < end; ++b) {
        // Of the five that the call has, all but the gradient change where they are.
        float* to[kViews] = {};
        const float* from[kViews] = {};
        for (size_t view = 0; view < kViews; ++view) {
          from[view] = walk_.Read(bindings, view, b, buffers[view]);
          to[view] = walk_.Target(bindings, view, b, buffers[view]);
        }
        const EmaAdamState state = {{from[kP], from[kAverage], from[kSquares], nullptr,
                                     from[kGradient], to[kP], to[kAverage], to[kSquares], nullptr},
                                    from[kMean],
                                    to[kMean]};
        Kernels().optimizer.ema_adam(state, walk_.SizeOf(b), factors);
        for (const size_t view : {kP, kAverage, kSquares, kMean}) {
          walk_.Written(bindings, view, b, to[view], buffers[view]);
        }
      }
    });
    return {};
  }

 private:
  enum : size_t { kP, kAverage, kSquares, kMean, kGradient, kViews };

  const EmaAdamNumbers numbers_;
  const TensorView step_;
  const blocks::Walk walk_;
};

}  // namespace

Status PrepareEmaAdam(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckOneNumber(operands, kStep); !s.ok()) return s;
  if (operands[kVar].IsEmpty()) return {};
  const EmaAdamNumbers numbers = {operands.Real(kLr),       operands.Real(kEmaDecay),
                                  operands.Real(kBeta1),    operands.Real(kBeta2),
                                  operands.Real(kEps),      operands.Real(kWeightDecay),
                                  operands.Int(kMode) == 0, operands.Flag(kBiasCorrection)};
  std::vector<TensorView> views;
  for (const int id : {kVar, kM, kV, kEma, kGrad}) views.push_back(ViewOf(operands, id));
  call->plan = std::make_shared<EmaAdamPlan>(numbers, ViewOf(operands, kStep), std::move(views));
  return {};
}

}  // namespace anyacl::optimizer
