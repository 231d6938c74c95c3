// SPDX-License-Identifier: Apache-2.0
#include "ops/movement/move.h"

namespace anyacl::movement {

void MovePlan::Copy(const TensorView& to, const TensorView& from) {
  copies_.Add(LoopsOf(to, from), to.slot, from.slot);
}

void MovePlan::Convert(const TensorView& to, const TensorView& from, aclDataType via) {
  if (to.elements() > 0) conversions_.emplace_back(to, from, via);
}

void MovePlan::Fill(const TensorView& to) { copies_.Add(FillLoopsOf(to), to.slot, -1); }

Status MovePlan::Run(const Bindings& bindings, const StopToken&) const {
  copies_.Run(bindings, value.data());
  for (const StridedConversion& conversion : conversions_) conversion.Run(bindings);
  return {};
}

Status CheckDim(const Operands& operands, const char* name, int64_t dim, size_t rank, int* out) {
  const auto count = static_cast<int64_t>(rank);
  if (dim >= -count && dim < count) {
    *out = static_cast<int>(dim < 0 ? dim + count : dim);
    return {};
  }
  return Fail(operands.spec().codes.shape, "{} = {}, expected {} to {}: the rank is {}", name, dim,
              -count, count - 1, rank);
}

Status CheckOutShape(const Operands& operands, const Dims& expected) {
  const Operand& out = operands[kOut];
  if (out.shape() == expected) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", out.Name(),
              out.shape().ToString(), expected.ToString());
}

}  // namespace anyacl::movement
