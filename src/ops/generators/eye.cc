// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "nnop/copy.h"
#include "ops/blocks/convert.h"
#include "ops/generators/operators.h"

namespace anyacl::generators {
namespace {

class EyePlan final : public Plan {
 public:
  explicit EyePlan(const TensorView& out) {
    all_.Add(FillLoopsOf(out), out.slot, -1);
    TensorView diagonal = out;
    diagonal.rank = 1;
    diagonal.sizes[0] = std::min(out.sizes[0], out.sizes[1]);
    diagonal.strides[0] = diagonal.sizes[0] > 1 ? out.strides[0] + out.strides[1] : 0;
    diagonal_.Add(FillLoopsOf(diagonal), out.slot, -1);
    const uint8_t one = 1;
    blocks::ConvertElements(ACL_UINT8, reinterpret_cast<const char*>(&one), 0, out.dtype,
                            one_.data(), 0, 1);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    all_.Run(bindings, zero_.data());
    diagonal_.Run(bindings, one_.data());
    return {};
  }

 private:
  // Two lists, because what one list copies runs at the same time, and the diagonal overwrites.
  CopyList all_, diagonal_;
  alignas(16) std::array<char, 16> zero_{}, one_{};
};

}  // namespace

Status PrepareEye(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<EyePlan>(ViewOf(operands, kOut));
  return {};
}

}  // namespace anyacl::generators
