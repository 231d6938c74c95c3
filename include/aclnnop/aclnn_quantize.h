// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANTIZE_H_
#define ANYACL_ACLNNOP_ACLNN_QUANTIZE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantize: out = x / scales + zeroPoints, rounded to nearest even and held within its type.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x           FLOAT, FLOAT16, BF16; [X*]
//   scales      FLOAT, FLOAT16, BF16; [S]; one, or one for each index of axis
//   zeroPoints  INT8, INT32, UINT8, BF16; [S]; may be null; null stands for zeros
//   dtype       out.dtype
//   axis        counts from the end if negative
//   out         INT8, INT32, UINT8; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/quantize/docs/aclnnQuantize.md
ACLNN_API aclnnStatus aclnnQuantizeGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scales, const aclTensor* zeroPoints, aclDataType dtype,
    int32_t axis, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantize(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANTIZE_H_
