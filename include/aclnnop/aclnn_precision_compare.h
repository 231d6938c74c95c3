// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_PRECISION_COMPARE_H_
#define ANYACL_ACLNNOP_ACLNN_PRECISION_COMPARE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnPrecisionCompare: out = 0 if all elements of golden and realdata are equal, else 503.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   golden    FLOAT, FLOAT16, BF16; [S*]
//   realdata  type of golden; [S*]
//   out       UINT32; [O*]; output; one number, of shape []
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/precision_compare/docs/aclnnPrecisionCompare.md
ACLNN_API aclnnStatus aclnnPrecisionCompareGetWorkspaceSize(
    const aclTensor* golden, const aclTensor* realdata, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnPrecisionCompare(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_PRECISION_COMPARE_H_
