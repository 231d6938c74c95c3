// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
#define ANYACL_ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnStridedSliceAssignV2: varRef[begin:end:strides] = inputValue, of the dimensions in
// axesOptional.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   varRef        FLOAT, FLOAT16, INT8, INT32, INT64, DOUBLE, BF16; any shape; changed in place
//   inputValue    type of varRef; any shape; the shape of the slice
//   begin         of each axis; counts from the end if negative, and is clamped
//   end           as begin
//   strides       1 or more
//   axesOptional  may be null; null stands for the first dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/strided_slice_assign_v2/docs/aclnnStridedSliceAssignV2.md
ACLNN_API aclnnStatus aclnnStridedSliceAssignV2GetWorkspaceSize(
    aclTensor* varRef, const aclTensor* inputValue, const aclIntArray* begin,
    const aclIntArray* end, const aclIntArray* strides, const aclIntArray* axesOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnStridedSliceAssignV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
