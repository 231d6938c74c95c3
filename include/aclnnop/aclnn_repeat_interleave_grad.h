// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRepeatInterleaveGrad: the sums of the slices of yGrad that stand for one of out.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   yGrad    FLOAT, FLOAT16, BF16; [..]
//   repeats  INT32, INT64; [| R]; one number, or one for each slice of axis in out
//   axis     counts from the end if negative
//   out      type of yGrad; [..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/repeat_interleave_grad/docs/aclnnRepeatInterleaveGrad.md
ACLNN_API aclnnStatus aclnnRepeatInterleaveGradGetWorkspaceSize(
    const aclTensor* yGrad, const aclTensor* repeats, int64_t axis, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRepeatInterleaveGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_GRAD_H_
