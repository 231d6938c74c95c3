// SPDX-License-Identifier: Apache-2.0
// Scattering of single elements: their offsets are computed where they are used, and no table of
// them exists.
#pragma once

#include <optional>

#include "ops/indexing/access.h"

namespace anyacl::indexing {

bool IsOfSingles(const Access& x, const Scattering& how);

// Whether all indices are in range. None: sums of 16 bits that need all positions of an element at
// once, and nothing has been done.
std::optional<bool> ScatterSingles(const Access& x, const Scattering& how);

}  // namespace anyacl::indexing
