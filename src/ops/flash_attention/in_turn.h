// SPDX-License-Identifier: Apache-2.0
// Plans that run one after the other, in the workspace of the largest.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "nnop/executor.h"

namespace anyacl::flash_attention {

class PlansInTurn final : public Plan {
 public:
  explicit PlansInTurn(std::vector<std::shared_ptr<const Plan>> parts) : parts_(std::move(parts)) {
    for (const auto& part : parts_) most_ = std::max(most_, part->workspace_size());
  }
  uint64_t workspace_size() const override { return most_; }
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    for (const auto& part : parts_) {
      if (Status s = part->Run(bindings, stop); !s.ok()) return s;
    }
    return {};
  }

 private:
  std::vector<std::shared_ptr<const Plan>> parts_;
  uint64_t most_ = 0;
};

}  // namespace anyacl::flash_attention
