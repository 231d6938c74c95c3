// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_all_to_all_all_gather_batch_matmul.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_ALL_TO_ALL_ALL_GATHER_BATCH_MATMUL_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_ALL_TO_ALL_ALL_GATHER_BATCH_MATMUL_H_

#include "aclnnop/aclnn_all_to_all_all_gather_batch_matmul.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_ALL_TO_ALL_ALL_GATHER_BATCH_MATMUL_H_
