// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBinaryCrossEntropyWithLogitsTargetBackward: gradTarget = weight * ((posWeight - 1) * log(1 +
// e^-self) - self) * gradOutput.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput         FLOAT, FLOAT16, BF16; any shape; broadcasts to self
//   self               FLOAT, FLOAT16, BF16; [S*]
//   target             FLOAT, FLOAT16, BF16; [S*]
//   weightOptional     FLOAT, FLOAT16, BF16; any shape; may be null; null stands for ones;
//                      broadcast
//   posWeightOptional  FLOAT, FLOAT16, BF16; any shape; may be null; null stands for ones;
//                      broadcast
//   reduction          0 to 2; 0: none, 1: mean, 2: sum
//   gradTarget         FLOAT, FLOAT16, BF16; [S*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// activation/log_sigmoid/docs/aclnnBinaryCrossEntropyWithLogitsTargetBackward.md
ACLNN_API aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* posWeightOptional, int64_t reduction,
    aclTensor* gradTarget, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_TARGET_BACKWARD_H_
