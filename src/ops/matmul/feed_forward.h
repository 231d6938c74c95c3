// SPDX-License-Identifier: Apache-2.0
// Two products with an activation between them:
//   numbers   y = act(x @ w1 + b1) @ w2 + b2
//   factors   the same with (w + summand) * factor for w
//   integers  q = act((x @ w1 + b1) * dequant1) * scale + offset as INT8,
//             y = (q @ w2 + b2) * dequant2
// With a gate, act(v) is v[: N/2] * act(v[N/2 :]). Everything between the sums of a product and its
// results is fp32, each step rounded, or FLOAT16 in q beside FLOAT16 results; what is multiplied by
// w2 has x's type.
#pragma once

#include <vector>

#include "ops/matmul/feed_forward_params.h"
#include "ops/matmul/grouped.h"

namespace anyacl::matmul::feed_forward {

// A validated problem.
struct Params {
  GroupedForm form = GroupedForm::kNumbers;
  elementwise::Op activation = elementwise::Op::kRelu;
  bool gated = false;
  bool experts = false;       // all but x and y have a dimension of them
  bool listed = false;        // a tensor tells the rows of each
  std::vector<int64_t> ends;  // else where each one's rows end
  int64_t rows = 0;
};

Status Check(Operands& operands, Params* params);

}  // namespace anyacl::matmul::feed_forward
