// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MHC_SINKHORN_H_
#define ANYACL_ACLNNOP_ACLNN_MHC_SINKHORN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMhcSinkhorn: matrices of positive numbers whose rows and columns add up to 1: softmax(x) +
// eps, divided by the sums of its columns, then numIters - 1 times of rows and columns.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x         FLOAT; [B S N N] or [T N N]; N = 4, 6 or 8
//   eps       joins every number of the softmax and every sum
//   numIters  1 to 100
//   output    FLOAT; [B S N N] or [T N N]; output
//   normOut   FLOAT; any shape; output; may be null; for the gradient: 2 * numIters * T * N * 8
//             numbers
//   sumOut    FLOAT; any shape; output; may be null; for the gradient: 2 * numIters * T * 8 numbers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mhc/mhc_sinkhorn/docs/aclnnMhcSinkhorn.md
ACLNN_API aclnnStatus aclnnMhcSinkhornGetWorkspaceSize(
    const aclTensor* x, float eps, int64_t numIters, aclTensor* output, aclTensor* normOut,
    aclTensor* sumOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMhcSinkhorn(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MHC_SINKHORN_H_
