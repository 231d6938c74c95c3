// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAscendAntiQuant: y = (x + offset) * scale, or times scale twice.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x         INT8, INT32, INT4; any shape; INT32 packs eight INT4
//   scale     FLOAT, BF16; [C]; [1], or a number for each column
//   offset    type of scale; [C]; may be null
//   dstType   number of the type of y
//   sqrtMode  multiplies by scale twice
//   y         FLOAT16, BF16; any shape; output; x's shape, of INT32 with eight times the columns
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/ascend_anti_quant_v2/docs/aclnnAscendAntiQuant.md
ACLNN_API aclnnStatus aclnnAscendAntiQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* offset, int64_t dstType,
    bool sqrtMode, const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAscendAntiQuant(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H_
