// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_APPLY_FUSED_EMA_ADAM_H_
#define ANYACL_ACLNNOP_ACLNN_APPLY_FUSED_EMA_ADAM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnApplyFusedEmaAdam: mRef, vRef = averages of g and g^2, g = grad or grad + weightDecay *
// varRef; varRef = varRef - lr * (mh / (sqrt(vh) + eps), or that + weightDecay * varRef), mh = mRef
// / c1, vh = vRef / c2, c = 1 - beta^step; sRef = emaDecay * sRef + (1 - emaDecay) * varRef.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   grad            FLOAT, FLOAT16, BF16; [P*]
//   varRef          type of grad; [P*]; changed in place
//   mRef            type of grad; [P*]; changed in place
//   vRef            type of grad; [P*]; changed in place
//   sRef            type of grad; [P*]; changed in place
//   step            INT64; [S*]; one number, the steps with this one
//   mode            0 to 1; where weightDecay * varRef is added: 0: to grad, 1: to the change
//   biasCorrection  or c1 = c2 = 1
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: optim/apply_fused_ema_adam/docs/aclnnApplyFusedEmaAdam.md
ACLNN_API aclnnStatus aclnnApplyFusedEmaAdamGetWorkspaceSize(
    const aclTensor* grad, aclTensor* varRef, aclTensor* mRef, aclTensor* vRef, aclTensor* sRef,
    const aclTensor* step, double lr, double emaDecay, double beta1, double beta2, double eps,
    int64_t mode, bool biasCorrection, double weightDecay, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnApplyFusedEmaAdam(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_APPLY_FUSED_EMA_ADAM_H_
