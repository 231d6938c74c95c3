// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_expand_into_jagged_permute.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_

#include "aclnnop/aclnn_expand_into_jagged_permute.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_
