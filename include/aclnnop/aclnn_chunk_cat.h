// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CHUNK_CAT_H_
#define ANYACL_ACLNNOP_ACLNN_CHUNK_CAT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnChunkCat: row c of out: chunk c of each tensor along dimension 0, flat, one behind the
// other, in out's type; what the last chunks lack is 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tensors    FLOAT, FLOAT16, BF16; [..]; of one type
//   dim        0
//   numChunks  1 or more; rows of out
//   out        FLOAT, FLOAT16, BF16; [n C]; output; [numChunks, the sizes of the tensors' chunks
//              added up]; FLOAT for FLOAT
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/chunk_cat/docs/aclnnChunkCat.md
ACLNN_API aclnnStatus aclnnChunkCatGetWorkspaceSize(
    const aclTensorList* tensors, int64_t dim, int64_t numChunks, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnChunkCat(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CHUNK_CAT_H_
