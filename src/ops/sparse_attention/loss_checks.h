// SPDX-License-Identifier: Apache-2.0
// The rules that the two losses of an indexer share.
#pragma once

#include "ops/sparse_attention/sequences.h"

namespace anyacl::sparse_attention {

// Both ropes or neither, of the tokens' and keys' shapes.
Status CheckRopes(const Operands& operands, const Geometry& geometry);
// The indexer's own heads, which become `heads`, its keys, gradients and the loss.
Status CheckIndexer(const Operands& operands, const Geometry& geometry, int64_t* heads);

}  // namespace anyacl::sparse_attention
