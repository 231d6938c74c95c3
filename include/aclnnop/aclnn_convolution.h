// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CONVOLUTION_H_
#define ANYACL_ACLNNOP_ACLNN_CONVOLUTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnConvolution: output[n, o, p] = bias[o] + sum over c, k of weight[o, c, k] * input[n, c, p *
// stride + k * dilation - padding], of 1 to 3 spatial dimensions; transposed: that relation from
// output to input.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input          FLOAT, FLOAT16, BF16; [N C X..]
//   weight         FLOAT, FLOAT16, BF16; [O I K..]
//   bias           FLOAT, FLOAT16, BF16; [B]; may be null
//   stride         of each spatial dimension, 1 or more
//   padding        of each spatial dimension, or before and after each; 0 or more
//   dilation       of each spatial dimension, 1 or more
//   transposed     weight is [Cin, Cout / groups, ...] then
//   outputPadding  added to the output's sizes, if transposed; less than stride or dilation
//   groups         1 to 65535
//   output         FLOAT, FLOAT16, BF16; [N P Y..]; output
//   cubeMathType   0 to 3; the precision that a device may give up; sums are fp32 here whatever it
//                  says
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/convolution_forward/docs/aclnnConvolution.md
ACLNN_API aclnnStatus aclnnConvolutionGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
    const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation,
    bool transposed, const aclIntArray* outputPadding, int64_t groups, aclTensor* output,
    int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConvolution(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnConvDepthwise2d: aclnnConvolution of 2 spatial dimensions with as many groups as self has
// channels.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [N C H W]; C 1 to 65535
//   weight        type of self; [O I K L]; O a multiple of C, I 1
//   kernelSize    [K, L]
//   bias          type of self; [O]; may be null
//   stride        of each spatial dimension, 1 or more
//   padding       of each spatial dimension, 0 or more
//   dilation      of each spatial dimension, 1 or more
//   out           type of self; [N O Y X]; output
//   cubeMathType  0 to 3; the precision that a device may give up; sums are fp32 here whatever it
//                 says
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/convolution_forward/docs/aclnnConvDepthwise2d.md
ACLNN_API aclnnStatus aclnnConvDepthwise2dGetWorkspaceSize(
    const aclTensor* self, const aclTensor* weight, const aclIntArray* kernelSize,
    const aclTensor* bias, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, aclTensor* out, int8_t cubeMathType, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConvDepthwise2d(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

// aclnnConvTbc: out[t, n, o] = bias[o] + sum over k, c of weight[k, c, o] * self[t + k - pad, n,
// c].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [T N C]
//   weight        type of self; [K C O]
//   bias          type of self; [O]
//   pad           0 to 255; zeros before and after each sequence
//   out           type of self; [U N O]; output
//   cubeMathType  0 to 3; the precision that a device may give up; sums are fp32 here whatever it
//                 says
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/convolution_forward/docs/aclnnConvTbc.md
ACLNN_API aclnnStatus aclnnConvTbcGetWorkspaceSize(
    const aclTensor* self, const aclTensor* weight, const aclTensor* bias, int64_t pad,
    aclTensor* out, int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConvTbc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CONVOLUTION_H_
