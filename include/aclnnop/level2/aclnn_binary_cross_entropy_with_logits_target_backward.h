// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_

#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_
