// SPDX-License-Identifier: Apache-2.0
// AdamW: one pass over parameters, averages and gradients.
#include <cmath>

#include "ops/blocks/walk.h"
#include "ops/optimizer/operators.h"
#include "runtime/parallel.h"

namespace anyacl::optimizer {
namespace {

struct AdamWProblem {
  double lr, beta1, beta2, weight_decay, eps;
  bool maximize;
  TensorView step;
};

enum : size_t { kP, kAverage, kSquares, kLargest, kGradient, kViews };

class AdamWPlan final : public Plan {
 public:
  AdamWPlan(const AdamWProblem& problem, std::vector<TensorView> views)
      : p_(problem), walk_(std::move(views)) {
    for (aclDataType dtype : {ACL_FLOAT16, ACL_BF16}) {
      if (!walk_.IsDenseOf(dtype)) continue;
      const KernelSet& kernels = Kernels().optimizer;
      halves_ = dtype == ACL_BF16 ? kernels.adam_w_bf16 : kernels.adam_w_fp16;
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const AdamW factors = FactorsAt(bindings);
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
                                  target(kP),
                                  target(kAverage),
                                  target(kSquares),
                                  has_most ? target(kLargest) : nullptr};
        Kernels().optimizer.adam_w(state, walk_.SizeOf(b), factors);
        walk_.Written(bindings, kP, b, state.new_p, buffers[kP]);
        walk_.Written(bindings, kAverage, b, state.new_m, buffers[kAverage]);
        walk_.Written(bindings, kSquares, b, state.new_v, buffers[kSquares]);
        if (has_most) walk_.Written(bindings, kLargest, b, state.new_most, buffers[kLargest]);
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
    const AdamWHalves state = {at[kP], at[kAverage], at[kSquares], at[kLargest], at[kGradient],
                               at[kP], at[kAverage], at[kSquares], at[kLargest]};
    halves_(state, walk_.SizeOf(block), factors);
  }
  AdamW FactorsAt(const Bindings& bindings) const {
    double before = 0;
    blocks::Loader(blocks::Number::kFp64, *blocks::ElementOf(p_.step.dtype))(
        {p_.step.Address(bindings), 1, 1, 0, 1, false}, &before);
    const double t = before + 1;
    const double spread = 1 / std::sqrt(1 - std::pow(p_.beta2, t));
    return {static_cast<float>(1 - p_.beta1),
            static_cast<float>(p_.beta2),
            static_cast<float>(1 - p_.beta2),
            static_cast<float>(1 - p_.lr * p_.weight_decay),
            static_cast<float>(p_.lr / (1 - std::pow(p_.beta1, t))),
            static_cast<float>(spread),
            static_cast<float>(p_.eps),
            p_.maximize};
  }

  const AdamWProblem p_;
  const blocks::Walk walk_;
  void (*halves_)(const AdamWHalves& state, int64_t n, const AdamW& factors) = nullptr;
};

Status CheckOneNumber(const Operands& operands, int id) {
  if (ElementCount(operands[id].shape()) == 1) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one element",
              operands.NameOf(id), operands[id].shape().ToString());
}

}  // namespace

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
  const AdamWProblem problem = {operands.Real(kLr),     operands.Real(kBeta1),
                                operands.Real(kBeta2),  operands.Real(kWeightDecay),
                                operands.Real(kEps),    operands.Flag(kMaximize),
                                ViewOf(operands, kStep)};
  std::vector<TensorView> views;
  for (int id : {kVar, kM, kV, kMost, kGrad}) views.push_back(ViewOf(operands, id));
  call->plan = std::make_shared<AdamWPlan>(problem, std::move(views));
  return {};
}

}  // namespace anyacl::optimizer
