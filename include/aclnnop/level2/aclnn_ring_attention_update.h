// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_ring_attention_update.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_RING_ATTENTION_UPDATE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_RING_ATTENTION_UPDATE_H_

#include "aclnnop/aclnn_ring_attention_update.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_RING_ATTENTION_UPDATE_H_
