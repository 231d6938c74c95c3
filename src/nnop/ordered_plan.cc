// SPDX-License-Identifier: Apache-2.0
#include "nnop/ordered_plan.h"

#include <algorithm>

namespace anyacl {
namespace {

class OrderedPlan final : public Plan {
 public:
  explicit OrderedPlan(std::vector<std::shared_ptr<const Plan>> plans) : plans_(std::move(plans)) {}

  uint64_t workspace_size() const override {
    uint64_t most = 0;
    for (const auto& plan : plans_) most = std::max(most, plan->workspace_size());
    return most;
  }
  Status CheckRunnable() const override {
    for (const auto& plan : plans_) {
      if (Status s = plan->CheckRunnable(); !s.ok()) return s;
    }
    return {};
  }
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    for (const auto& plan : plans_) {
      if (Status s = plan->Run(bindings, stop); !s.ok()) return s;
    }
    return {};
  }

 private:
  const std::vector<std::shared_ptr<const Plan>> plans_;
};

}  // namespace

std::shared_ptr<const Plan> InOrder(std::vector<std::shared_ptr<const Plan>> plans) {
  if (plans.size() == 1) return plans.front();
  return std::make_shared<OrderedPlan>(std::move(plans));
}

}  // namespace anyacl
