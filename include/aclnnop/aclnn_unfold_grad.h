// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UNFOLD_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_UNFOLD_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUnfoldGrad: gradIn = sums of gradOut over the windows that an element is in.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut     FLOAT, FLOAT16, DOUBLE, BF16; [A..]
//   inputSizes  the shape of gradIn
//   dim         counts from the end if negative
//   size        1 or more
//   step        1 or more
//   gradIn      type of gradOut; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/unfold_grad/docs/aclnnUnfoldGrad.md
ACLNN_API aclnnStatus aclnnUnfoldGradGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* inputSizes, int64_t dim, int64_t size,
    int64_t step, const aclTensor* gradIn, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUnfoldGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UNFOLD_GRAD_H_
