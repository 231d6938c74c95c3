// SPDX-License-Identifier: Apache-2.0
// GatherV3 as Atlas A2 and A3 have it, along the first dimension: GatherV2, which copies rows.
#include "ops/indexing/operators.h"
#include "ops/steps.h"

namespace anyacl::indexing {

Status PrepareGatherV3(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const size_t rank = std::max<size_t>(operands[kSelf].shape().rank(), 1);
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), rank, &dim); !s.ok()) return s;
  if (dim != 0) {
    return Fail(operands.spec().codes.shape, "dim = {}, expected 0, self.shape = {}",
                operands.Int(kDim), operands[kSelf].shape().ToString());
  }
  Steps steps(operands);
  if (Status s =
          steps.Call("aclnnGatherV2", {TensorOf(operands, kSelf), int64_t{0},
                                       TensorOf(operands, kIndex), TensorOf(operands, kOut)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::indexing
