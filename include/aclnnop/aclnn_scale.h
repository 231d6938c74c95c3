// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCALE_H_
#define ANYACL_ACLNNOP_ACLNN_SCALE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScale: y = x scale + bias, scale and bias repeated along all dimensions of x but those from
// axis on.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x              FLOAT, FLOAT16, BF16; [X*]
//   scale          type of x; [S*]; sizes of x from axis on, or one element
//   bias           type of x; [S*]; may be null
//   axis           counts from the end if negative
//   numAxes        -1 or more; how many dimensions scale has; -1: all, 0: one element
//   scaleFromBlob  false: numAxes does not count
//   y              type of x; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/scale/docs/aclnnScale.md
ACLNN_API aclnnStatus aclnnScaleGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                                 const aclTensor* bias, int64_t axis,
                                                 int64_t numAxes, bool scaleFromBlob, aclTensor* y,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCALE_H_
