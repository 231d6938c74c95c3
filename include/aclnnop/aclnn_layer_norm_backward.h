// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLayerNormBackward: gradInputOut = rstd * (dy - mean of dy - xh * mean of dy * xh), dy =
// gradOut * weight, xh = (input - mean) * rstd; gradWeightOut = sum of gradOut * xh, gradBiasOut =
// sum of gradOut over the rows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut          FLOAT, FLOAT16, BF16; [X*]
//   input            type of gradOut; [X*]
//   normalizedShape  input's last dimensions: a row
//   mean             FLOAT, FLOAT16, BF16; [R*]; one for each row: input's shape with 1 for
//                    normalizedShape, or without it
//   rstd             FLOAT, FLOAT16, BF16; [R*]; one for each row: input's shape with 1 for
//                    normalizedShape, or without it
//   weightOptional   FLOAT, FLOAT16, BF16; [W*]; may be null; null stands for ones
//   biasOptional     type of weightOptional; [W*]; may be null; has no influence
//   outputMask       3 values: which of the gradients are wanted; the others are not looked at
//   gradInputOut     type of gradOut; [X*]; output; needed if outputMask[0]
//   gradWeightOut    FLOAT, FLOAT16, BF16; [W*]; output; needed if outputMask[1]
//   gradBiasOut      FLOAT, FLOAT16, BF16; [W*]; output; needed if outputMask[2]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/layer_norm_grad_v3/docs/aclnnLayerNormBackward.md
ACLNN_API aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* mean, const aclTensor* rstd, const aclTensor* weightOptional,
    const aclTensor* biasOptional, const aclBoolArray* outputMask, aclTensor* gradInputOut,
    aclTensor* gradWeightOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLayerNormBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H_
