// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_moe_gating_top_k.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_GATING_TOP_K_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_GATING_TOP_K_H_

#include "aclnnop/aclnn_moe_gating_top_k.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_GATING_TOP_K_H_
