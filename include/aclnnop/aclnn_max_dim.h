// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MAX_DIM_H_
#define ANYACL_ACLNNOP_ACLNN_MAX_DIM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxDim: out = largest of self along dim, indices = its first place; NaN counts as largest.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16, INT64, BOOL, BF16; any shape
//   dim      counts from the end if negative
//   keepdim  keep the reduced dimensions, with size 1
//   out      type of self; [R*]; output; the extreme
//   indices  INT32, INT64; [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/arg_max_with_value/docs/aclnnMaxDim.md
ACLNN_API aclnnStatus aclnnMaxDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim,
                                                  aclTensor* out, aclTensor* indices,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxDim(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MAX_DIM_H_
