// SPDX-License-Identifier: Apache-2.0
// The sets of data types that rows of several folders accept.
#pragma once

#include "nnop/operator.h"

namespace anyacl {

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr DTypeSet kHalves = {ACL_FLOAT16, ACL_BF16};

}  // namespace anyacl
