// SPDX-License-Identifier: Apache-2.0
// PrecisionCompare: Equal, whose answer becomes a code.
#include "base/element_width.h"
#include "ops/elementwise/prepare.h"
#include "ops/steps.h"

namespace anyacl::elementwise {

Status PreparePrecisionCompare(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, {}); !s.ok()) return s;
  Steps steps(operands);
  InnerTensor equal;  // of no elements all are
  if (!operands[kSelf].IsEmpty()) {
    equal = steps.Piece("whether all are equal", ACL_BOOL, {1});
    if (Status s = steps.Call("aclnnEqual",
                              {TensorOf(operands, kSelf), TensorOf(operands, kOther), equal});
        !s.ok()) {
      return s;
    }
  }
  steps.Add(
      [equal, out = TensorOf(operands, kOut)](const Bindings& bindings, char*, const StopToken&) {
        constexpr uint32_t kDifferent = 503;
        const bool differ = equal.given() && *equal.Address(bindings) == 0;
        StoreElement(out.Address(bindings), differ ? kDifferent : uint32_t{0});
        return Status();
      });
  return steps.Finish(call);
}

}  // namespace anyacl::elementwise
