// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_softmax_cross_entropy_with_logits.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS_H_

#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS_H_
