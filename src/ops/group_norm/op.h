// SPDX-License-Identifier: Apache-2.0
// GroupNorm and its gradients. From the C arguments to something that runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "aclnn/acl_meta.h"
#include "nnop/executor.h"
#include "nnop/index_map.h"
#include "nnop/spec.h"
#include "ops/group_norm/kernel.h"

namespace anyacl::group_norm {

// The data as [batch, channels, area]; a group is `group_channels` channels of one batch element.
struct Sizes {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t area = 0;
  int64_t groups = 1;

  int64_t group_channels() const { return channels / groups; }
  int64_t group_elements() const { return group_channels() * area; }
  bool empty() const { return batch == 0 || channels == 0 || area == 0; }
};

// One tensor of a call: which slot it is and where its elements lie. Absent: slot -1.
struct Place {
  int slot = -1;
  IndexMap map;
  Element element = Element::kFp32;

  bool given() const { return slot >= 0; }
};

// A validated problem.
struct BackwardParams {
  Sizes sizes;
  Place dy, x, mean, rstd, gamma;
  Place dx, dgamma, dbeta;  // absent: not wanted
};

struct ForwardParams {
  Sizes sizes;
  double eps = 0;
  Place x, gamma, beta;
  Place out, mean, rstd;
};

extern const OpSpec kBackwardSpec;
extern const OpSpec kForwardSpec;

// The arguments of a call besides its tensors.
struct BackwardArguments {
  int64_t n, c, hxw, group;
  const aclBoolArray* output_mask;
};

// The checks, in the document's order. `tensors` stand in the order of the table.
Status CheckBackward(std::span<const aclTensor* const> tensors, const BackwardArguments& arguments,
                     Operands& operands, BackwardParams* params);

struct ForwardArguments {
  int64_t n, c, hxw, group;
  double eps;
};

Status CheckForward(std::span<const aclTensor* const> tensors, const ForwardArguments& arguments,
                    Operands& operands, ForwardParams* params);

// The plan and the workspace it needs; none if there is nothing to write.
std::shared_ptr<const Plan> MakeBackwardPlan(const BackwardParams& params,
                                             uint64_t* workspace_size);
std::shared_ptr<const Plan> MakeForwardPlan(const ForwardParams& params, uint64_t* workspace_size);

}  // namespace anyacl::group_norm
