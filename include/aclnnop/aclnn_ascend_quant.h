// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ASCEND_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_ASCEND_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAscendQuant: y = round(x * scale + offset), held within y's type.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x          FLOAT, FLOAT16, BF16; [X..]
//   scale      FLOAT, FLOAT16, BF16; [S..]; [1], one for each index of axis (the last one), or as
//              many dimensions as x
//   offset     type of scale; [S..]; may be null
//   sqrtMode   scale twice
//   roundMode  161002 if null; round (half to even), ceil, floor or trunc
//   dstType    y.dtype
//   y          INT8, INT32, INT4; [Y..]; output; x's shape; INT32 packs eight INT4 of the last
//              dimension
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/ascend_quant_v2/docs/aclnnAscendQuant.md
ACLNN_API aclnnStatus aclnnAscendQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* offset, bool sqrtMode,
    const char* roundMode, int32_t dstType, const aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAscendQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ASCEND_QUANT_H_
