// SPDX-License-Identifier: Apache-2.0
// Declares nothing: aclnnGroupedMatmulV3 is not offered. The header is here for programs that
// include it and do not call it, as ggml's CANN backend.
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_V3_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_V3_H_

#include "aclnn/aclnn_base.h"

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_V3_H_
