// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupQuant: y = rint(x * scale + offsetOptional) with the scales of each row's group, held
// within y's type.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x               FLOAT, FLOAT16, BF16; [S H]
//   scale           FLOAT, FLOAT16, BF16; [E H]; a row for each group; E is 1 or more
//   groupIndex      INT32, INT64; [E]; the row after the last one of each group
//   offsetOptional  type of scale; any shape; may be null; one number, of shape [1] or []; null
//                   stands for 0
//   dstType         number of the type of y
//   y               INT8, INT32, INT4; [S H]; INT32: [S H/8]; output; INT32 packs eight INT4
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/group_quant/docs/aclnnGroupQuant.md
ACLNN_API aclnnStatus aclnnGroupQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* groupIndex,
    const aclTensor* offsetOptional, int32_t dstType, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupQuant(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_QUANT_H_
