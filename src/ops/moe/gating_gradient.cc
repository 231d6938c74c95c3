// SPDX-License-Identifier: Apache-2.0
// The gradient of gating by sigmoid: of each chosen expert's factor w = n / (sum of n + eps) times
// a number, back to what the sigmoid was of. In double precision, rounded once.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/moe/operators.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct GatingGradientParams {
  TensorView norm{}, gradient{}, expert{}, out{};
  double factor = 1, eps = 0;
};

class GatingGradientPlan final : public BookedPlan {
 public:
  explicit GatingGradientPlan(const GatingGradientParams& params)
      : p_(params), rows_(p_.norm.sizes[0]), experts_(p_.norm.sizes[1]), k_(p_.expert.sizes[1]) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), rows_));
    numbers_ = book_.Book<double>(slots * static_cast<size_t>(2 * experts_));
    gradients_ = book_.Book<double>(slots * static_cast<size_t>(k_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t row = 0; row < rows_; ++row) {
      for (int64_t k = 0; k < k_; ++k) {
        const int64_t expert = ExpertAt(bindings, row, k);
        if (expert >= 0 && expert < experts_) continue;
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expertIdx[{}][{}] = {}, expected 0 to {}", row,
                    k, expert, experts_ - 1);
      }
    }
    constexpr int64_t kWorth = 1 << 12;  // elements: 5 us
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / experts_),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  double* const numbers = numbers_.In(bindings) + slot * 2 * experts_;
                  for (int64_t row = begin; row < end; ++row) {
                    RunRow(bindings, row, numbers, gradients_.In(bindings) + slot * k_);
                  }
                });
    return {};
  }

 private:
  static char* At(const Bindings& bindings, const TensorView& view, int64_t row) {
    return view.Address(bindings) + row * view.strides[0] * BytesOf(view);
  }
  int64_t ExpertAt(const Bindings& bindings, int64_t row, int64_t k) const {
    return LoadElement<int32_t>(At(bindings, p_.expert, row) + k * p_.expert.strides[1] * 4);
  }

  void RunRow(const Bindings& bindings, int64_t row, double* norm, double* gradients) const {
    double* const sums = norm + experts_;
    blocks::LoadRow(p_.norm.dtype, At(bindings, p_.norm, row), p_.norm.strides[1], experts_, norm);
    blocks::LoadRow(p_.gradient.dtype, At(bindings, p_.gradient, row), p_.gradient.strides[1], k_,
                    gradients);
    double total = p_.eps, beta = 0;
    for (int64_t k = 0; k < k_; ++k) total += norm[ExpertAt(bindings, row, k)];
    for (int64_t k = 0; k < k_; ++k) {
      gradients[k] *= p_.factor;
      beta += norm[ExpertAt(bindings, row, k)] / total * gradients[k];
    }
    std::fill_n(sums, experts_, 0.0);
    for (int64_t k = 0; k < k_; ++k) {
      sums[ExpertAt(bindings, row, k)] += (gradients[k] - beta) / total;
    }
    for (int64_t j = 0; j < experts_; ++j) sums[j] *= norm[j] * (1 - norm[j]);
    blocks::StoreRow(sums, experts_, p_.out.dtype, At(bindings, p_.out, row), p_.out.strides[1]);
  }

  const GatingGradientParams p_;
  const int64_t rows_, experts_, k_;
  WorkspaceSlot<double> numbers_, gradients_;
};

}  // namespace

Status PrepareGatingGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t experts = operands.Size("E"), k = operands.Size("K");
  // A row of numbers for each thread.
  if (experts > INT32_MAX || k > experts) {
    return Fail(operands.spec().codes.shape,
                "gradY.shape[1] = {}, expected at most {} experts of xNorm, which are at most {}",
                k, experts, INT32_MAX);
  }
  if (operands[kX].IsEmpty()) return {};
  call->plan =
      std::make_shared<GatingGradientPlan>(GatingGradientParams{.norm = ViewOf(operands, kX),
                                                                .gradient = ViewOf(operands, kY),
                                                                .expert = ViewOf(operands, kExpert),
                                                                .out = ViewOf(operands, kOut),
                                                                .factor = operands.Real(kFactor),
                                                                .eps = operands.Real(kEps)});
  return {};
}

}  // namespace anyacl::moe
