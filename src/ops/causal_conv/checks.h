// SPDX-License-Identifier: Apache-2.0
// The named rules of causal convolutions.
#pragma once

#include "nnop/operands.h"
#include "ops/causal_conv/operators.h"

namespace anyacl::causal_conv {

// Tensors have elements, and there are not too many taps.
Status CheckSizes(const Operands& operands);

// What goes together in a fused call, and how many sequences it has.
Status CheckFused(const Operands& operands, int64_t* sequences);

}  // namespace anyacl::causal_conv
