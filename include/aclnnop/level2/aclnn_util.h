// SPDX-License-Identifier: Apache-2.0
// Former place of aclnnop/aclnn_util.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_UTIL_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_UTIL_H_

#include "aclnnop/aclnn_util.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_UTIL_H_
