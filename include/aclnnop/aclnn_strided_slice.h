// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_STRIDED_SLICE_H_
#define ANYACL_ACLNNOP_ACLNN_STRIDED_SLICE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnStridedSlice: self[begin:end:strides] of every dimension, as masks say.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self            FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, BOOL,
//                   COMPLEX64, BF16, COMPLEX32, HIFLOAT8, FLOAT8_E5M2, FLOAT8_E4M3FN; any shape
//   begin           of each dimension; counts from the end if negative, and is clamped
//   end             as begin
//   strides         not 0
//   beginMask       bit i: begin[i] counts as left out
//   endMask         bit i: end[i] counts as left out
//   ellipsisMask    bit i, a single one, stands for all dimensions between
//   newAxisMask     bit i is a new dimension of size 1
//   shrinkAxisMask  bit i takes begin[i] alone
//   out             type of self; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/strided_slice/docs/aclnnStridedSlice.md
ACLNN_API aclnnStatus aclnnStridedSliceGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* begin, const aclIntArray* end,
    const aclIntArray* strides, int64_t beginMask, int64_t endMask, int64_t ellipsisMask,
    int64_t newAxisMask, int64_t shrinkAxisMask, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnStridedSlice(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_STRIDED_SLICE_H_
