// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MASKED_SELECT_H_
#define ANYACL_ACLNNOP_ACLNN_MASKED_SELECT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaskedSelect: the elements of self where mask is true, in row-major order.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape
//   mask  UINT8, BOOL; any shape
//   out   FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; [N]; contiguous;
//         output; as if the mask were true everywhere; its shape is set when the task runs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/masked_select_v3/docs/aclnnMaskedSelect.md
ACLNN_API aclnnStatus aclnnMaskedSelectGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mask, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaskedSelect(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MASKED_SELECT_H_
