// SPDX-License-Identifier: Apache-2.0
// The elements of aclrtReduceAsync.
#pragma once

#include <cstddef>

#include "acl/acl_rt.h"

namespace anyacl {

// dst[i] = dst[i] op src[i] for `count` elements.
using Reduction = void (*)(void* dst, const void* src, size_t count);

// Null if the type or the kind has none.
Reduction FindReduction(aclrtReduceKind kind, aclDataType type);

}  // namespace anyacl
