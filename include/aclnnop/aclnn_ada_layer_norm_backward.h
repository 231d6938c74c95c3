// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAdaLayerNormBackward: with xh = (input - mean) * rstd and dy = gradOut * (1 + scale):
// gradInputOut = rstd * (dy * weight - mean of dy * weight - xh * mean of dy * weight * xh),
// gradScaleOut = sum over S of gradOut * (xh * weight + bias), gradShiftOut = sum over S of
// gradOut, gradWeightOut = sum of dy * xh, gradBiasOut = sum of dy over the rows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut          FLOAT, FLOAT16, BF16; [B* S H]
//   input            type of gradOut; [B* S H]; without elements refused, as all tensors
//   normalizedShape  [H]
//   rstd             FLOAT, FLOAT16, BF16; [B* S 1]; input's type or FLOAT
//   mean             FLOAT, FLOAT16, BF16; [B* S 1]; input's type or FLOAT
//   scale            type of gradOut; [C*]; [B.., H] or [B.., 1, H]
//   shift            type of gradOut; [D*]; [B.., H] or [B.., 1, H]; has no influence
//   weightOptional   FLOAT, FLOAT16, BF16; [H]; may be null; input's type or FLOAT; null stands for
//                    ones
//   biasOptional     type of weightOptional; [H]; may be null; input's type or FLOAT; null stands
//                    for zeros
//   gradInputOut     type of gradOut; [B* S H]; output; may be null
//   gradScaleOut     type of gradOut; [C*]; output; may be null; scale's shape
//   gradShiftOut     type of gradOut; [D*]; output; may be null; shift's shape
//   gradWeightOut    FLOAT, FLOAT16, BF16; [H]; output; may be null; the type of weightOptional,
//                    else of biasOptional, else input's or FLOAT
//   gradBiasOut      FLOAT, FLOAT16, BF16; [H]; output; may be null; the type of weightOptional,
//                    else of biasOptional, else input's or FLOAT
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/ada_layer_norm_grad/docs/aclnnAdaLayerNormBackward.md
ACLNN_API aclnnStatus aclnnAdaLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* rstd, const aclTensor* mean, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional, aclTensor* gradInputOut,
    aclTensor* gradScaleOut, aclTensor* gradShiftOut, aclTensor* gradWeightOut,
    aclTensor* gradBiasOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAdaLayerNormBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_
