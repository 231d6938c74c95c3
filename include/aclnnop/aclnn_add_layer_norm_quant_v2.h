// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddLayerNormQuantV2: xOut = x1 + x2 + biasOptional, layernormRes = y = (xOut - mean) * rstd
// * gamma + beta; static: y1Out = rint(y / scales1 + zeroPoints1), or times scales1; dynamic:
// outScales1Out = max|y * scales1| / 127, y1Out = rint(y * scales1 / outScales1Out); y2Out the same
// of the second ones.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                   FLOAT, FLOAT16, BF16; [X*]
//   x2                   type of x1; [X*]
//   gamma                type of x1; [G*]; x1's last dimensions, or [1, the last one]: a row
//   beta                 type of x1; [G*]
//   biasOptional         type of x1; any shape; may be null; gamma's shape or x1's
//   scales1Optional      FLOAT, FLOAT16, BF16; [S*]; may be null; gamma's shape or [1]
//   scales2Optional      FLOAT, FLOAT16, BF16; [S*]; may be null; as scales1Optional; null: y2Out
//                        is not written
//   zeroPoints1Optional  FLOAT, FLOAT16, BF16; [S*]; may be null; of quantMode static; as
//                        scales1Optional
//   zeroPoints2Optional  FLOAT, FLOAT16, BF16; [S*]; may be null; given where both scales and the
//                        first ones are
//   quantMode            static or dynamic
//   epsilon              added to the variance; 0 or more
//   additionalOutput     whether xOut is written
//   divMode              static: divides by scales, else multiplies; dynamic: without effect
//   y1Out                INT8; [X*]; output
//   y2Out                INT8; any shape; output; x1's shape where it is written
//   xOut                 type of x1; [X*]; output
//   layernormRes         type of x1; [X*]; output; y
//   outScales1Out        FLOAT; any shape; output; of quantMode dynamic x1's shape without the last
//                        dimension; else of any, and not written
//   outScales2Out        FLOAT; any shape; output; as outScales1Out, with scales2Optional
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/add_layer_norm_quant_v2/docs/aclnnAddLayerNormQuantV2.md
ACLNN_API aclnnStatus aclnnAddLayerNormQuantV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* beta,
    const aclTensor* biasOptional, const aclTensor* scales1Optional,
    const aclTensor* scales2Optional, const aclTensor* zeroPoints1Optional,
    const aclTensor* zeroPoints2Optional, const char* quantMode, double epsilon,
    bool additionalOutput, bool divMode, aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut,
    aclTensor* layernormRes, aclTensor* outScales1Out, aclTensor* outScales2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddLayerNormQuantV2(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_QUANT_V2_H_
