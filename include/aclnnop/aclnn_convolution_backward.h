// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnConvTbcBackward: the gradients of aclnnConvTbc by its input, weight and bias.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [U N O]; the gradient of the result
//   input         type of self; [T N C]
//   weight        type of self; [K C O]
//   bias          type of self; [O]
//   pad           0 to 2147483647; zeros before and after each sequence
//   cubeMathType  0 to 3; the precision that a device may give up; sums are fp32 here whatever it
//                 says
//   gradInput     type of self; [T N C]; output
//   gradWeight    type of self; [K C O]; output
//   gradBias      type of self; [O]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/convolution_backward/docs/aclnnConvTbcBackward.md
ACLNN_API aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(
    const aclTensor* self, const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
    int64_t pad, int8_t cubeMathType, aclTensor* gradInput, aclTensor* gradWeight,
    aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConvTbcBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

// aclnnConvolutionBackward: the gradients of a convolution by its input, weight and bias.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput     FLOAT, FLOAT16, BF16; [N P Y..]
//   input          FLOAT, FLOAT16, BF16; [N C X..]
//   weight         FLOAT, FLOAT16, BF16; [O I K..]
//   biasSizes      may be null; the shape of gradBias
//   stride         of each spatial dimension, 1 or more
//   padding        of each spatial dimension, or before and after each; 0 or more
//   dilation       of each spatial dimension, 1 or more
//   transposed     weight is [Cin, Cout / groups, ...] then
//   outputPadding  added to the output's sizes, if transposed; less than stride or dilation
//   groups         1 to 65535
//   outputMask     which of the three gradients to write
//   cubeMathType   0 to 3; the precision that a device may give up; sums are fp32 here whatever it
//                  says
//   gradInput      FLOAT, FLOAT16, BF16; [N C X..]; output; needed if outputMask[0]
//   gradWeight     FLOAT, FLOAT16, BF16; [O I K..]; output; needed if outputMask[1]
//   gradBias       FLOAT, FLOAT16, BF16; [B]; output; needed if outputMask[2]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/convolution_backward/docs/aclnnConvolutionBackward.md
ACLNN_API aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int32_t groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H_
