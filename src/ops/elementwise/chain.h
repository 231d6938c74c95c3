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
  double p = 0, q = 0;
};
struct ChainOutput {
  TensorView view;
  size_t number = 0;  // a step's result, or an input that no other output is written over
};
// Where only as many rows are computed as groups have, of `rows`: the first ones, of `each`
// elements in row-major order.
struct ChainGroups {
  TensorView sizes;  // INT64, read when the task runs
  int64_t rows = 0;
  int64_t each = 0;
  bool clears = false;  // the other rows become zeros, instead of staying as they are
};
// Views have equal sizes. Computed in fp32, in double if an element is of that type.
struct Chain {
  std::vector<TensorView> inputs;
  std::vector<ChainStep> steps;
  std::vector<ChainOutput> outputs;
  ChainGroups groups = {};
};

std::shared_ptr<const Plan> MakeChainPlan(Chain chain);

}  // namespace anyacl::elementwise
