// SPDX-License-Identifier: Apache-2.0
// The order of an image's axes.
#pragma once

#include "nnop/operands.h"

namespace anyacl::blocks {

// Formats that say "channels last" would need another order of sizes: refused rather than misread.
inline Status CheckChannelsSecond(const Operands& operands, std::initializer_list<int> ids) {
  for (int id : ids) {
    const Operand& operand = operands[id];
    if (!operand.given()) continue;
    const aclFormat format = operand.layout->format;
    if (format != ACL_FORMAT_NHWC && format != ACL_FORMAT_NDHWC && format != ACL_FORMAT_HWCN) {
      continue;
    }
    return Fail(operands.spec().codes.format, "{}.format = {}, expected ND, NCL, NCHW or NCDHW",
                operand.Name(), NameOf(format));
  }
  return {};
}

}  // namespace anyacl::blocks
