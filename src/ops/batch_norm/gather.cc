// SPDX-License-Identifier: Apache-2.0
// The statistics of the elements of all devices, from those of each device. In double: there are
// as many numbers as devices times channels.
#include <cmath>
#include <vector>

#include "ops/batch_norm/channels.h"
#include "ops/batch_norm/checks.h"
#include "ops/batch_norm/operators.h"

namespace anyacl::batch_norm {
namespace {

struct GatherProblem {
  TensorView first, second;  // [devices, channels]
  bool sums;                 // first and second are of x and x^2; else mean and 1 / deviation
  TensorView counts;         // [devices]
  TensorView running_mean, running_var, new_mean, new_var;
  // The running variance is that of a sample: divided by one element less.
  bool unbiased;
  TensorView mean, invstd;
  double momentum, eps;
};

struct Joined {
  double mean, variance;
};

class GatherPlan final : public BookedPlan {
 public:
  explicit GatherPlan(const GatherProblem& problem)
      : p_(problem), devices_(p_.first.sizes[0]), channels_(p_.first.sizes[1]) {
    const auto devices = static_cast<size_t>(devices_), channels = static_cast<size_t>(channels_);
    for (auto* slot : {&counts_, &first_, &second_}) *slot = book_.Book<double>(devices);
    for (auto* slot : {&means_, &variances_, &numbers_}) *slot = book_.Book<double>(channels);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    double* counts = counts_.In(bindings);
    ReadNumbers(bindings, p_.counts, devices_, counts);
    double count = 0;
    for (int64_t k = 0; k < devices_; ++k) count += counts[k];
    double* means = means_.In(bindings);
    double* variances = variances_.In(bindings);
    for (int64_t c = 0; c < channels_; ++c) {
      ReadNumbers(bindings, OfChannel(p_.first, c), devices_, first_.In(bindings));
      ReadNumbers(bindings, OfChannel(p_.second, c), devices_, second_.In(bindings));
      const Joined joined = Join(bindings, count);
      means[c] = joined.mean;
      variances[c] = joined.variance;
    }
    double* numbers = numbers_.In(bindings);
    WriteNumbers(bindings, p_.mean, channels_, means);
    for (int64_t c = 0; c < channels_; ++c) numbers[c] = 1 / std::sqrt(variances[c] + p_.eps);
    WriteNumbers(bindings, p_.invstd, channels_, numbers);
    const double scale = p_.unbiased ? count / (count - 1) : 1;
    Blend(bindings, p_.running_mean, p_.new_mean, means, 1);
    Blend(bindings, p_.running_var, p_.new_var, variances, scale);
    return {};
  }

 private:
  static TensorView OfChannel(const TensorView& view, int64_t channel) {
    return WithoutDim(Sliced(view, 1, channel, 1), 1);
  }

  Joined Join(const Bindings& bindings, double count) const {
    const double* counts = counts_.In(bindings);
    const double* first = first_.In(bindings);
    const double* second = second_.In(bindings);
    Joined all = {0, 0};
    for (int64_t k = 0; k < devices_; ++k) all.mean += p_.sums ? first[k] : first[k] * counts[k];
    all.mean /= count;
    for (int64_t k = 0; k < devices_; ++k) {
      const double off = first[k] - all.mean;
      all.variance +=
          p_.sums ? second[k] : (1 / (second[k] * second[k]) - p_.eps + off * off) * counts[k];
    }
    all.variance /= count;
    if (p_.sums) all.variance -= all.mean * all.mean;
    return all;
  }

  // after = (1 - momentum) * before + momentum * now * scale
  void Blend(const Bindings& bindings, const TensorView& before, const TensorView& after,
             const double* now, double scale) const {
    if (!after.given()) return;
    double* numbers = numbers_.In(bindings);
    ReadNumbers(bindings, before, channels_, numbers);
    for (int64_t c = 0; c < channels_; ++c) {
      numbers[c] = (1 - p_.momentum) * numbers[c] + p_.momentum * (now[c] * scale);
    }
    WriteNumbers(bindings, after, channels_, numbers);
  }

  const GatherProblem p_;
  const int64_t devices_, channels_;
  WorkspaceSlot<double> counts_, first_, second_;  // of one channel
  WorkspaceSlot<double> means_, variances_, numbers_;
};

Status CheckNotEmpty(const Operands& operands) {
  if (!operands[kMeans].IsEmpty()) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected a device and a channel or more",
              operands.NameOf(kMeans), operands[kMeans].shape().ToString());
}

}  // namespace

Status PrepareGatherStatsWithCounts(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckChannels(operands, kInput, {}); !s.ok()) return s;
  if (Status s = CheckNotEmpty(operands); !s.ok()) return s;
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = std::make_shared<GatherPlan>(
      GatherProblem{view(kMeans), view(kInvstds), false, view(kCounts), view(kRunningMean),
                    view(kRunningVar), view(kRunningMean), view(kRunningVar), true, view(kSaveMean),
                    view(kSaveInvstd), operands.Real(kMomentum), operands.Real(kEps)});
  return {};
}

Status PrepareGatherStats(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Size("K") > 0 && operands.Size("C") == 0) return {};
  if (Status s = CheckNotEmpty(operands); !s.ok()) return s;
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = std::make_shared<GatherPlan>(
      GatherProblem{view(kMeans), view(kInvstds), true, view(kCounts), view(kRunningMean),
                    view(kRunningVar), view(kRunningMean), view(kRunningVar), true, view(kSaveMean),
                    view(kSaveInvstd), operands.Real(kMomentum), operands.Real(kEps)});
  return {};
}

Status PrepareGatherSums(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckNotEmpty(operands); !s.ok()) return s;
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = std::make_shared<GatherPlan>(GatherProblem{
      view(kMeans), view(kInvstds), true, view(kCounts), view(kRunningMean), view(kRunningVar),
      view(kRunningMeanOut), view(kRunningVarOut), false, view(kSaveMean), view(kSaveInvstd),
      operands.Real(kMomentum), operands.Real(kEps)});
  return {};
}

}  // namespace anyacl::batch_norm
