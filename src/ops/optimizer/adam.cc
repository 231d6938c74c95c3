// SPDX-License-Identifier: Apache-2.0
// Adam and its like: one pass over parameters, averages and gradients.
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "nnop/scalar.h"
#include "ops/blocks/walk.h"
#include "ops/optimizer/operators.h"
#include "runtime/parallel.h"

namespace anyacl::optimizer {
namespace {

struct AdamWNumbers {
  double lr, beta1, beta2, weight_decay, eps;
  bool maximize;
};

using FactorsOf = std::function<AdamW(const Bindings&)>;

// New ones may be the old ones.
enum : size_t {
  kP,
  kAverage,
  kSquares,
  kLargest,
  kGradient,
  kNewP,
  kNewAverage,
  kNewSquares,
  kNewLargest,
  kViews
};

class AdamPlan final : public Plan {
 public:
  AdamPlan(FactorsOf factors, std::vector<TensorView> views)
      : factors_(std::move(factors)), walk_(std::move(views)) {
    for (aclDataType dtype : {ACL_FLOAT16, ACL_BF16}) {
      if (!walk_.IsDenseOf(dtype)) continue;
      const KernelSet& kernels = Kernels().optimizer;
      halves_ = dtype == ACL_BF16 ? kernels.adam_w_bf16 : kernels.adam_w_fp16;
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const AdamW factors = factors_(bindings);
    const bool has_most = walk_.given(kLargest);
    constexpr int64_t kGrain = 4;  // blocks: 3 us in the caches
    if (halves_ != nullptr) {
      ParallelFor(walk_.blocks(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) UpdateHalves(bindings, b, factors);
      });
      return {};
    }
    ParallelFor(walk_.blocks(), kGrain, [&](int64_t begin, int64_t end) {
      alignas(64) float buffers[kViews][blocks::kWalkBlock];
      for (int64_t b = begin; b < end; ++b) {
        const auto read = [&](size_t view) { return walk_.Read(bindings, view, b, buffers[view]); };
        const auto target = [&](size_t view) {
          return walk_.Target(bindings, view, b, buffers[view]);
        };
        const AdamWState state = {read(kP),
                                  read(kAverage),
                                  read(kSquares),
                                  has_most ? read(kLargest) : nullptr,
                                  read(kGradient),
                                  target(kNewP),
                                  target(kNewAverage),
                                  target(kNewSquares),
                                  has_most ? target(kNewLargest) : nullptr};
        Kernels().optimizer.adam_w(state, walk_.SizeOf(b), factors);
        walk_.Written(bindings, kNewP, b, state.new_p, buffers[kNewP]);
        walk_.Written(bindings, kNewAverage, b, state.new_m, buffers[kNewAverage]);
        walk_.Written(bindings, kNewSquares, b, state.new_v, buffers[kNewSquares]);
        if (!has_most) continue;
        walk_.Written(bindings, kNewLargest, b, state.new_most, buffers[kNewLargest]);
      }
    });
    return {};
  }

 private:
  // Where they lie: numbers that take the way over buffers cost as much as the update itself.
  void UpdateHalves(const Bindings& bindings, int64_t block, const AdamW& factors) const {
    uint16_t* at[kViews];
    for (size_t view = 0; view < kViews; ++view) {
      at[view] = reinterpret_cast<uint16_t*>(walk_.Dense(bindings, view, block));
    }
    const AdamWHalves state = {at[kP],          at[kAverage],    at[kSquares],
                               at[kLargest],    at[kGradient],   at[kNewP],
                               at[kNewAverage], at[kNewSquares], at[kNewLargest]};
    halves_(state, walk_.SizeOf(block), factors);
  }

  const FactorsOf factors_;
  const blocks::Walk walk_;
  void (*halves_)(const AdamWHalves& state, int64_t n, const AdamW& factors) = nullptr;
};

// AdamW after `before` steps.
AdamW FactorsAfter(double before, const AdamWNumbers& p) {
  const double t = before + 1;
  return {static_cast<float>(1 - p.beta1),
          static_cast<float>(p.beta2),
          static_cast<float>(1 - p.beta2),
          static_cast<float>(1 - p.lr * p.weight_decay),
          static_cast<float>(p.lr / (1 - std::pow(p.beta1, t))),
          static_cast<float>(1 / std::sqrt(1 - std::pow(p.beta2, t))),
          static_cast<float>(p.eps),
          p.maximize ? -1.0f : 1.0f};
}

}  // namespace

Status CheckOneNumber(const Operands& operands, int id) {
  if (ElementCount(operands[id].shape()) == 1) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one element",
              operands.NameOf(id), operands[id].shape().ToString());
}

Status PrepareAdamW(Operands& operands, PreparedCall* call) {
  const bool amsgrad = operands.Flag(kAmsgrad);
  if (!amsgrad) {
    operands.Drop(kMost);
  } else if (Status s = operands.Require(kMost); !s.ok()) {
    return s;
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckOneNumber(operands, kStep); !s.ok()) return s;
  if (operands[kVar].IsEmpty()) return {};
  const AdamWNumbers numbers = {operands.Real(kLr),    operands.Real(kBeta1),
                                operands.Real(kBeta2), operands.Real(kWeightDecay),
                                operands.Real(kEps),   operands.Flag(kMaximize)};
  const TensorView step = ViewOf(operands, kStep);
  const auto factors = [numbers, step](const Bindings& bindings) {
    return FactorsAfter(blocks::LoadOne<double>(step.dtype, step.Address(bindings)), numbers);
  };
  std::vector<TensorView> views;
  for (int id : {kVar, kM, kV, kMost, kGrad, kVar, kM, kV, kMost}) {
    views.push_back(ViewOf(operands, id));
  }
  call->plan = std::make_shared<AdamPlan>(factors, std::move(views));
  return {};
}

namespace {

// One tensor's step after the other; none where infinite gradients were found.
class AdamListPlan final : public Plan {
 public:
  AdamListPlan(const TensorView& found, std::vector<AdamPlan> plans)
      : found_(found), plans_(std::move(plans)) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (found_.given() && blocks::LoadOne<float>(found_.dtype, found_.Address(bindings)) == 1) {
      return {};
    }
    for (const AdamPlan& plan : plans_) {
      if (Status s = plan.Run(bindings, stop); !s.ok()) return s;
    }
    return {};
  }

 private:
  const TensorView found_;
  const std::vector<AdamPlan> plans_;
};

// The view of a number that need not be given, or may have no element.
Status ReadOptional(const Operands& operands, int id, TensorView* view) {
  if (!operands.Given(id) || operands[id].IsEmpty()) return {};
  *view = ViewOf(operands, id);
  return CheckOneNumber(operands, id);
}

Status CheckAdamLists(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kLr, kBeta1, kBeta2, kWeightDecay}) {
    if (operands.Real(id) >= 0) continue;
    return Fail(code, "{} = {}, expected 0 or more", operands.NameOf(id), operands.Real(id));
  }
  if (!operands[kVar].given()) {
    return Fail(code, "paramsRef has 0 tensors, expected 1 or more");
  }
  for (int id : {kVar, kGrad, kM, kV, kMost}) {
    if (id == kMost && !operands.Flag(kAmsgrad)) continue;
    if (Status s = CheckLike(operands, id); !s.ok()) return s;
  }
  const auto steps = operands.List(kStep), params = operands.List(kVar);
  if (!operands[kStep].given() || steps.size() != params.size()) {
    return Fail(code, "stateSteps has {} tensors, expected {} as paramsRef",
                operands[kStep].given() ? steps.size() : 0, params.size());
  }
  for (const Operand& step : steps) {
    if (ElementCount(step.shape()) == 1) continue;
    return Fail(code, "{}.shape = {}, expected one element", step.Name(), step.shape().ToString());
  }
  return {};
}

}  // namespace

Status PrepareAdamWList(Operands& operands, PreparedCall* call) {
  const bool amsgrad = operands.Flag(kAmsgrad);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckAdamLists(operands); !s.ok()) return s;
  TensorView scale, found;
  if (Status s = ReadOptional(operands, kGradScale, &scale); !s.ok()) return s;
  if (Status s = ReadOptional(operands, kFoundInf, &found); !s.ok()) return s;
  const AdamWNumbers numbers = {operands.Real(kLr),    operands.Real(kBeta1),
                                operands.Real(kBeta2), operands.Real(kWeightDecay),
                                operands.Real(kEps),   operands.Flag(kMaximize)};
  std::vector<AdamPlan> plans;
  plans.reserve(operands.List(kVar).size());
  for (size_t i = 0; i < operands.List(kVar).size(); ++i) {
    if (operands.List(kVar)[i].IsEmpty()) continue;
    const TensorView step = ViewOf(operands, kStep, i);
    const auto factors_of = [numbers, step, scale](const Bindings& bindings) {
      AdamW factors =
          FactorsAfter(blocks::LoadOne<double>(step.dtype, step.Address(bindings)), numbers);
      if (scale.given()) {
        factors.gradient /= blocks::LoadOne<float>(scale.dtype, scale.Address(bindings));
      }
      return factors;
    };
    std::vector<TensorView> views;
    for (int id : {kVar, kM, kV, kMost, kGrad, kVar, kM, kV, kMost}) {
      views.push_back(id == kMost && !amsgrad ? TensorView() : ViewOf(operands, id, i));
    }
    plans.emplace_back(factors_of, std::move(views));
  }
  call->plan = std::make_shared<AdamListPlan>(found, std::move(plans));
  return {};
}

namespace {

// What a node has as a number.
Status ReadNumber(const Operands& operands, int id, double* number) {
  ScalarValue value;
  if (Status s = ReadScalar(operands, id, &value); !s.ok()) return s;
  *number = value.real;
  return {};
}

Status PrepareNode(Operands& operands, std::span<const int> ids, PreparedCall* call,
                   AdamW (*factors_of)(std::span<const double> numbers, bool flag), bool flag) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  std::vector<double> numbers(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (Status s = ReadNumber(operands, ids[i], &numbers[i]); !s.ok()) return s;
  }
  if (operands[kVar].IsEmpty()) return {};
  const AdamW factors = factors_of(numbers, flag);
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = std::make_shared<AdamPlan>([factors](const Bindings&) { return factors; },
                                          std::vector<TensorView>{view(kVar),
                                                                  view(kM),
                                                                  view(kV),
                                                                  {},
                                                                  view(kGrad),
                                                                  view(kNewVar),
                                                                  view(kNewM),
                                                                  view(kNewV),
                                                                  {}});
  return {};
}

}  // namespace

// eps is added to the root of v as it is.
Status PrepareAdamNode(Operands& operands, PreparedCall* call) {
  constexpr int kIds[] = {kBeta1Power, kBeta2Power, kLr, kBeta1, kBeta2, kEps};
  return PrepareNode(
      operands, kIds, call,
      [](std::span<const double> n, bool) {
        const double lr = n[2] * std::sqrt(1 - n[1]) / (1 - n[0]);
        return AdamW{static_cast<float>(1 - n[3]), static_cast<float>(n[4]),
                     static_cast<float>(1 - n[4]), 1,
                     static_cast<float>(lr),       1,
                     static_cast<float>(n[5]),     1};
      },
      false);
}

// The powers are those of the step before.
Status PrepareAdamWNode(Operands& operands, PreparedCall* call) {
  constexpr int kIds[] = {kBeta1Power, kBeta2Power, kLr, kWeightDecay, kBeta1, kBeta2, kEps};
  return PrepareNode(
      operands, kIds, call,
      [](std::span<const double> n, bool maximize) {
        return AdamW{static_cast<float>(1 - n[4]),
                     static_cast<float>(n[5]),
                     static_cast<float>(1 - n[5]),
                     static_cast<float>(1 - n[2] * n[3]),
                     static_cast<float>(n[2] / (1 - n[0] * n[4])),
                     static_cast<float>(1 / std::sqrt(1 - n[1] * n[5])),
                     static_cast<float>(n[6]),
                     maximize ? -1.0f : 1.0f};
      },
      operands.Flag(kMaximize));
}

// Without the correction of early steps. The gradient is divided by the norm of all gradients if
// that is beyond 1 and a bound is given.
Status PrepareBertAdam(Operands& operands, PreparedCall* call) {
  size_t mode = 0;
  if (Status s = operands.CheckText(kMode, {"adam", "mbart_adam"}, &mode); !s.ok()) return s;
  constexpr int kIds[] = {kLr,          kBeta1,          kBeta2,       kEps,
                          kMaxGradNorm, kGlobalGradNorm, kWeightDecay, kStepSize};
  return PrepareNode(
      operands, kIds, call,
      [](std::span<const double> n, bool mbart) {
        const bool clips = n[4] > 0 && n[5] > 1;
        return AdamW{static_cast<float>(1 - n[1]),
                     static_cast<float>(n[2]),
                     static_cast<float>(1 - n[2]),
                     static_cast<float>(1 - n[0] * n[6]),
                     static_cast<float>(mbart ? n[7] : n[0]),
                     1,
                     static_cast<float>(n[3]),
                     static_cast<float>(clips ? 1 / n[5] : 1)};
      },
      mode == 1);
}

}  // namespace anyacl::optimizer
