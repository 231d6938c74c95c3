// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H_
#define ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDynamicQuantV3: quantises x by a scale for each row, each column or all of it, symmetrically
// or not, with smooth scales.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16, BF16; [B.. H]; a row is the last dimension; rank 2 to 8
//   smoothScalesOptional  type of x; [S] or [E S]; may be null; multiplies the columns, with groups
//                         by a row per expert; perchannel the rows
//   groupIndexOptional    INT32; [E]; may be null; the row after the last one of each expert;
//                         pertoken only
//   dstType               number of the type of yOut
//   isSymmetrical         false asks for offsets
//   quantMode             what shares a scale: pertoken a row, perchannel a column of the last two
//                         dimensions, pertensor all of x
//   yOut                  INT8, INT32, INT4; [B.. H]; INT32: [B.. H/8]; output; INT32 packs eight
//                         INT4
//   scaleOut              FLOAT; any shape; output; pertoken x's shape without the last dimension,
//                         perchannel without the last but one, pertensor [1]
//   offsetOut             FLOAT; any shape; output; may be null; of scaleOut's shape; null if
//                         isSymmetrical
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/dynamic_quant/docs/aclnnDynamicQuantV3.md
ACLNN_API aclnnStatus aclnnDynamicQuantV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* groupIndexOptional,
    int64_t dstType, bool isSymmetrical, const char* quantMode, const aclTensor* yOut,
    const aclTensor* scaleOut, const aclTensor* offsetOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDynamicQuantV3(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H_
