// SPDX-License-Identifier: Apache-2.0
// Operators that libopapi offers by the name of a graph's node.
#pragma once

#include "acl/acl_op.h"
#include "op_compiler/format_change.h"

namespace anyacl {

bool IsOffered(const char* op_type);
// `api`: the function that the client called.
int RunOperator(const char* api, const SingleOpCall& call, const aclopAttr* attributes,
                aclrtStream stream);

}  // namespace anyacl
