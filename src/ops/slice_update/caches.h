// SPDX-License-Identifier: Apache-2.0
// What operators on caches in blocks share.
#pragma once

#include "nnop/view.h"

namespace anyacl::slice_update {

// A cache in FRACTAL_NZ has its elements where one in ND has them, if a piece is a panel's row.
Status CheckFormat(const Operands& operands, int id, bool in_pieces);

}  // namespace anyacl::slice_update
