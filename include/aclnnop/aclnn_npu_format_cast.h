// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NPU_FORMAT_CAST_H_
#define ANYACL_ACLNNOP_ACLNN_NPU_FORMAT_CAST_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNpuFormatCast: matrices [.., K, N] into panels [.., N/C0, K/16, 16, C0] (FRACTAL_NZ), or
// back.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   srcTensor  FLOAT, FLOAT16, INT8, INT32, UINT8, UINT32, BF16; [A..]; contiguous; ND or
//              FRACTAL_NZ
//   dstTensor  type of srcTensor; [B..]; contiguous; output; ND or FRACTAL_NZ; of the shape and
//              format that CalculateSizeAndFormat tells
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: conversion/npu_format_cast/docs/aclnnNpuFormatCast.md
ACLNN_API aclnnStatus aclnnNpuFormatCastGetWorkspaceSize(
    const aclTensor* srcTensor, aclTensor* dstTensor, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNpuFormatCast(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// What dstTensor must be: its shape, a new array for delete[], and its format, dstFormat.
//   srcTensor        of rank 2 to 6, not empty, with the types of aclnnNpuFormatCast
//   dstFormat        29 (FRACTAL_NZ), or a plain format such as 2 (ND) where srcTensor is FRACTAL_NZ
//   additionalDtype  the type whose elements fill the 32 bytes of a row of a panel; -1: srcTensor's
// 161001: an argument is null; 161002: another type, rank or an empty tensor; 361001: a conversion
// that is not offered.
ACLNN_API aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(
    const aclTensor* srcTensor, int dstFormat, int additionalDtype, int64_t** dstShape,
    uint64_t* dstShapeSize, int* actualFormat);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NPU_FORMAT_CAST_H_
