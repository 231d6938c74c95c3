// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: quantises every row of x, symmetrically or not, with smooth scales per
// expert if wanted.
#ifndef ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_V2_H_

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16 or BFLOAT16, rank 2 to 8; a row is the last dimension, H long
//   smoothScalesOptional  type of x, [H], with groups [E, H]: multiplies the columns; may be null
//   groupIndexOptional    INT32 [E]: the row after the last one of each expert; may be null
//   dstType               number of the type of yOut; yOut itself decides
//   yOut                  INT8 or INT4 in the shape of x, or INT32 that packs eight INT4
//   scaleOut              FLOAT, shape of x without the last dimension
//   offsetOut             like scaleOut; null asks for symmetric quantisation
//   161001  x, yOut, scaleOut, workspaceSize or executor null
//   561002  the format of a tensor is not a plain one
//   561003  the type of a tensor
//   161002  any other wrong argument
ACLNN_API aclnnStatus aclnnDynamicQuantV2GetWorkspaceSize(
    const aclTensor *x, const aclTensor *smoothScalesOptional, const aclTensor *groupIndexOptional,
    int64_t dstType, const aclTensor *yOut, const aclTensor *scaleOut, const aclTensor *offsetOut,
    uint64_t *workspaceSize, aclOpExecutor **executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDynamicQuantV2(void *workspace, uint64_t workspaceSize,
                                          aclOpExecutor *executor, aclrtStream stream);

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
