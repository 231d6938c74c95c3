// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_moe_token_unpermute_with_ep.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_

#include "aclnnop/aclnn_moe_token_unpermute_with_ep.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_EP_H_
