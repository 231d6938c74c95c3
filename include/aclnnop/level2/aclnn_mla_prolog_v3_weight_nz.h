// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_mla_prolog_v3_weight_nz.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_MLA_PROLOG_V3_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_MLA_PROLOG_V3_WEIGHT_NZ_H_

#include "aclnnop/aclnn_mla_prolog_v3_weight_nz.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_MLA_PROLOG_V3_WEIGHT_NZ_H_
