// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_grouped_bias_add_grad.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_GROUPED_BIAS_ADD_GRAD_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_GROUPED_BIAS_ADD_GRAD_H_

#include "aclnnop/aclnn_grouped_bias_add_grad.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_GROUPED_BIAS_ADD_GRAD_H_
