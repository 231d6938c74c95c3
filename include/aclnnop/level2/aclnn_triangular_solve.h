// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_triangular_solve.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_TRIANGULAR_SOLVE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_TRIANGULAR_SOLVE_H_

#include "aclnnop/aclnn_triangular_solve.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_TRIANGULAR_SOLVE_H_
