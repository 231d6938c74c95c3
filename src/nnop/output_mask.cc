// SPDX-License-Identifier: Apache-2.0
#include "nnop/output_mask.h"

namespace anyacl {

Status KeepWanted(Operands& operands, int mask, std::span<const int> outputs) {
  const std::span<const uint8_t> flags = operands.Bools(mask);
  if (flags.size() != outputs.size()) {
    return Fail(operands.spec().codes.shape, "{} has size {}, expected {}", operands.NameOf(mask),
                flags.size(), outputs.size());
  }
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == 0) {
      operands.Drop(outputs[i]);
    } else if (Status s = operands.Require(outputs[i]); !s.ok()) {
      return s;
    }
  }
  return {};
}

}  // namespace anyacl
