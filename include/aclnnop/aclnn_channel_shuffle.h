// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CHANNEL_SHUFFLE_H_
#define ANYACL_ACLNNOP_ACLNN_CHANNEL_SHUFFLE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnChannelShuffle: out[n, i * groups + g, ..] = self[n, g * C / groups + i, ..].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64, COMPLEX128,
//           BF16; [N C X..]
//   groups  1 or more; divides C
//   out     type of self; [N C X..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/transpose/docs/aclnnChannelShuffle.md
ACLNN_API aclnnStatus aclnnChannelShuffleGetWorkspaceSize(
    const aclTensor* self, int64_t groups, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnChannelShuffle(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CHANNEL_SHUFFLE_H_
