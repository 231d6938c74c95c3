// SPDX-License-Identifier: Apache-2.0
// Rules that the norms share.
#pragma once

#include "nnop/operands.h"

namespace anyacl::rowwise {

// That a tensor has one number per row of x, whatever dimensions of size 1 stand where: clients
// leave them out.
Status CheckPerRow(const Operands& operands, int id, size_t row_rank);

// That `row` is the last dimensions of x.
Status CheckRow(const Operands& operands, const char* name, const Dims& row);

// Reads normalizedShape, and checks that it is the last dimensions of x and the shape of what is
// given for `columns`.
Status ReadNormalizedShape(const Operands& operands, std::span<const int> columns, Dims* row);

}  // namespace anyacl::rowwise
