// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_REDUCE_LOG_SUM_H_
#define ANYACL_ACLNNOP_ACLNN_REDUCE_LOG_SUM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnReduceLogSum: reduce = log of the sum of data over axes.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   data               FLOAT, FLOAT16; any shape
//   axes               empty: all dimensions
//   keepDims           keep the reduced dimensions, with size 1
//   noopWithEmptyAxes  without dimensions: out is self, and nothing is reduced
//   reduce             type of data; [R*]; output; data's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_log_sum/docs/aclnnReduceLogSum.md
ACLNN_API aclnnStatus aclnnReduceLogSumGetWorkspaceSize(
    const aclTensor* data, const aclIntArray* axes, bool keepDims, bool noopWithEmptyAxes,
    aclTensor* reduce, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnReduceLogSum(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_REDUCE_LOG_SUM_H_
