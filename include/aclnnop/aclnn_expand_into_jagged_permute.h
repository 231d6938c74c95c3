// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_
#define ANYACL_ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnExpandIntoJaggedPermute: outputPermuteOut[outputOffset[t] + i] = inputOffset[permute[t]] +
// i, up to outputOffset[t + 1].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   permute           INT32; [T]; which table each one comes from
//   inputOffset       INT32; [U]; [T + 1], where each table begins
//   outputOffset      INT32; [U]; where each permuted one begins, ascending from 0 on; outputSize
//                     the last
//   outputPermuteOut  INT32; [outputSize]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: index/expand_into_jagged_permute/docs/aclnnExpandIntoJaggedPermute.md
ACLNN_API aclnnStatus aclnnExpandIntoJaggedPermuteGetWorkspaceSize(
    const aclTensor* permute, const aclTensor* inputOffset, const aclTensor* outputOffset,
    int64_t outputSize, const aclTensor* outputPermuteOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnExpandIntoJaggedPermute(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H_
