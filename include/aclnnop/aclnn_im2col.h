// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_IM2COL_H_
#define ANYACL_ACLNNOP_ACLNN_IM2COL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIm2col: out[n, (c, i, j), (y, x)] = self[n, c, y * stride + i * dilation - padding, ...].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE,
//               BOOL, COMPLEX64, BF16, COMPLEX32; [C H W] or [N C H W]
//   kernelSize  of height and width
//   dilation    of height and width
//   padding     of height and width
//   stride      of height and width
//   out         type of self; [K L] or [N K L]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/im2col/docs/aclnnIm2col.md
ACLNN_API aclnnStatus aclnnIm2colGetWorkspaceSize(const aclTensor* self,
                                                  const aclIntArray* kernelSize,
                                                  const aclIntArray* dilation,
                                                  const aclIntArray* padding,
                                                  const aclIntArray* stride, const aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnIm2col(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_IM2COL_H_
