// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DROPOUT_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_DROPOUT_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDropoutBackward: gradOutput * scale where the mask has ones, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; [A*]
//   mask        UINT8; [M*]; a bit for each element, the lowest first, in units of 128 bits
//   scale       0, or 1 or more
//   out         FLOAT, FLOAT16, BF16; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/drop_out_do_mask/docs/aclnnDropoutBackward.md
ACLNN_API aclnnStatus aclnnDropoutBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* mask, double scale, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDropoutBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DROPOUT_BACKWARD_H_
