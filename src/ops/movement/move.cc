// SPDX-License-Identifier: Apache-2.0
#include "ops/movement/move.h"

namespace anyacl::movement {

void MovePlan::Copy(const TensorView& to, const TensorView& from) {
  copies.Add(LoopsOf(to, from), to.slot, from.slot);
}

void MovePlan::Convert(const TensorView& to, const TensorView& from, aclDataType via) {
  if (to.elements() > 0) conversions_.emplace_back(to, from, via);
}

void MovePlan::Fill(const TensorView& to) { copies.Add(FillLoopsOf(to), to.slot, -1); }

Status MovePlan::Run(const Bindings& bindings, const StopToken& stop) const {
  if (Status s = CopyPlan::Run(bindings, stop); !s.ok()) return s;
  for (const blocks::StridedConversion& conversion : conversions_) conversion.Run(bindings);
  return {};
}

}  // namespace anyacl::movement
