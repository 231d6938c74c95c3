// SPDX-License-Identifier: Apache-2.0
// Where the rows of each expert end, by bisection of experts in order.
#include "nnop/integers.h"
#include "nnop/operands.h"
#include "ops/moe/operators.h"

namespace anyacl::moe {
namespace {

class ExpertTokensPlan final : public Plan {
 public:
  ExpertTokensPlan(const TensorView& experts, const TensorView& out)
      : experts_(experts), out_(out) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t expert = 0; expert < out_.sizes[0]; ++expert) {
      int64_t low = 0, high = experts_.sizes[0];
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (IntegerAt(bindings, experts_, middle) > expert) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      WriteInteger(bindings, out_, expert, low);
    }
    return {};
  }

 private:
  const TensorView experts_, out_;
};

}  // namespace

Status PrepareComputeExpertTokens(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  call->plan =
      std::make_shared<ExpertTokensPlan>(ViewOf(operands, kExpert), ViewOf(operands, kOut));
  return {};
}

}  // namespace anyacl::moe
