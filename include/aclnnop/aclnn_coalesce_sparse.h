// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_COALESCE_SPARSE_H_
#define ANYACL_ACLNNOP_ACLNN_COALESCE_SPARSE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCoalesceSparse: newIndicesOut[uniqueIndices[n]] = indices[n], newValuesOut[u] = sum of the
// values[n] with uniqueIndices[n] = u.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   uniqueLen      INT32, INT64; [U]; as long as there are different coordinates; not looked at
//                  otherwise
//   uniqueIndices  INT32, INT64; [N]; which of the U each of the N becomes
//   indices        INT32, INT64; [N M]; coordinates of fewer than 64 dimensions
//   values         FLOAT, FLOAT16, INT32; [N A*]
//   newIndicesOut  type of indices; [U M]; output
//   newValuesOut   type of values; [U A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/coalesce_sparse/docs/aclnnCoalesceSparse.md
ACLNN_API aclnnStatus aclnnCoalesceSparseGetWorkspaceSize(
    const aclTensor* uniqueLen, const aclTensor* uniqueIndices, const aclTensor* indices,
    const aclTensor* values, const aclTensor* newIndicesOut, const aclTensor* newValuesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCoalesceSparse(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_COALESCE_SPARSE_H_
