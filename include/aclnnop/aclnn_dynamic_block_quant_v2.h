// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDynamicBlockQuantV2: scaleOut = min(max |x| / 127, 1 / minScale) of each block of a row,
// yOut = rint(x / scaleOut), held within INT8.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                  FLOAT, FLOAT16, BF16; [M N] or [B M N]; not empty
//   minScale           0 or more
//   roundModeOptional  may be null; rint, or null
//   dstType            2; INT8
//   rowBlockSize       1; rows of a block
//   colBlockSize       columns of a block: 1 or 128
//   dstTypeMax         0
//   yOut               INT8; [M N] or [B M N]; output
//   scaleOut           FLOAT; [M Q] or [B M Q]; output; Q is N / colBlockSize, rounded up
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/dynamic_block_quant/docs/aclnnDynamicBlockQuantV2.md
ACLNN_API aclnnStatus aclnnDynamicBlockQuantV2GetWorkspaceSize(
    const aclTensor* x, double minScale, char* roundModeOptional, int64_t dstType,
    int64_t rowBlockSize, int64_t colBlockSize, double dstTypeMax, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDynamicBlockQuantV2(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_V2_H_
