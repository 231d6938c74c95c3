// SPDX-License-Identifier: Apache-2.0
// GroupNorm and its gradients. From the C arguments to something that runs.
#pragma once

#include <cstdint>
#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"
#include "ops/group_norm/kernel.h"
#include "ops/group_norm/operators.h"

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

// A validated problem.
struct BackwardParams {
  Sizes sizes;
  TensorView dy, x, mean, rstd, gamma;
  TensorView dx, dgamma, dbeta;  // absent: not wanted
  // dy is the gradient of y * sigmoid(swish * y), y = gamma * xh + beta.
  bool activates = false;
  float swish = 1;
  TensorView beta{};
};

struct ForwardParams {
  Sizes sizes;
  double eps = 0;
  TensorView x, gamma, beta;
  TensorView out, mean, rstd;
  bool activates = false;  // out = y * sigmoid(swish * y) of the norm y
  float swish = 1;
};

// The checks, in the document's order.
Status CheckBackward(Operands& operands, BackwardParams* params);
Status CheckForward(Operands& operands, ForwardParams* params);
// Coalesced, so that a tensor whose elements follow each other has at most one dimension.
TensorView RowOf(const Operands& operands, int id);

std::shared_ptr<const Plan> MakeForward(const ForwardParams& params);
std::shared_ptr<const Plan> MakeBackward(const BackwardParams& params);

}  // namespace anyacl::group_norm
