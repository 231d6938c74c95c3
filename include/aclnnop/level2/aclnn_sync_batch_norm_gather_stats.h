// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_sync_batch_norm_gather_stats.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_

#include "aclnnop/aclnn_sync_batch_norm_gather_stats.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_
