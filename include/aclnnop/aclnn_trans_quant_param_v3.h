// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_
#define ANYACL_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTransQuantParamV3: scales and offsets of INT8 results in the 64 bits in which products take
// them.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scale      FLOAT; [S..]
//   offset     FLOAT; [F..]; may be null; of a row, as scale, or of one
//   roundMode  0 to 1; of scale to 19 bits: 0 cut off, 1 to the nearest, ties to even
//   out        INT64, UINT64; [O..]; output; shaped as scale
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/trans_quant_param_v2/docs/aclnnTransQuantParamV3.md
ACLNN_API aclnnStatus aclnnTransQuantParamV3GetWorkspaceSize(
    const aclTensor* scale, const aclTensor* offset, int64_t roundMode, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTransQuantParamV3(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_
