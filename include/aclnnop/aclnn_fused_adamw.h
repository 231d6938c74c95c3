// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_ADAMW_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_ADAMW_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedAdamw: of each tensor of a list: expAvgsRef, expAvgSqsRef = averages of g and g^2, g =
// grads / gradScale; paramsRef = (1 - lr * weightDecay) * paramsRef - lr * mh / (sqrt(vh) + eps),
// mh = expAvgsRef / (1 - beta1^t), vh = expAvgSqsRef / (1 - beta2^t), t = stateSteps + 1.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   paramsRef          FLOAT, FLOAT16, BF16; any shape; changed in place; tensors of one type
//   grads              FLOAT, FLOAT16, BF16; any shape; of paramsRef's shapes and type
//   expAvgsRef         FLOAT, FLOAT16, BF16; any shape; changed in place; of paramsRef's shapes and
//                      type
//   expAvgSqsRef       FLOAT, FLOAT16, BF16; any shape; changed in place; of paramsRef's shapes and
//                      type
//   maxExpAvgSqsRef    FLOAT, FLOAT16, BF16; any shape; changed in place; may be null; of
//                      paramsRef's shapes and type, of amsgrad: the largest expAvgSqsRef so far
//   stateSteps         FLOAT, INT64; any shape; one number each, how many steps were taken before
//   gradScaleOptional  FLOAT; any shape; may be null; one number, which grads are divided by;
//                      without elements as null
//   foundInfOptional   FLOAT; any shape; may be null; one number, 1: nothing is changed; without
//                      elements as null
//   lr                 0 or more
//   beta1              0 or more
//   beta2              0 or more
//   weightDecay        0 or more
//   amsgrad            divide by the root of the largest expAvgSqsRef so far
//   maximize           go along the gradient
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: optim/fused_adamw/docs/aclnnFusedAdamw.md
ACLNN_API aclnnStatus aclnnFusedAdamwGetWorkspaceSize(
    const aclTensorList* paramsRef, const aclTensorList* grads, const aclTensorList* expAvgsRef,
    const aclTensorList* expAvgSqsRef, const aclTensorList* maxExpAvgSqsRef,
    const aclTensorList* stateSteps, const aclTensor* gradScaleOptional,
    const aclTensor* foundInfOptional, double lr, double beta1, double beta2, double weightDecay,
    double eps, bool amsgrad, bool maximize, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedAdamw(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_ADAMW_H_
