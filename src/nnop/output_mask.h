// SPDX-License-Identifier: Apache-2.0
// Arrays of flags that say which of the outputs are wanted.
#pragma once

#include <span>

#include "nnop/operands.h"

namespace anyacl {

// Drops the outputs that the flags of array `mask` leave out, so that nobody looks at them; the
// others must be there.
Status KeepWanted(Operands& operands, int mask, std::span<const int> outputs);

}  // namespace anyacl
