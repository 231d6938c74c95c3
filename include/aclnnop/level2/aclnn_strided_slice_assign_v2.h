// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_strided_slice_assign_v2.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_

#include "aclnnop/aclnn_strided_slice_assign_v2.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
