// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_CONVOLUTION_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_CONVOLUTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantConvolution: output[n, o] = the convolution of integers in 3 dimensions * scale[o] +
// bias[o].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input          INT8; [N C D H W]; NCDHW; without elements refused
//   weight         INT8; [O C I J K]; NCDHW
//   bias           FLOAT, FLOAT16, BF16; [O]; FLOAT or output's type
//   scale          FLOAT; [O]
//   offset         FLOAT, FLOAT16, BF16; any shape; may be null; null
//   stride         of each spatial dimension, 1 or more
//   padding        of each spatial dimension, 0 or more
//   dilation       of each spatial dimension, 1 or more
//   transposed     false
//   outputPadding  may be null; without effect
//   groups         1
//   offsetx        0
//   roundMode      may be null; null
//   output         FLOAT16, BF16; [N O X Y Z]; output; NCDHW
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: conv/convolution_forward/docs/aclnnQuantConvolution.md
ACLNN_API aclnnStatus aclnnQuantConvolutionGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias, const aclTensor* scale,
    const aclTensor* offset, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int64_t groups,
    int32_t offsetx, const char* roundMode, aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantConvolution(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_CONVOLUTION_H_
