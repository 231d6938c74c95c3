// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H_
#define ANYACL_ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTransMatmulWeight: puts a weight into the order that products prefer, which is the one it
// has.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   mmWeightRef  FLOAT, FLOAT16, INT8, BF16; [W..]; changed in place; of 2 to 6 dimensions; left as
//                it is
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/trans_data/docs/aclnnTransMatmulWeight.md
ACLNN_API aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(
    aclTensor* mmWeightRef, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTransMatmulWeight(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);
// How many elements a weight of this shape takes in the layout that products prefer: the last two
// sizes are made up to multiples of 16, the last one to 32 for INT8. Never fewer than it has.
//   tensorShape       2 to 6 sizes, [batch.., n, k]
//   dataType          FLOAT, FLOAT16, INT8 or BF16
//   weightTensorSize  the number of elements
// 161001: an argument is null; 161002: another rank or type, or a size below 1.
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape,
                                                       aclDataType dataType,
                                                       uint64_t* weightTensorSize);
// The same for FLOAT16.
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape,
                                                     uint64_t* weightTensorSize);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H_
