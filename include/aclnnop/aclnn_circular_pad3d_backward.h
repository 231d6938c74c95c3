// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CIRCULAR_PAD3D_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_CIRCULAR_PAD3D_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCircularPad3dBackward: gradInput = sums of gradOutput over what came of an element.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; any shape
//   self        type of gradOutput; [A*]
//   padding     before and after each dimension, from the last one
//   gradInput   type of gradOutput; [A*]; output
//   561103  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/circular_pad_grad/docs/aclnnCircularPad3dBackward.md
ACLNN_API aclnnStatus aclnnCircularPad3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCircularPad3dBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CIRCULAR_PAD3D_BACKWARD_H_
