// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FOREACH_ROUND_OFF_NUMBER_V2_H_
#define ANYACL_ACLNNOP_ACLNN_FOREACH_ROUND_OFF_NUMBER_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnForeachRoundOffNumberV2: out = x rounded to whole numbers.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x          FLOAT, FLOAT16, INT16, BF16; any shape; tensors of one type
//   roundMode  1: half to even, 2: down, 3: up, 5: towards 0; 4 and 6 are refused
//   out        FLOAT, FLOAT16, INT16, BF16; any shape; output; of the types and shapes of the first
//              list; may be one of the inputs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: foreach/foreach_round_off_number/docs/aclnnForeachRoundOffNumberV2.md
ACLNN_API aclnnStatus aclnnForeachRoundOffNumberV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* roundMode, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnForeachRoundOffNumberV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FOREACH_ROUND_OFF_NUMBER_V2_H_
