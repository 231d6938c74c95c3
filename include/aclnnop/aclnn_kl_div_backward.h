// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_KL_DIV_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_KL_DIV_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnKlDivBackward: out = -target * gradOutput, or -e^target * gradOutput.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; any shape; broadcast with self and target
//   self        FLOAT, FLOAT16, BF16; [S*]
//   target      FLOAT, FLOAT16, BF16; any shape; broadcast with the other inputs
//   reduction   0 or any other: none, 1: mean, 2: sum, 3: sum / first size
//   logTarget   target is given as its logarithm
//   out         FLOAT, FLOAT16, BF16; [S*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: experimental/loss/kl_div_loss_grad/docs/aclnnKlDivBackward.md
ACLNN_API aclnnStatus aclnnKlDivBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    bool logTarget, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnKlDivBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_KL_DIV_BACKWARD_H_
