// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_distribute_barrier.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_DISTRIBUTE_BARRIER_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_DISTRIBUTE_BARRIER_H_

#include "aclnnop/aclnn_distribute_barrier.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_DISTRIBUTE_BARRIER_H_
