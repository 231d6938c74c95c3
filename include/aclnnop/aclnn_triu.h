// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TRIU_H_
#define ANYACL_ACLNNOP_ACLNN_TRIU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTriu: self where column >= row + diagonal, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self      FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE,
//             BOOL, COMPLEX64, BF16, COMPLEX32; [A* R C] or [0]
//   diagonal  above the main one if positive
//   out       type of self; [A* R C] or [0]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/triu/docs/aclnnTriu&aclnnInplaceTriu.md
ACLNN_API aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor* self, int64_t diagonal,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTriu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

// aclnnInplaceTriu: selfRef where column >= row + diagonal, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef   FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE,
//             BOOL, COMPLEX64, BF16, COMPLEX32; [A* R C] or [0]; changed in place
//   diagonal  above the main one if positive
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/triu/docs/aclnnTriu&aclnnInplaceTriu.md
ACLNN_API aclnnStatus aclnnInplaceTriuGetWorkspaceSize(
    aclTensor* selfRef, int64_t diagonal, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceTriu(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRIU_H_
