// SPDX-License-Identifier: Apache-2.0
// Losses that are scaled so that gradients of 16 bits do not vanish: gradients scaled back, and the
// next scale.
#include <atomic>
#include <cmath>

#include "ops/blocks/walk.h"
#include "ops/optimizer/operators.h"
#include "runtime/parallel.h"

namespace anyacl::optimizer {
namespace {

template <class T>
T ReadOne(const Bindings& bindings, const TensorView& view) {
  return blocks::LoadOne<T>(view.dtype, view.Address(bindings));
}

template <class T>
void WriteOne(const Bindings& bindings, const TensorView& view, T value) {
  blocks::StoreOne(value, view.dtype, view.Address(bindings));
}

// All tensors of the list at once: their blocks one after the other.
class UnscalePlan final : public Plan {
 public:
  UnscalePlan(const std::vector<TensorView>& grads, const TensorView& found,
              const TensorView& inverse)
      : found_(found), inverse_(inverse) {
    for (const TensorView& grad : grads) {
      walks_.emplace_back(std::vector<TensorView>{grad});
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + walks_.back().blocks());
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto factor = static_cast<float>(ReadOne<double>(bindings, inverse_));
    std::atomic<bool> finite = true;
    constexpr int64_t kGrain = 8;  // blocks: 3 us in the caches
    ParallelFor(ends_.empty() ? 0 : ends_.back(), kGrain, [&](int64_t begin, int64_t end) {
      alignas(64) float buffer[blocks::kWalkBlock];
      auto at =
          static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin());
      for (int64_t i = begin; i < end; ++i) {
        while (i >= ends_[at]) ++at;
        const blocks::Walk& walk = walks_[at];
        const int64_t block = i - (at > 0 ? ends_[at - 1] : 0);
        const float* x = walk.Read(bindings, 0, block, buffer);
        float* to = walk.Target(bindings, 0, block, buffer);
        if (!Kernels().optimizer.unscale(x, walk.SizeOf(block), factor, to)) {
          finite.store(false, std::memory_order_relaxed);
        }
        walk.Written(bindings, 0, block, to, buffer);
      }
    });
    if (!finite) WriteOne(bindings, found_, 1.0);
    return {};
  }

 private:
  const TensorView found_, inverse_;
  std::vector<blocks::Walk> walks_;
  std::vector<int64_t> ends_;  // of each tensor's blocks among all
};

struct ScaleProblem {
  TensorView scale, tracker, found, new_scale, new_tracker;
  double growth, backoff;
  int64_t interval;
};

class UpdateScalePlan final : public Plan {
 public:
  explicit UpdateScalePlan(const ScaleProblem& problem) : p_(problem) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto scale = ReadOne<double>(bindings, p_.scale);
    const int64_t tracker = ReadOne<int64_t>(bindings, p_.tracker) + 1;
    const bool found = ReadOne<double>(bindings, p_.found) != 0;
    const bool grows = !found && tracker == p_.interval;
    WriteOne(bindings, p_.new_scale,
             found   ? scale * p_.backoff
             : grows ? scale * p_.growth
                     : scale);
    // A scale that has become infinite in its type stays as it was.
    if (grows && !std::isfinite(ReadOne<double>(bindings, p_.new_scale))) {
      WriteOne(bindings, p_.new_scale, scale);
    }
    WriteOne(bindings, p_.new_tracker, found || grows ? int64_t{0} : tracker);
    return {};
  }

 private:
  const ScaleProblem p_;
};

constexpr size_t kMaxGrads = 256;

Status CheckScaleNumber(const Operands& operands, int id) {
  if (ElementCount(operands[id].shape()) == 1) return {};
  return Fail(kTilingError, "{}.shape = {}, expected one element", operands.NameOf(id),
              operands[id].shape().ToString());
}

}  // namespace

Status PrepareUnscale(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const size_t count = operands.List(kScaledGrads).size();
  if (count > kMaxGrads) {
    return Fail(kTilingError, "scaledGrads has {} tensors, expected at most {}", count, kMaxGrads);
  }
  for (int id : {kFoundInf, kInvScale}) {
    if (Status s = CheckScaleNumber(operands, id); !s.ok()) return s;
  }
  std::vector<TensorView> grads;
  for (size_t i = 0; i < count; ++i) {
    const TensorView grad = ViewOf(operands, kScaledGrads, i);
    if (!grad.given()) continue;  // a list of none
    const aclDataType first = operands[kScaledGrads].dtype();
    if (grad.dtype != first) {
      return Fail(kTilingError, "scaledGrads[{}].dtype = {}, expected {} as scaledGrads[0].dtype",
                  i, NameOf(grad.dtype), NameOf(first));
    }
    if (grad.elements() > 0) grads.push_back(grad);
  }
  call->plan = std::make_shared<UnscalePlan>(grads, ViewOf(operands, kFoundInf),
                                             ViewOf(operands, kInvScale));
  return {};
}

Status PrepareUpdateScale(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  for (int id : {kScale, kTracker, kFoundInf, kNewScale, kNewTracker}) {
    if (Status s = CheckScaleNumber(operands, id); !s.ok()) return s;
  }
  const int64_t interval = operands.Int(kGrowthInterval);
  if (interval < 1 || interval > INT32_MAX) {
    return Fail(kTilingError, "growthInterval = {}, expected 1 to 2^31 - 1", interval);
  }
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = std::make_shared<UpdateScalePlan>(ScaleProblem{
      view(kScale), view(kTracker), view(kFoundInf), view(kNewScale), view(kNewTracker),
      operands.Real(kGrowthFactor), operands.Real(kBackoffFactor), interval});
  return {};
}

}  // namespace anyacl::optimizer
