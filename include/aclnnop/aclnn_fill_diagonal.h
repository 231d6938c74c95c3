// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FILL_DIAGONAL_H_
#define ANYACL_ACLNNOP_ACLNN_FILL_DIAGONAL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceFillDiagonal: selfRef[i, i, ..] = fillValue.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64, BF16; any
//              shape; changed in place; a matrix, or more dimensions of one size
//   fillValue  a number that selfRef's type holds
//   wrap       of a tall matrix: again below each diagonal and a free row
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/fill_diagonal_v2/docs/aclnnInplaceFillDiagonal.md
ACLNN_API aclnnStatus aclnnInplaceFillDiagonalGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* fillValue, bool wrap, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceFillDiagonal(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FILL_DIAGONAL_H_
