// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_top_k_top_p_sample.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_TOP_K_TOP_P_SAMPLE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_TOP_K_TOP_P_SAMPLE_H_

#include "aclnnop/aclnn_top_k_top_p_sample.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_TOP_K_TOP_P_SAMPLE_H_
