// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDynamicQuantV2: quantises every row of x, symmetrically or not, with smooth scales per
// expert.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16, BF16; [B.. H]; a row is the last dimension; rank 2 to 8
//   smoothScalesOptional  type of x; [H] or [E H]; may be null; multiplies the columns; with groups
//                         a row per expert
//   groupIndexOptional    INT32; [E]; may be null; the row after the last one of each expert
//   dstType               number of the type of yOut; yOut itself decides
//   yOut                  INT8, INT32, INT4; [B.. H]; INT32: [B.. H/8]; output; INT32 packs eight
//                         INT4
//   scaleOut              FLOAT; [B..]; output
//   offsetOut             FLOAT; [B..]; output; may be null; null asks for symmetric quantisation
//   161001  a required argument, workspaceSize or executor is null
//   561003  a data type
//   561002  a format
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/dynamic_quant_v2/docs/aclnnDynamicQuantV2.md
ACLNN_API aclnnStatus aclnnDynamicQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* groupIndexOptional,
    int64_t dstType, const aclTensor* yOut, const aclTensor* scaleOut, const aclTensor* offsetOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
// 561000: whatever else is wrong with the call.
ACLNN_API aclnnStatus aclnnDynamicQuantV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}

// The prototype printed in CANN's document of the operator leaves offsetOut out. This accepts calls
// written after it. A program that takes the address of the function without saying which one it
// means defines ANYACL_NO_OVERLOADS.
#ifndef ANYACL_NO_OVERLOADS
inline aclnnStatus aclnnDynamicQuantV2GetWorkspaceSize(
    const aclTensor *x, const aclTensor *smoothScalesOptional, const aclTensor *groupIndexOptional,
    int64_t dstType, const aclTensor *yOut, const aclTensor *scaleOut, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return aclnnDynamicQuantV2GetWorkspaceSize(x, smoothScalesOptional, groupIndexOptional, dstType,
                                             yOut, scaleOut, nullptr, workspaceSize, executor);
}
#endif
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V2_H_
