// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROLL_H_
#define ANYACL_ACLNNOP_ACLNN_ROLL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRoll: x moved along dimensions, what leaves at the end coming back at the begin.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT32, INT64, BOOL, COMPLEX64, BF16; [A*]
//   shifts  one for each of dims; a single one without dims, of the flat tensor
//   dims    may be empty
//   out     type of x; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/roll/docs/aclnnRoll.md
ACLNN_API aclnnStatus aclnnRollGetWorkspaceSize(const aclTensor* x, const aclIntArray* shifts,
                                                const aclIntArray* dims, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRoll(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROLL_H_
