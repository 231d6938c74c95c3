// SPDX-License-Identifier: Apache-2.0
// Lengths in host memory, which functions of ATB take as tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "base/status.h"

namespace anyacl::atb_library {

// Of INT32, a line for each row of the tensor: [B], or, where `lines` is more than one, [lines, B]
// too.
Status ReadHostLengths(const aclTensor* tensor, const char* name, int64_t lines,
                       std::vector<std::vector<int64_t>>* lengths);

}  // namespace anyacl::atb_library
