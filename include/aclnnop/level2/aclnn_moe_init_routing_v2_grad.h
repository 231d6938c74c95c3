// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_moe_init_routing_v2_grad.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_INIT_ROUTING_V2_GRAD_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_INIT_ROUTING_V2_GRAD_H_

#include "aclnnop/aclnn_moe_init_routing_v2_grad.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_INIT_ROUTING_V2_GRAD_H_
