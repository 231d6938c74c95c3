// SPDX-License-Identifier: Apache-2.0
// Whether a number is an element of a tensor: comparisons, of which any holds.
#include "ops/reduction/operators.h"
#include "ops/steps.h"

namespace anyacl::reduction {

Status PrepareIsIn(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const InnerTensor elements = TensorOf(operands, kSelf), out = TensorOf(operands, kOut);
  const bool inverts = operands.Flag(kInvert);
  constexpr int64_t kDropDims = 0;
  Steps steps(operands);
  const InnerTensor equal = steps.Piece("equal", ACL_BOOL, elements.layout.shape);
  const InnerTensor any = inverts ? steps.Piece("any", ACL_BOOL, Dims()) : out;
  InnerTensor compared = elements;
  Status s;
  if (elements.layout.dtype == ACL_UINT16) {  // which aclnnEqScalar does not take
    compared = steps.Piece("elements", ACL_INT32, elements.layout.shape);
    s = steps.Copy(compared, elements);
    if (!s.ok()) return s;
  }
  s = steps.Call("aclnnEqScalar", {compared, *operands.ScalarAt(kElement), equal});
  if (!s.ok()) return s;
  s = steps.Call("aclnnAny", {equal, IntArray(), kDropDims, any});
  if (!s.ok()) return s;
  if (inverts) {
    s = steps.Call("aclnnLogicalNot", {any, out});
    if (!s.ok()) return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::reduction
