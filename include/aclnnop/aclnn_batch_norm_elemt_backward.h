// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNormElemtBackward: gradInput = (gradOut - sumDy / n - (input - mean) * invstd^2 *
// sumDyXmu / n) * invstd * weight, n = sum of counter.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut    FLOAT, FLOAT16, BF16; [X*]; the second dimension is C; the last of NHWC and NDHWC
//   input      FLOAT, FLOAT16, BF16; [X*]
//   mean       FLOAT, FLOAT16, BF16; [C]
//   invstd     FLOAT, FLOAT16, BF16; [C]
//   weight     FLOAT, FLOAT16, BF16; [C]; may be null; null stands for ones
//   sumDy      FLOAT, FLOAT16, BF16; [C]; of all devices
//   sumDyXmu   FLOAT, FLOAT16, BF16; [C]; of all devices
//   counter    FLOAT, FLOAT16, INT32; any shape; elements of a channel on each device
//   gradInput  FLOAT, FLOAT16, BF16; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/sync_batch_norm_backward_elemt/docs/aclnnBatchNormElemtBackward.md
ACLNN_API aclnnStatus aclnnBatchNormElemtBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean,
    const aclTensor* invstd, const aclTensor* weight, const aclTensor* sumDy,
    const aclTensor* sumDyXmu, const aclTensor* counter, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNormElemtBackward(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H_
