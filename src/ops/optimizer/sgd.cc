// SPDX-License-Identifier: Apache-2.0
// A step of stochastic gradient descent of a list of tensors, in one pass over parameters,
// gradients and momenta.
#include <algorithm>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "ops/blocks/walk.h"
#include "ops/optimizer/operators.h"
#include "runtime/parallel.h"

namespace anyacl::optimizer {
namespace {

enum : size_t { kSgdParam, kSgdGradient, kSgdVelocity, kSgdViews };

// The tensors' blocks one after the other.
class SgdPlan final : public Plan {
 public:
  SgdPlan(const Sgd& factors, const TensorView& scale, std::vector<blocks::Walk> walks)
      : factors_(factors), scale_(scale), walks_(std::move(walks)) {
    for (const blocks::Walk& walk : walks_) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + walk.blocks());
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Sgd factors = factors_;
    if (scale_.given()) {
      factors.scale = blocks::LoadOne<float>(scale_.dtype, scale_.Address(bindings));
      if (factors.scale == 0) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "gradScaleOptional[0] = 0, expected another number");
      }
    }
    constexpr int64_t kGrain = 4;  // blocks: 3 us in the caches
    ParallelFor(ends_.empty() ? 0 : ends_.back(), kGrain, [&](int64_t begin, int64_t end) {
      auto at =
          static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin());
      for (int64_t i = begin; i < end; ++i) {
        while (i >= ends_[at]) ++at;
        Update(bindings, walks_[at], i - (at > 0 ? ends_[at - 1] : 0), factors);
      }
    });
    return {};
  }

 private:
  void Update(const Bindings& bindings, const blocks::Walk& walk, int64_t block,
              const Sgd& factors) const {
    alignas(64) float buffers[kSgdViews][blocks::kWalkBlock];
    const auto read = [&](size_t view) {
      return walk.given(view) ? walk.Read(bindings, view, block, buffers[view]) : nullptr;
    };
    const auto target = [&](size_t view) {
      return walk.given(view) ? walk.Target(bindings, view, block, buffers[view]) : nullptr;
    };
    SgdState state = {.p = read(kSgdParam),
                      .g = read(kSgdGradient),
                      .v = factors.first ? target(kSgdVelocity) : read(kSgdVelocity),
                      .new_p = target(kSgdParam),
                      .new_g = scale_.given() ? target(kSgdGradient) : nullptr,
                      .new_v = target(kSgdVelocity)};
    Kernels().optimizer.sgd(state, walk.SizeOf(block), factors);
    walk.Written(bindings, kSgdParam, block, state.new_p, buffers[kSgdParam]);
    if (state.new_g != nullptr) {
      walk.Written(bindings, kSgdGradient, block, state.new_g, buffers[kSgdGradient]);
    }
    if (state.new_v != nullptr) {
      walk.Written(bindings, kSgdVelocity, block, state.new_v, buffers[kSgdVelocity]);
    }
  }

  const Sgd factors_;
  const TensorView scale_;
  const std::vector<blocks::Walk> walks_;
  std::vector<int64_t> ends_;  // of each tensor's blocks among all
};

// A list of none has no member that is given.
bool HasBuffers(const Operands& operands) { return operands.Given(kM) && operands[kM].given(); }

Status CheckSgdNumbers(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kWeightDecay, kMomentum, kLr, kDampening}) {
    if (operands.Real(id) >= 0) continue;
    return Fail(code, "{} = {}, expected 0 or more", operands.NameOf(id), operands.Real(id));
  }
  if (operands.Real(kMomentum) != 0 && !HasBuffers(operands)) {
    return Fail(code, "momentum = {}, expected 0 without momentumBufferListOptionalRef",
                operands.Real(kMomentum));
  }
  const double momentum = operands.Real(kMomentum), dampening = operands.Real(kDampening);
  if (operands.Flag(kNesterov) && (momentum == 0 || dampening != 0)) {
    return Fail(
        code, "momentum = {}, dampening = {}: nesterov needs a momentum above 0, a dampening of 0",
        momentum, dampening);
  }
  if (!operands.Given(kGradScale)) return {};
  const Dims& scale = operands[kGradScale].shape();
  if (ElementCount(scale).value_or(2) <= 1) return {};
  return Fail(code, "gradScaleOptional.shape = {}, expected one element", scale.ToString());
}

}  // namespace

Status CheckLike(const Operands& operands, int id) {
  const auto params = operands.List(kVar), list = operands.List(id);
  const CheckCodes& codes = operands.spec().codes;
  const size_t count = operands[id].given() ? list.size() : 0;
  if (count != params.size()) {
    return Fail(codes.shape, "{} has {} tensors, expected {} as paramsRef", operands.NameOf(id),
                count, params.size());
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].dtype() != params[0].dtype()) {
      return Fail(codes.dtype, "{}.dtype = {}, expected {} as paramsRef[0].dtype", list[i].Name(),
                  NameOf(list[i].dtype()), NameOf(params[0].dtype()));
    }
    if (!(list[i].shape() == params[i].shape())) {
      return Fail(codes.shape, "{}.shape = {}, expected {} as paramsRef[{}].shape", list[i].Name(),
                  list[i].shape().ToString(), params[i].shape().ToString(), i);
    }
  }
  return {};
}

Status PrepareSgd(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (!operands[kVar].given()) {
    return Fail(operands.spec().codes.shape, "paramsRef has 0 tensors, expected 1 or more");
  }
  if (Status s = CheckSgdNumbers(operands); !s.ok()) return s;
  const bool buffers = HasBuffers(operands);
  for (int id : {kVar, kGrad, kM}) {
    if (id == kM && !buffers) continue;
    if (Status s = CheckLike(operands, id); !s.ok()) return s;
  }
  std::vector<blocks::Walk> walks;
  for (size_t i = 0; i < operands.List(kVar).size(); ++i) {
    if (operands.List(kVar)[i].IsEmpty()) continue;
    walks.emplace_back(std::vector<TensorView>{ViewOf(operands, kVar, i),
                                               ViewOf(operands, kGrad, i),
                                               buffers ? ViewOf(operands, kM, i) : TensorView{}});
  }
  const auto number = [&](int id) { return static_cast<float>(operands.Real(id)); };
  const Sgd factors = {.scale = 1,
                       .gradient = operands.Flag(kMaximize) ? -1.0f : 1.0f,
                       .weight_decay = number(kWeightDecay),
                       .momentum = number(kMomentum),
                       .rest = 1 - number(kDampening),
                       .lr = number(kLr),
                       .first = operands.Flag(kFirstStep),
                       .nesterov = operands.Flag(kNesterov)};
  const bool scaled = operands.Given(kGradScale) && !operands[kGradScale].IsEmpty();
  call->plan = std::make_shared<SgdPlan>(
      factors, scaled ? ViewOf(operands, kGradScale) : TensorView{}, std::move(walks));
  return {};
}

}  // namespace anyacl::optimizer
