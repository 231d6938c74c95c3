// SPDX-License-Identifier: Apache-2.0
// Scattering of single elements: their offsets are computed where they are used, and no table of
// them exists.
#pragma once

#include "ops/indexing/access.h"

namespace anyacl::indexing {

// Sums of 16 bits need all positions of an element at once.
bool IsOfSingles(const Access& x, const Scattering& how);

// As ScatterTable, for x's positions as they are there.
Status ScatterSingles(const Access& x, int64_t units, const Scattering& how, const Names& names);

}  // namespace anyacl::indexing
