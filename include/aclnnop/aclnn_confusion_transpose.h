// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CONFUSION_TRANSPOSE_H_
#define ANYACL_ACLNNOP_ACLNN_CONFUSION_TRANSPOSE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnConfusionTranspose: x in another shape, transposed, or its transpose in another shape.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x               FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, BF16;
//                   any shape; contiguous
//   perm            the dimension that each one of the result is
//   shape           that x gets before, or its transpose after
//   out             type of x; any shape; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561103  any other wrong argument
// CANN's document: ops-math: conversion/confusion_transpose_d/docs/aclnnConfusionTranspose.md
ACLNN_API aclnnStatus aclnnConfusionTransposeGetWorkspaceSize(
    const aclTensor* x, const aclIntArray* perm, const aclIntArray* shape, bool transposeFirst,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConfusionTranspose(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CONFUSION_TRANSPOSE_H_
