// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "nnop/copy.h"
#include "ops/blocks/convert.h"
#include "ops/generators/operators.h"

namespace anyacl::generators {
namespace {

// Zeros everywhere, then ones along the diagonal: copies of one plan run at the same time.
class EyePlan final : public Plan {
 public:
  explicit EyePlan(const TensorView& out) {
    zeros_.copies.Add(FillLoopsOf(out), out.slot, -1);
    TensorView diagonal = out;
    diagonal.rank = 1;
    diagonal.sizes[0] = std::min(out.sizes[0], out.sizes[1]);
    diagonal.strides[0] = diagonal.sizes[0] > 1 ? out.strides[0] + out.strides[1] : 0;
    ones_.copies.Add(FillLoopsOf(diagonal), out.slot, -1);
    const uint8_t one = 1;
    blocks::ConvertElements(ACL_UINT8, reinterpret_cast<const char*>(&one), 0, out.dtype,
                            ones_.constant.data(), 0, 1);
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (Status s = zeros_.Run(bindings, stop); !s.ok()) return s;
    return ones_.Run(bindings, stop);
  }

 private:
  CopyPlan zeros_, ones_;
};

}  // namespace

Status PrepareEye(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<EyePlan>(ViewOf(operands, kOut));
  return {};
}

}  // namespace anyacl::generators
