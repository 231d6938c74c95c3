// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaskedCausalConv1dBackward: the gradients of aclnnMaskedCausalConv1d for x and weight.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradY          FLOAT16, BF16; [S B H]
//   x              type of gradY; [S B H]
//   weight         type of gradY; [W H]
//   maskOptional   BOOL; [B S]; may be null; null: all true
//   gradXOut       type of gradY; [S B H]; output
//   gradWeightOut  type of gradY; [W H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/masked_causal_conv1d_backward/docs/aclnnMaskedCausalConv1dBackward.md
ACLNN_API aclnnStatus aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* weight,
    const aclTensor* maskOptional, const aclTensor* gradXOut, const aclTensor* gradWeightOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaskedCausalConv1dBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_BACKWARD_H_
