// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_APPLY_ADAM_W_V2_H_
#define ANYACL_ACLNNOP_ACLNN_APPLY_ADAM_W_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnApplyAdamWV2: mRef, vRef = averages of grad and grad^2; varRef = (1 - lr * weightDecay) *
// varRef - lr * mh / (sqrt(vh) + eps), mh = mRef / (1 - beta1^t), vh = vRef / (1 - beta2^t), t =
// step + 1.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   varRef                  FLOAT, FLOAT16, BF16; [P*]; changed in place
//   mRef                    type of varRef; [P*]; changed in place
//   vRef                    type of varRef; [P*]; changed in place
//   maxGradNormOptionalRef  type of varRef; [P*]; changed in place; needed if amsgrad; the largest
//                           vRef so far
//   grad                    FLOAT, FLOAT16, BF16; [P*]
//   step                    FLOAT, INT64; [S*]; one number, how many steps were taken before
//   amsgrad                 divide by the root of the largest vRef so far
//   maximize                go along the gradient
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: optim/apply_adam_w_v2/docs/aclnnApplyAdamWV2.md
ACLNN_API aclnnStatus aclnnApplyAdamWV2GetWorkspaceSize(
    aclTensor* varRef, aclTensor* mRef, aclTensor* vRef, aclTensor* maxGradNormOptionalRef,
    const aclTensor* grad, const aclTensor* step, float lr, float beta1, float beta2,
    float weightDecay, float eps, bool amsgrad, bool maximize, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnApplyAdamWV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_APPLY_ADAM_W_V2_H_
