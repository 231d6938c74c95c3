// SPDX-License-Identifier: Apache-2.0
// Several operations, one after the other, on blocks of numbers that stay in the first cache: what
// an operator computes that is no operation of its own. Rounded once, as operations are.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "nnop/view.h"
#include "ops/elementwise/kernel.h"

namespace anyacl::elementwise {

// Numbers count: the inputs, then the steps' results.
struct ChainStep {
  Op op;
  std::vector<size_t> of;
  double p = 0;
};
struct ChainOutput {
  TensorView view;
  size_t number = 0;
};
// Views have equal sizes. Computed in fp32, in double if an element is of that type.
struct Chain {
  std::vector<TensorView> inputs;
  std::vector<ChainStep> steps;
  std::vector<ChainOutput> outputs;
};

std::shared_ptr<const Plan> MakeChainPlan(Chain chain);

}  // namespace anyacl::elementwise
