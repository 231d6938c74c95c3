// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LOGSUMEXP_H_
#define ANYACL_ACLNNOP_ACLNN_LOGSUMEXP_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLogSumExp: out = log of the sum of e^self over dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BOOL, BF16; any shape
//   dim      empty: all dimensions
//   keepDim  keep the reduced dimensions, with size 1
//   out      FLOAT, FLOAT16, BF16; [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_log_sum_exp/docs/aclnnLogSumExp.md
ACLNN_API aclnnStatus aclnnLogSumExpGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* dim, bool keepDim, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLogSumExp(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LOGSUMEXP_H_
