// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_foreach_non_finite_check_and_unscale.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_FOREACH_NON_FINITE_CHECK_AND_UNSCALE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_FOREACH_NON_FINITE_CHECK_AND_UNSCALE_H_

#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_FOREACH_NON_FINITE_CHECK_AND_UNSCALE_H_
