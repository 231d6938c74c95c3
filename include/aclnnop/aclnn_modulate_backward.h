// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MODULATE_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MODULATE_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnModulateBackward: grad_input = grad_output scale, grad_scale and grad_shift = the sums of
// grad_output input and of grad_output over L.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   grad_output  FLOAT, FLOAT16, BF16; [B L D]
//   input        type of grad_output; [B L D]
//   scale        type of grad_output; [B D]; may be null
//   shift        type of grad_output; [B D]; may be null
//   grad_input   type of grad_output; [B L D]; output
//   grad_scale   type of grad_output; [B D]; output; may be null
//   grad_shift   type of grad_output; [B D]; output; may be null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: vfusion/modulate_grad/docs/aclnnModulateBackward.md
ACLNN_API aclnnStatus aclnnModulateBackwardGetWorkspaceSize(
    const aclTensor* grad_output, const aclTensor* input, const aclTensor* scale,
    const aclTensor* shift, const aclTensor* grad_input, const aclTensor* grad_scale,
    const aclTensor* grad_shift, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnModulateBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MODULATE_BACKWARD_H_
