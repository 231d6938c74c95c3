// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_

#include "aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_
