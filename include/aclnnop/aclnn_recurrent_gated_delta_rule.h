// SPDX-License-Identifier: Apache-2.0
// Declares nothing: aclnnRecurrentGatedDeltaRule is not offered. The header is here for programs
// that include it and do not call it, as ggml's CANN backend.
#ifndef ANYACL_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
#define ANYACL_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_

#include "aclnn/aclnn_base.h"

#endif  // ANYACL_ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
